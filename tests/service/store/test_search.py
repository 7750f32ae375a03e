"""Search for a literal substring without case, compared with plain Python."""

import random
import sys

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from inkframe.schema import DOCUMENTS
from inkframe.service.store import Query, RecordTable, Table, open_library
from inkframe.service.store.pool import folded

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
    yield RecordTable(pool, Table("documents", COLUMNS))
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


@pytest.mark.parametrize("sort_by", ["id", "name"])
@pytest.mark.parametrize("descending", [True, False])
@pytest.mark.parametrize("filters", [{}, {"favorite": True}])
def test_every_page_of_a_search_is_a_slice_of_all_matches(records, filters, descending, sort_by):
    """Pages in any order are slices of all matches, each with their number."""
    settings = {"search": "A", "sort_by": sort_by, "descending": descending}
    ids = [row["id"] for row in records.page(Query(filters, **settings, limit=100))[0]]
    assert len(ids) == sum(
        "a" in name.casefold() for name in NAMES[1 if filters else 0 :: 2 if filters else 1]
    )
    for offset in (5, 0, 2, len(ids) - 1, len(ids), len(ids) + 9):
        page, total = records.page(Query(filters, **settings, limit=3, offset=offset))
        assert ([row["id"] for row in page], total) == (ids[offset : offset + 3], len(ids))


def test_a_changed_text_is_found_by_what_it_is_now(records):
    """A text is found after each update, whatever letters it had before, and no text is kept of a deleted record."""
    values = dict.fromkeys(("name", "prompt", "created_at", "updated_at"), "") | {
        "template_id": 2,
        "creativity": 0.5,
    }
    texts = ["plain", "ÉTÉ", "Straße", "été", "PLAIN", "Кит"]
    with records._pool.writing() as connection:
        number = records.insert(connection, {**values, "result": "Été"})["id"]
    for text in texts:
        records.update(number, {"result": text})
        for term in texts:
            query = Query({"template_id": 2}, term, "result")
            assert records.page(query)[1] == (term.casefold() in text.casefold()), (term, text)
    records.update(number, {"favorite": True, "name": "a name"})
    assert records.page(Query({"template_id": 2}, "КИТ", "result"))[1] == 1
    records.delete(number)
    with records._pool.connection() as connection:
        kept = connection.execute("SELECT * FROM documents_folded WHERE record_id = ?", (number,)).fetchall()
    assert kept == []


def test_every_character_is_folded_as_by_python(records):
    """A text that is not stored folded is folded by SQLite to what Python folds it to, whatever characters it has."""
    known = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
    text = "".join(character for character in known if folded(character) is None)
    assert len(text) > 1_100_000
    with records._pool.connection() as connection:
        assert connection.execute("SELECT folded(?1), lower(?1)", (text,)).fetchone() == (
            None,
            text.casefold(),
        )
    assert folded("É") == "é"


#: Letters with a case, those that fold to several or to ASCII, parts of these, and the signs of patterns.
SIGNS = "aAsSkfié%_*[?'\"\\\0\n 日—🎉ςΣÉßẞΩǰKﬁﬆŉ\u0131\u0130\u017f\u02bc\u0307\u030c\u0301\u13a0\uab70"
HOSTILE = st.text(st.sampled_from(SIGNS), max_size=8)


@given(
    texts=st.lists(st.tuples(HOSTILE, HOSTILE), min_size=1, max_size=8), term=HOSTILE, cut=st.integers(0, 7)
)
@example(texts=[("STRASSE", "Straße")], term="\u017fS", cut=0)
@example(texts=[("a\0K", "ﬁ")], term="k", cut=0)
@settings(max_examples=300, deadline=None)
def test_any_text_is_found_as_by_python(records, texts, term, cut):
    """Hostile texts are found by hostile terms, and by parts of themselves in any case, exactly as Python finds them."""
    rows = [(name, result, number) for number, (name, result) in enumerate(texts)]
    name, result = texts[0]
    terms = {term, name[cut:], result[:cut].swapcase(), result.casefold()[cut:]} - {""}
    with records._pool.writing() as connection:
        connection.execute("DELETE FROM documents WHERE template_id = 3")
        connection.executemany(
            "INSERT INTO documents (name, template_id, prompt, creativity, result, created_at, updated_at)"
            " VALUES (?, 3, '', 0.5, ?, ?, '')",
            rows,
        )
    for wanted in terms:
        for at, search_by in enumerate(("name", "result")):
            query = Query({"template_id": 3}, wanted, search_by, descending=False)
            shown = [row["created_at"] for row in records.page(query)[0]]
            assert shown == [str(row[2]) for row in rows if wanted.casefold() in row[at].casefold()]
