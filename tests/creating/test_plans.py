"""Plans: every combination as rows, with nothing sent."""

import pandas as pd
import pytest
from tests.cases import type_name

import inkframe
from inkframe.creating.plans import ALL, plan_documents, plan_images


def test_documents_over_templates():
    """Each template builds the prompt, with its variables filled in; one prompt is its own case, without the template."""
    plan = plan_documents("kettles", name="{template}", creativity="Original", template=["FAQ", 3])
    assert plan["prompt_template"].tolist() == plan["name"].tolist() == ["FAQ", "Advertisement"]
    assert plan["case"].tolist() == ["kettles"] * 2
    assert "variant" not in plan
    for variables, prompt in (({}, "{x}"), ({"x": ["tea"]}, "tea")):
        plan = plan_documents("{x}", name="n", creativity=0, template="FAQ", variables=variables)
        assert plan["prompt"].tolist() == [inkframe.compose_prompt("FAQ", prompt)]
    assert len(plan_documents("kettles", name="{template}", creativity=0, template=ALL)) == 52


PROMPTS = {"plain": "Write about {product}.", "warm": "Write warmly about {product}."}
PRODUCTS = {"product": ["the Quiet Kettle", "the Desk Lamp"]}


def test_several_variables():
    """Every combination of values is a case, and numbers stay numbers."""
    plan = plan_documents(
        "{count} lines on {topic}", variables={"count": [2, 3.5], "topic": "tea"}, name="{case}", creativity=0
    )
    assert plan["count"].tolist() == [2, 3.5]
    assert plan["name"].tolist() == plan["case"].tolist() == ["2 · tea", "3.5 · tea"]


def test_variables_with_any_names():
    """Those whose names plans have, too, are kept with a prefix; in the texts, theirs are meant."""
    plan = plan_documents(
        "{a b} {case} {variant}",
        variables={"a b": 1, "case": "x", "variant": 2, "style": "s"},
        name="{style} n",
        creativity=0,
    )
    assert plan.iloc[0, :2].tolist() == ["s n", "1 x 2"]
    assert plan.columns.tolist()[4:] == [
        "a b",
        "given.case",
        "given.variant",
        "given.style",
        "case",
        "repeat",
    ]
    assert plan.loc[0, ["a b", "given.case", "case"]].tolist() == [1, "x", "1 · x · 2 · s"]


def test_other_braces_stay():
    """Braces that are no variable stay, and the value of a variable is not filled in again."""
    plan = plan_documents('{"a": {x}, {b}, {}, {{x}}}', variables={"x": "{y}"}, name="n", creativity=0)
    assert plan["prompt"].tolist() == ['{"a": {y}, {b}, {}, {{y}}}']


def test_a_plan_says_its_size(capsys):
    """The number of rows, what a batch would create and what they can decide are printed, unless quiet."""
    plan_documents(PROMPTS, variables=PRODUCTS, name="{product} {variant} {creativity} {repeat}", repeats=5)
    assert capsys.readouterr().out == (
        "100 rows (product 2 × variant 2 × creativity 5 × repeat 5); create_many would create 100 documents.\n"
        "variant: 50 texts a level: verdicts at 10, 20, 30 and 50.\n"
        "creativity: 20 texts a level: verdicts at 10 and 20.\n"
    )
    plan_images("a pier", name="Pier", resolution="256x256", style=["anime", "retro"], quiet=True)
    assert capsys.readouterr().out == ""


def test_equal_rows_are_counted_once(capsys):
    """Rows with the same name, settings and repeat are created once, which the size says."""
    plan_documents({"a": "x", "b": "x"}, name="n", creativity=0)
    assert (
        capsys.readouterr().out
        == "2 rows (variant 2); create_many would create 1 document (1 equal to earlier rows).\n"
        "variant: 1 text a level: a verdict needs 10.\n"
    )


@pytest.mark.integration
def test_a_batch_carries_the_columns(inkframe_client):
    """The result of a batch has variant, case and the variables of its plan."""
    plan = plan_documents(PROMPTS, variables=PRODUCTS, name="{product} {variant}", creativity=0)
    runs = inkframe_client.documents.create_many(plan)
    assert runs["status"].tolist() == ["created"] * 4
    columns = ["product", "variant", "case", "prompt"]
    assert runs[columns].equals(plan[columns])


def rows_of(plan):
    return [plan.columns.tolist(), *plan.astype(object).where(plan.notna(), None).to_numpy().tolist()]


