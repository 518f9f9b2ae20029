"""The pages that visitors see."""
