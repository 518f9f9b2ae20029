"""The profanity filter: a list of words, what it finds in a text and what that adds up to. Knows nothing of Django."""

from forum.profanity.config import FilterConfig, Verdict, compiled
from forum.profanity.folding import fold_word
from forum.profanity.matcher import Matcher
from forum.profanity.scoring import explain, score
from forum.profanity.starter import starter
from forum.profanity.types import Match, Matching, Severity, Word

__all__ = [
    "FilterConfig",
    "Match",
    "Matcher",
    "Matching",
    "Severity",
    "Verdict",
    "Word",
    "compiled",
    "explain",
    "fold_word",
    "score",
    "starter",
]
