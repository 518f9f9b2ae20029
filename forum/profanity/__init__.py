"""The profanity filter: finds the words of a list in a text and computes a score. Does not use Django."""

from forum.profanity.config import FilterConfig, FilterVerdict, compiled
from forum.profanity.matcher import Matcher
from forum.profanity.normalization import normalize_word
from forum.profanity.scoring import explain, score
from forum.profanity.starter import starter
from forum.profanity.types import Match, Matching, Severity, Word

__all__ = [
    "FilterConfig",
    "FilterVerdict",
    "Match",
    "Matcher",
    "Matching",
    "Severity",
    "Word",
    "compiled",
    "explain",
    "normalize_word",
    "score",
    "starter",
]
