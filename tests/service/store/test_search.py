"""Search for a literal substring without case, compared with plain Python."""

from __future__ import annotations

import random

import pytest

from inkframe.schema import DOCUMENTS
from inkframe.service.store import Query, RecordTable, Table, open_library
from inkframe.service.store.pool import match_expression

COLUMNS = ("id", *DOCUMENTS.shown)
NAMES = [
    "CAFÉ au lait",
    "café",
    "cafe\u0301 (in two characters)",
    "Straße",
    "STRASSE",
    "日本語のテスト",
    "party 🎉🎊🎉 time",
    "👩‍🚀 in orbit",
    "100% sure_thing",
    "1000 sure things",
    "a_b_c",
    "aXbXc",
    'say "hi" AND (bye) OR *',
    "it's NEAR/2 here",
    "İstanbul",
    "ΣΊΣΥΦΟΣ",
    "Привет МИР",
    "tab\tand\nline",
    "nul\0inside",
    "aaa",
    "",
    "ﬁne ligature",
    "x" * 2000 + "needle" + "y" * 2000,
]


@pytest.fixture(scope="module")
def records():
    pool = open_library(":memory:")
    with pool.writing() as connection:
        connection.executemany(
            "INSERT INTO documents (name, template_id, prompt, creativity, result, favorite, created_at, updated_at)"
            " VALUES (?, 1, '', 0.5, ?, ?, '', '')",
            [(name, name[::-1], number % 2) for number, name in enumerate(NAMES)],
        )
    yield RecordTable(pool, Table("documents", COLUMNS, large=True))
    pool.close()


def found(records, term, **settings):
    rows, total = records.page(Query(filters={"template_id": 1}, search=term, limit=100, **settings))
    assert total == len(rows)
    return [row["name"] for row in rows]


def expected(term, text=lambda name: name):
    return [name for name in reversed(NAMES) if term.casefold() in text(name).casefold()]


@pytest.mark.parametrize(
    "term",
    [
        "café", "CAFÉ", "cafe", "É", "strasse", "STRAßE", "ß", "日本", "日本語", "本語の", "🎉", "🎉🎊", "🎊🎉 t", "👩‍🚀",
        "%", "100%", "0% s", "_", "e_t", "a_b", "_b_", '"hi"', '"', "AND", "OR *", "NEAR", "it's", "i̇stan", "istanbul",
        "σίσυφος", "привет", "\t", "tab\ta", "and\nl", "nul\0i", "\0", "aa", "aaa", "aaaa", "fine", "ﬁne", "needle",
        "x" * 50 + "needle", "x" * 2001, "nothing", " ", "   ", "-", "*", "()", "NOT x", "name:x", "^a",
    ],
)  # fmt: skip
def test_a_term_finds_what_python_finds(records, term):
    """Each term finds exactly the names that contain it, case folded, and is never read as a pattern."""
    assert found(records, term) == expected(term)
    assert found(records, term, search_by="result") == expected(term, lambda name: name[::-1])


@pytest.mark.integration
def test_every_part_of_every_name_finds_it(records):
    """Any substring in any case finds the text that contains it."""
    chance = random.Random(4)
    for name in NAMES:
        for _ in range(6):
            start = chance.randrange(len(name) + 1)
            part = name[start : start + chance.randint(1, 9)]
            for term in {part, part.upper(), part.swapcase()} - {""}:
                assert found(records, term) == expected(term)


def test_search_keeps_filters_order_and_pages(records):
    """A search is filtered, ordered and paged like any list."""
    names = found(records, "a", sort_by="name", descending=False)
    assert names == sorted(
        expected("a"), key=lambda name: "".join(c.lower() if c.isascii() else c for c in name)
    )
    rows, total = records.page(Query(search="caf", filters={"template_id": 1, "favorite": True}))
    assert ([row["name"] for row in rows], total) == (["café"], 1)
    rows, total = records.page(Query(search="caf", limit=1, offset=1, descending=False))
    assert ([row["name"] for row in rows], total) == (["café"], 3)
    assert records.page(Query(search="caf", filters={"template_id": 2})) == ([], 0)


@pytest.mark.parametrize("library", [":memory:", "file"])
def test_a_repeated_search_sees_writes_in_between(tmp_path, library):
    """The ids of a search are reused for its next page, but never after a write by any connection."""
    pool = open_library(library if library == ":memory:" else tmp_path / library)
    records = RecordTable(pool, Table("documents", COLUMNS, large=True))
    values = dict.fromkeys(("prompt", "result", "created_at", "updated_at"), "") | {
        "template_id": 1,
        "creativity": 0.5,
    }
    query = Query(search="kettle")
    for count in range(3):
        assert records.page(query)[1] == records.page(query)[1] == count
        with pool.writing() as connection:
            number = records.insert(connection, {**values, "name": f"Kettle {count}"})["id"]
    if library != ":memory:":
        other = open_library(tmp_path / library)
        assert records.page(query)[1] == 3
        RecordTable(other, Table("documents", COLUMNS)).delete(number)
        other.close()
        assert records.page(query)[1] == 2
    records.update(1, {"name": "Pot"})
    assert "Kettle 0" not in [row["name"] for row in records.page(query)[0]]
    pool.close()


def test_a_long_term_looks_up_a_bounded_number_of_trigrams():
    """The expression for a term of any length is short and includes its first and last trigram."""
    expression = match_expression("".join(chr(0x4E00 + number) for number in range(5000)))
    assert expression is not None
    assert len(expression.split(" ")) == 16
    assert match_expression("ab") is None
    assert match_expression('a"b') == '"a""b"'
