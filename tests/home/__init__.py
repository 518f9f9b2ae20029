"""Tests of the home pages."""
