"""Search for a literal substring in any script, ignoring case.

Each searched column has an FTS5 table of its trigrams. The candidates for a term are the records with all of
its trigrams; each candidate is then checked exactly. ``LIKE`` on such an index would miss CJK and emoji, fold
only ASCII, and treat ``%`` and ``_`` as wildcards.
"""

from __future__ import annotations

__all__ = ["contains", "fold", "match_expression"]

#: The shortest term that a trigram table can look up.
TRIGRAM = 3
#: The most trigrams of a term that are looked up; the exact check does the rest.
LOOKED_UP = 16


def fold(text: str) -> str:
    """Return a text as indexed: case folded by Unicode, without NUL, which would end an index entry."""
    return text.casefold().replace("\0", "\ufffd")


def contains(text: str, folded: str) -> bool:
    """Return whether a text contains a case-folded term."""
    return folded in text.casefold()


def match_expression(term: str) -> str | None:
    """Return the FTS5 expression for the candidates of a term, or None for a term too short for the index."""
    folded = fold(term)
    count = len(folded) - TRIGRAM + 1
    if count < 1:
        return None
    # Evenly spread over a long term, including its first and last trigram.
    wanted = min(count, LOOKED_UP)
    starts = {round(step * (count - 1) / max(wanted - 1, 1)) for step in range(wanted)}
    trigrams = dict.fromkeys(folded[start : start + TRIGRAM] for start in sorted(starts))
    return " ".join('"{}"'.format(trigram.replace('"', '""')) for trigram in trigrams)
