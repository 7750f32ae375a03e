"""Plans and columns from a table: its rows are the cases, and texts call its columns."""

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import inkframe as ink

PRODUCTS = pd.DataFrame(
    {
        "product": ["a kettle", "a lamp", "a rug"],
        "price": [12.0, 7.5, 100.0],
        "in stock": [True, False, True],
        "since": pd.to_datetime(["2026-01-01", "2026-02-03", "2026-02-03"]),
        "style": pd.Categorical(["anime", "retro", "anime"]),
        "name": ["K", "L", "R"],
        "level": [0, 0.5, 1],
    },
    index=pd.Index(["x", "y", "y"], name="sku"),
)
UNUSED = {"price": "price", "style": "given.style", "name": "given.name", "level": "level"}


def test_each_row_of_a_table_is_a_case():
    """Index, columns and types are kept beside the fields; columns that plans have, too, get a prefix."""
    before = PRODUCTS.copy()
    plan = ink.plan_documents(
        "About {product}", name="{name}", creativity=0.5, variables=PRODUCTS, quiet=True
    )
    assert plan.columns.tolist() == [
        "name", "prompt", "creativity", "prompt_template", "product", "price", "in stock", "since", "given.style",
        "given.name", "level", "case", "repeat",
    ]  # fmt: skip
    assert plan["prompt"].tolist() == ["About a kettle", "About a lamp", "About a rug"]
    assert plan["name"].tolist() == ["K", "L", "R"]
    assert plan["case"].tolist() == ["a kettle · K", "a lamp · L", "a rug · R"]
    for name in PRODUCTS:
        pd.testing.assert_series_equal(plan[UNUSED.get(name, name)], PRODUCTS[name], check_names=False)
    pd.testing.assert_frame_equal(PRODUCTS, before)


def test_values_are_filled_in_as_a_person_writes_them():
    """Whole numbers have no point and days no hours; the index counts as a column, and doubled braces are braces."""
    plan = ink.plan_documents(
        "{{{sku}}} {product}: {price}, {in stock}, {since}", name="{product}", variables=PRODUCTS, creativity=0, quiet=True
    )  # fmt: skip
    assert plan["prompt"].tolist() == [
        "{x} a kettle: 12, True, 2026-01-01", "{y} a lamp: 7.5, False, 2026-02-03", "{y} a rug: 100, True, 2026-02-03",
    ]  # fmt: skip


def test_columns_as_settings():
    """A setting is taken from a column in each row, as it is or within a text, and combined with all others."""
    plan = ink.plan_images(
        "{product}", name="{product} {medium}", resolution="{size}x{size}", style="{style}", medium=["ink", None],
        variables=PRODUCTS.assign(size=[256, 512, 512]), quiet=True,
    )  # fmt: skip
    assert plan["style"].tolist() == ["anime", "anime", "retro", "retro", "anime", "anime"]
    assert plan["resolution"].tolist() == ["256x256"] * 2 + ["512x512"] * 4
    assert plan.index.tolist() == ["x", "x", "y", "y", "y", "y"]
    assert plan["name"].tolist() == ["a kettle ink", "a kettle", "a lamp ink", "a lamp", "a rug ink", "a rug"]
    documents = ink.plan_documents(
        "{product}", name="{product}", creativity="{level}", template="{form}",
        variables=PRODUCTS.assign(form=["FAQ", 3, "FAQ"]), quiet=True,
    )  # fmt: skip
    assert documents["creativity"].tolist() == [0, 0.5, 1]
    assert documents["prompt_template"].tolist() == ["FAQ", "Advertisement", "FAQ"]


def test_cases_of_a_table(capsys):
    """A case is what the texts call, else the label of the row; the size of the plan names rows."""
    plan = ink.plan_documents("x", name="{number}", creativity="{level}", variables=PRODUCTS)
    assert plan["case"].tolist() == ["x", "y", "y"]
    assert plan["name"].tolist() == ["1", "2", "3"]
    assert capsys.readouterr().out == "3 rows (row 3); create_many would create 3 documents.\n"
    plan = ink.plan_documents(
        ["a {product}", "b {variant}"], name="n", creativity=[0, 1], variables=PRODUCTS, repeats=2
    )
    assert plan["case"].tolist() == ["a kettle"] * 8 + ["a lamp"] * 8 + ["a rug"] * 8
    assert capsys.readouterr().out.startswith("24 rows (row 3 × variant 2 × creativity 2 × repeat 2);")