def test_a_whole_plan_of_documents(capsys):
    """Prompts vary fastest within variables, then templates, levels and repeats; every column has its type."""
    plan = plan_documents(
        {"plain": "About {product} in {city}. {other} {variant}", "warm": "Warmly about {product}, {case}."},
        name="{number}: {product} {city} {variant} {case} {creativity} {repeat} {template}",
        creativity=["Original", 0.5, 0.25],
        variables={"product": ["a kettle", "a lamp", "a lamp"], "city": "Rome"},
        repeats=2,
    )
    assert rows_of(plan)[:5] == [
        ["name", "prompt", "creativity", "prompt_template", "product", "city", "variant", "case", "repeat"],
        ["1: a kettle Rome plain a kettle · Rome 0.5 1", "About a kettle in Rome. {other} plain", 0.5, None,
         "a kettle", "Rome", "plain", "a kettle · Rome", 1],
        ["2: a kettle Rome plain a kettle · Rome 0.5 2", "About a kettle in Rome. {other} plain", 0.5, None,
         "a kettle", "Rome", "plain", "a kettle · Rome", 2],
        ["3: a kettle Rome plain a kettle · Rome 0.25 1", "About a kettle in Rome. {other} plain", 0.25, None,
         "a kettle", "Rome", "plain", "a kettle · Rome", 1],
        ["4: a kettle Rome plain a kettle · Rome 0.25 2", "About a kettle in Rome. {other} plain", 0.25, None,
         "a kettle", "Rome", "plain", "a kettle · Rome", 2],
    ]  # fmt: skip
    assert rows_of(plan)[16][0] == "16: a lamp Rome warm a lamp · Rome 0.25 2"
    assert plan["prompt"].unique().tolist() == [
        "About a kettle in Rome. {other} plain", "Warmly about a kettle, a kettle · Rome.",
        "About a lamp in Rome. {other} plain", "Warmly about a lamp, a lamp · Rome.",
    ]  # fmt: skip
    assert plan.dtypes.map(type_name).to_dict() == {
        "name": "str", "prompt": "str", "creativity": "float64", "prompt_template": "str", "product": "str", "city": "str",
        "variant": "str", "case": "str", "repeat": "int64",
    }  # fmt: skip
    assert capsys.readouterr().out == (
        "16 rows (product 2 × variant 2 × creativity 2 × repeat 2); create_many would create 16 documents.\n"
        "variant: 8 texts a level: a verdict needs 10.\n"
        "creativity: 8 texts a level: a verdict needs 10.\n"
    )


def test_a_whole_plan_of_images(capsys):
    """Looks vary in the order of the columns, the last one fastest."""
    plan = plan_images(
        ["a pier", "a dune"], name="{variant} {style} {medium} {filter} {resolution} {number}", resolution="256x256",
        style=["Pop art", None], medium="ink", filter=[None, "sepia", "sepia"],
    )  # fmt: skip
    assert rows_of(plan) == [
        ["name", "description", "resolution", "style", "medium", "filter", "variant", "case", "repeat"],
        ["1 pop_art ink 256x256 1", "a pier", "256x256", "pop_art", "ink", None, "1", "", 1],
        ["1 pop_art ink sepia 256x256 2", "a pier", "256x256", "pop_art", "ink", "sepia", "1", "", 1],
        ["1 ink 256x256 3", "a pier", "256x256", None, "ink", None, "1", "", 1],
        ["1 ink sepia 256x256 4", "a pier", "256x256", None, "ink", "sepia", "1", "", 1],
        ["2 pop_art ink 256x256 5", "a dune", "256x256", "pop_art", "ink", None, "2", "", 1],
        ["2 pop_art ink sepia 256x256 6", "a dune", "256x256", "pop_art", "ink", "sepia", "2", "", 1],
        ["2 ink 256x256 7", "a dune", "256x256", None, "ink", None, "2", "", 1],
        ["2 ink sepia 256x256 8", "a dune", "256x256", None, "ink", "sepia", "2", "", 1],
    ]
    assert [
        type_name(plan[name].dtype) for name in ("style", "medium", "filter", "resolution", "description")
    ] == ["str"] * 5
    assert capsys.readouterr().out == (
        "8 rows (variant 2 × style 2 × filter 2); create_many would create 8 images.\n"
        "variant: 4 pictures a level: a verdict needs 10.\n"
        "style: 4 pictures a level: a verdict needs 10.\n"
        "filter: 4 pictures a level: a verdict needs 10.\n"
    )
    plan_images("x", name="x", resolution="256x256", quiet=True)
    plan_documents("x", name="x", quiet=True)
    assert capsys.readouterr().out == ""
    plan_images("x", name="x", resolution="256x256")
    assert capsys.readouterr().out == "1 row; create_many would create 1 image.\n"
    plan_images("x", name="x", resolution="256x256", repeats=3)
    assert capsys.readouterr().out == "3 rows (repeat 3); create_many would create 3 images.\n"


PIECES = "Pass such as variables={'product': ['a kettle', 'a lamp']}."
DOUBLED = "In texts for a table, a brace is doubled: {{."


