"""Search: a literal substring, whatever its case, in any script.

Each searched column has an FTS5 table of its trigrams. A term's candidates are the records that have all its
trigrams; each candidate is then checked exactly. ``LIKE`` on such an index would lose CJK and emoji, fold
ASCII only, and treat ``%`` and ``_`` as wildcards.
"""

from __future__ import annotations

__all__ = ["contains", "fold", "match_expression"]

#: What a trigram table can look up.
TRIGRAM = 3
#: Trigrams of a long term that are looked up; the exact check sees to the rest.
LOOKED_UP = 16


def fold(text: str) -> str:
    """Give the form in which texts are indexed: case folded by Unicode, without the NUL that ends an index entry."""
    return text.casefold().replace("\0", "\ufffd")


def contains(text: str, folded: str) -> bool:
    """Say whether a text has a case-folded term in it."""
    return folded in text.casefold()


def match_expression(term: str) -> str | None:
    """Give the FTS5 expression for the candidates of a term, or None for a term too short to be indexed."""
    folded = fold(term)
    count = len(folded) - TRIGRAM + 1
    if count < 1:
        return None
    # Evenly spread over a long term, always with its first and last trigram.
    wanted = min(count, LOOKED_UP)
    starts = {round(step * (count - 1) / max(wanted - 1, 1)) for step in range(wanted)}
    trigrams = dict.fromkeys(folded[start : start + TRIGRAM] for start in sorted(starts))
    return " ".join('"{}"'.format(trigram.replace('"', '""')) for trigram in trigrams)
