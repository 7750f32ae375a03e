"""Rows to be created: read from any table, and returned with the fields of their records."""

import pandas as pd
import pytest
from tests.cases import type_name

import inkframe as ink
from inkframe.creating.rows import Row, outcomes, read_rows
from inkframe.frames import Categories, FrameBuilder

FIELDS = ("name", "prompt", "creativity")
REMEDY = "Nothing was sent. Fix or drop these rows."


def check(fields):
    """Return fields, unless the name is 7."""
    if fields.get("name") == 7:
        raise ink.InvalidArgument("name must be a string, got 7.\nPass a text.\nAnd more.")
    return fields


def read(given):
    """Return rows of documents."""
    return read_rows(given, check, FIELDS, ["name", "result"])


def test_rows_of_a_table():
    """A row has its label, the fields that have a value, and the number of its repeat."""
    given = pd.DataFrame(
        {"name": ["a", "b"], "prompt": ["p", None], "repeat": [None, 3], "result": ["r", "s"]}, index=[5, "x"]
    )
    rows, frame = read(given)
    assert frame.equals(given)
    assert rows == [Row(5, {"name": "a", "prompt": "p"}, 1), Row("x", {"name": "b"}, 3)]
    assert read(iter([{"name": "a", 1: "own"}]))[0] == [Row(0, {"name": "a"})]


def test_a_column_that_is_missing_is_named(inkframe_client):
    """Rows without a required column say which one is needed, and which may be meant; an unused one is no matter."""
    frame = pd.DataFrame({"name": ["a"], "resolution": ["256x256"], "prompt": ["A kettle."]})
    with pytest.raises(ink.InvalidArgument) as caught:
        inkframe_client.images.create_many(frame)
    assert str(caught.value) == (
        "The rows must have a column 'description', got name, resolution, prompt.\n"
        "Nothing was sent. Rename one: frame.rename(columns={'prompt': 'description'})."
    )
    with pytest.raises(
        ink.InvalidArgument,
        match="a column 'name' and a column 'description' and a column 'resolution', got style.\nNothing was sent. Add",
    ):
        inkframe_client.images.create_many(pd.DataFrame({"style": ["anime"]}))
    frame["description"] = frame["prompt"]
    made = inkframe_client.images.create_many(frame)
    assert made["status"].tolist() == ["created"]
    assert inkframe_client.images.create_many(made.drop(columns="description"))["status"].tolist() == [
        "existing"
    ]


@pytest.mark.parametrize(("count", "more"), [(1, ""), (2, " (and 1 more)"), (3, " (and 2 more)")])
def test_the_first_invalid_row_and_how_many_more(count, more):
    """The error has the label of the first row, what is wrong with it, and the number of others."""
    rows = [{"name": "a"}, *([{"name": 7}] * count)]
    with pytest.raises(ink.InvalidArgument) as refused:
        read(rows)
    assert str(refused.value) == f"row 1: name must be a string, got 7. Pass a text.{more}\n{REMEDY}"


def test_a_repeat_is_a_number():
    """A repeat that is no number, or none that ends, is an error of its row."""
    for repeat, reason in (("often", "invalid literal"), (float("inf"), "cannot convert float infinity")):
        with pytest.raises(ink.InvalidArgument, match=f"row 0: {reason}"):
            read([{"name": "a", "repeat": repeat}])


@pytest.mark.parametrize(
    ("given", "what"),
    [
        ("name", "str"),
        ({"name": "a"}, "dict"),
        (5, "int"),
        ([1, 2], "a list of other values"),
        (["ab", 2], "a list of other values"),
    ],
)
def test_other_things_than_rows(given, what):
    """A single mapping, a text and a list of values are no rows."""
    with pytest.raises(ink.InvalidArgument) as refused:
        read(given)
    assert str(refused.value) == (
        f"rows must be a DataFrame or a list of mappings, got {what}.\n"
        'Nothing was sent. Pass rows such as [{"name": "…"}], or a plan.'
    )


def test_columns_that_are_misspelled():
    """A column like a missing field is refused, if it has more than three letters; others are carried."""
    with pytest.raises(ink.InvalidArgument) as refused:
        read([{"nume": "a"}])
    assert str(refused.value) == (
        "The column 'nume' looks like the field 'name'.\n"
        "Nothing was sent. Rename it to 'name', or to another name if it is not a field."
    )
    for carried in ("nam", "status", "credits_left", "note"):
        assert read([{carried: "a"}])[0] == [Row(0, {})]
    assert read([{"name": "a", "nume": "b"}])[0] == [Row(0, {"name": "a"})]


class Made:
    """A created record."""

    def __init__(self, id, **shown):
        self.id, self.extra = id, {}
        self.name = self.prompt = self.result = self.template = self.template_id = None
        self.creativity = self.favorite = self.created_at = self.updated_at = None
        self.__dict__.update(shown)


def test_the_outcome_has_the_given_columns_first():
    """The given columns keep their order, fields of the record follow, then costs, id, status and error."""
    given = pd.DataFrame(
        {"note": ["n", "m"], "prompt": ["p", "q"], "name": ["a", "b"], "status": ["old", "old"], "credits": [9, 9]},
        index=[5, 6],
    )  # fmt: skip
    rows = [
        Row(5, {"name": "a", "prompt": "p", "creativity": "0.5"}, status="created", record=Made(7, name="A"),
            seconds=1.5, costs={"credits": 2.0}, edited="name"),
        Row(6, {"name": "b", "prompt": "q"}, error="bad"),
    ]  # fmt: skip
    frame = outcomes(rows, given, FrameBuilder("documents", {"template": Categories()}))
    fields = ["template", "template_id", "creativity", "result", "favorite", "created_at", "updated_at"]
    ending = ["credits", "edited", "id", "status", "error", "seconds"]
    assert list(frame.columns) == ["note", "prompt", "name", *fields, *ending]
    assert frame.index.tolist() == [5, 6]
    known = frame[["note", "prompt", "name", "creativity", *ending]].astype(object)
    assert known.where(known.notna(), None).to_numpy().tolist() == [
        ["n", "p", "A", 0.5, 2.0, "name", 7, "created", None, 1.5],
        ["m", "q", "b", None, None, None, None, None, "bad", None],
    ]
    types = [type_name(frame[name].dtype) for name in ending]
    assert types == ["float64", "str", "Int64", "category", "str", "float64"]
    assert frame["status"].cat.categories.tolist() == [
        "created", "existing", "pending", "failed", "unknown", "skipped"
    ]  # fmt: skip


def test_one_id_that_is_a_text_makes_all_of_them_texts():
    """Rows without a record have no id."""
    rows = [Row(0, {}, record=Made(7)), Row(1, {}, record=Made("x")), Row(2, {})]
    frame = outcomes(
        rows, pd.DataFrame(index=[0, 1, 2]), FrameBuilder("documents", {"template": Categories()})
    )
    assert type_name(frame["id"].dtype) == "str"
    assert frame["id"].fillna("none").tolist() == ["7", "x", "none"]
