"""Plans: every combination as rows, with nothing sent."""

from __future__ import annotations

import pytest

import inkframe
from inkframe.workflows.plans import ALL, plan_documents, plan_images


def test_documents_over_every_creativity():
    """The plan has five levels times the repeats, with names from the pattern."""
    plan = plan_documents("Product text for a kettle", name="Kettle {creativity} {repeat}", repeats=3)
    assert len(plan) == 15
    assert list(plan.columns) == ["name", "prompt", "creativity", "prompt_template", "repeat"]
    assert plan.loc[0, "name"] == "Kettle 0 1"
    assert plan["creativity"].unique().tolist() == [0, 0.25, 0.5, 0.75, 1]


def test_documents_over_templates():
    """Each template builds the prompt, and its label is a column."""
    plan = plan_documents("kettles", name="{template}", creativity="Original", template=["FAQ", 3])
    assert plan["prompt_template"].tolist() == ["FAQ", "Advertisement"]
    assert plan.loc[0, "prompt"] == inkframe.compose_prompt("FAQ", "kettles")
    assert len(plan_documents("kettles", name="{template}", creativity=0, template=ALL)) == 52


def test_images_over_looks():
    """The plan has every style times the given mediums, including None."""
    plan = plan_images(
        "a pier", name="Pier {style} {medium}", resolution="256x256", style=ALL, medium=["ink", None]
    )
    assert len(plan) == 28
    assert plan["medium"].isna().sum() == 14
    assert plan.loc[1, "name"] == "Pier 3d_render"


@pytest.mark.parametrize("name", ["Kettle {creativty}", "{}", "{style}"])
def test_a_misspelled_placeholder_is_refused(name):
    """A pattern with an unknown placeholder is refused with the allowed ones."""
    with pytest.raises(inkframe.InvalidArgument, match=r"\{creativity\}"):
        plan_documents("x", name=name)


def test_values_are_checked():
    """Values outside the vocabulary are refused."""
    with pytest.raises(inkframe.InvalidArgument, match="anime"):
        plan_images("x", name="x", resolution="256x256", style="animee")
    with pytest.raises(inkframe.InvalidArgument, match="repeats"):
        plan_documents("x", name="x", repeats=0)


def test_duplicate_values_are_merged():
    """A step and its label are the same value, without duplicate rows."""
    plan = inkframe.plan_documents("x", name="K {creativity}", creativity=["Imaginative", 1, 0.5])
    assert plan["creativity"].tolist() == [1.0, 0.5]


def test_an_empty_list_is_refused():
    """A plan without rows is refused."""
    with pytest.raises(inkframe.InvalidArgument, match="style is an empty list"):
        inkframe.plan_images("x", name="K", resolution="512x512", style=[])