@pytest.mark.parametrize(
    ("given", "message"),
    [
        *(
            ({"prompt": each}, f"prompt must be a text, a list or a mapping of texts, got {each!r}.")
            for each in ([], {})
        ),
        ({"prompt": 5}, 'prompt must be a string, got 5.\nPass a text: prompt="…".'),
        ({"prompt": ["x", ""]}, 'prompt is empty.\nPass a text: prompt="…".'),
        ({"creativity": 0.3}, ("creativity=0.3 is invalid.\nThe nearest step is 0.25 (Deterministic).\n"
         "Allowed: 0 (Repetitive), 0.25 (Deterministic), 0.5 (Original), 0.75 (Creative), 1 (Imaginative).")),
        ({"variables": ["product"]}, f"variables must be a mapping from names to values, a DataFrame or a list of mappings, got a list of other values.\n{PIECES}"),
        ({"variables": {"product": "x"}}, "variables has 'product', but prompt has no {product}.\nDid you mean {produkt}?"),
        ({"variables": {"zone": "x"}}, "variables has 'zone', but prompt has no {zone}.\nWrite {zone} where it goes, or leave it out."),
        *(
            ({"variables": {"produkt": value}}, f"variables['produkt'] must be a value or a list of values, got {value!r}.")
            for value in ([], " ", ["a", ""], [None], None, float("nan"))
        ),
        ({"name": "{creativty}"}, f"name has the unknown placeholder {{creativty}}.\nDid you mean {{creativity}}? {DOUBLED}"),
        ({"name": "{}"}, f"name has the unknown placeholder {{}}.\nAllowed: {{template}}, {{creativity}}, {{case}}, {{repeat}}, {{number}}. {DOUBLED}"),
        ({"name": "{style}", "variables": {"produkt": "x"}}, f"name has the unknown placeholder {{style}}.\nAllowed: {{produkt}}, {{template}}, {{creativity}}, {{case}}, {{repeat}}, {{number}}. {DOUBLED}"),
        ({"creativity": "{index}"}, f"creativity has the unknown placeholder {{index}}.\nAllowed: none. {DOUBLED}"),
        ({"name": " "}, 'name is empty.\nPass a text: name="…".'),
        ({"repeats": 0}, ("repeats must be 1 or greater, got 0.\n"
         "Replace repeats=0 with an integer of 1 or greater.")),
        ({"creativity": []}, "creativity is an empty list.\nPass a value, or ink.ALL for every value."),
        ({"template": []}, "template is an empty list.\nPass a value, or ink.ALL for every value."),
    ],
)  # fmt: skip
def test_errors_of_plans_in_full(given, message):
    """Each error says what is wrong and what to pass instead."""
    with pytest.raises(inkframe.InvalidArgument) as caught:
        plan_documents(**{"prompt": "About {produkt}", "name": "x"} | given)
    assert str(caught.value) == message


def test_a_variable_in_a_name_or_a_setting_is_used():
    """A variable counts as used in the pattern of names and as the value of a setting, too."""
    plan = plan_documents(
        "x", name="{product} {level}", variables={"product": ["a", "b"], "level": 0.25}, creativity="{level}"
    )
    assert plan[["name", "creativity", "case"]].to_numpy().tolist() == [
        ["a 0.25", 0.25, "a · 0.25"],
        ["b 0.25", 0.25, "b · 0.25"],
    ]


def test_a_plan_of_a_table_needs_no_name():
    """Its names are of the first column of texts, else of the index, with what varies; other plans require one."""
    shop = pd.DataFrame({"price": [40, 25], "product": ["kettle", "lamp"]})
    plan = plan_documents("About {product}", variables=shop, creativity=0.5, quiet=True)
    assert plan["name"].tolist() == ["kettle", "lamp"]
    several = plan_documents(
        {"a": "Write {price}", "b": "Tell {price}"},
        variables=shop.head(1),
        creativity=[0, 1],
        repeats=2,
        quiet=True,
    )
    assert several["name"].tolist()[:3] == ["kettle a 0 1", "kettle a 0 2", "kettle a 1 1"]
    assert several["name"].is_unique
    numbers = plan_images("{price} lamps", variables=shop[["price"]], resolution="256x256", quiet=True)
    assert numbers["name"].tolist() == ["0", "1"]
    for variables in (None, {"product": ["kettle"]}):
        with pytest.raises(TypeError, match="A plan requires 'name', unless variables is a table"):
            plan_documents("About {product}", variables=variables)


def test_the_vocabulary_of_a_plan():
    """A plan may use another vocabulary, whose codes come in its order."""
    own = inkframe.Vocabulary(styles={"b": "Bold", "a": "Airy"}, creativities={"2": "Wild", "1": "Calm"})
    plan = plan_images("x", name="{style}", resolution="256x256", style=ALL, vocabulary=own, quiet=True)
    assert plan["name"].tolist() == ["b", "a"]
    with pytest.raises(inkframe.InvalidArgument, match="style='anime' is invalid"):
        plan_images("x", name="{style}", resolution="256x256", style="anime", vocabulary=own)
    plan = plan_documents("x", name="{creativity}", vocabulary=own, quiet=True)
    assert plan["creativity"].tolist() == [2.0, 1.0]
    assert repr(ALL) == "ink.ALL"