class Polars:
    """A frame of another library."""

    def to_pandas(self):
        """Return it as one of pandas."""
        return pd.DataFrame({"a b": [1, 2]})


@pytest.mark.parametrize("table", [[{"a b": 1}, {"a b": 2}], Polars()])
def test_other_tables(table):
    """A list of mappings is a table, too, and a frame of another library that pandas can take over."""
    plan = ink.plan_documents("About {a b}", name="{a b}", creativity=0, variables=table, quiet=True)
    assert plan["prompt"].tolist() == ["About 1", "About 2"]
    assert plan["a b"].tolist() == [1, 2]


def test_a_table_without_rows():
    """It is a plan without rows."""
    plan = ink.plan_documents("{x}", name="{x}", variables=pd.DataFrame({"x": []}), creativity=0)
    assert plan.columns.tolist() == ["name", "prompt", "creativity", "prompt_template", "x", "case", "repeat"]
    assert len(plan) == 0


def test_columns_with_any_names():
    """Names that are no text, levels and names that appear twice are kept, and those of one column can be called."""
    table = pd.DataFrame([[1, 2, 3, 4], [5, 6, 7, 8]], columns=pd.Index([("a", "x"), 5, "b", "b"], dtype=object, tupleize_cols=False))  # fmt: skip
    plan = ink.plan_documents("{a x} {5}", name="{number}", variables=table, creativity=0, quiet=True)
    assert plan["prompt"].tolist() == ["1 2", "5 6"]
    assert plan.columns.tolist()[4:8] == [("a", "x"), 5, "b", "b"]
    with pytest.raises(
        ink.InvalidArgument, match=r"The frame has 2 columns 'b'\.\nRename or drop all but one\."
    ):
        ink.plan_documents("{b}", name="{number}", variables=table)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"prompt": "About {prodct}"}, "prompt has the unknown placeholder {prodct}.\nDid you mean {product}? In texts for a table, a brace is doubled: {{."),
        ({"prompt": "{repeat}"}, "prompt has the unknown placeholder {repeat}."),
        ({"prompt": "{}"}, "prompt has the unknown placeholder {}."),
        ({"name": "{variant}"}, "name has the unknown placeholder {variant}."),
        ({"creativity": "{levl}"}, "creativity has the unknown placeholder {levl}.\nDid you mean {level}?"),
        ({"creativity": "{price}"}, "row 'x': creativity="),
        ({"prompt": "{blank}"}, "'blank' is missing in 3 rows: 'x', 'y', 'y'.\nFill it in, or drop these rows."),
        ({"name": "{rare}"}, "'rare' is missing in 2 rows: 'x', 'y'.\nFill it in, or drop these rows."),
        ({"variables": 5}, "variables must be a mapping from names to values, a DataFrame or a list of mappings, got int."),
        ({"variables": [{"product": 1}, 5]}, "variables must be a mapping from names to values, a DataFrame or a list"),
    ],
)  # fmt: skip
def test_what_a_table_lacks_is_refused(changed, message):
    """A misspelled column, a missing value and another kind of frame are refused before anything is planned."""
    table = PRODUCTS.assign(blank=["", " ", None], rare=[None, pd.NA, "z"])
    with pytest.raises(ink.InvalidArgument) as caught:
        ink.plan_documents(**{"prompt": "{product}", "name": "{product}", "variables": table} | changed)
    assert str(caught.value).startswith(message)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1), min_size=1, max_size=5))
def test_a_value_is_filled_in_once_and_unchanged(values):
    """Braces within a value are text, and nothing in a value is filled in again."""
    plan = ink.plan_documents(
        "<{v}>", name="n", variables=pd.DataFrame({"v": values}), creativity=0, quiet=True
    )
    assert plan["prompt"].tolist() == [f"<{value}>" for value in values]
