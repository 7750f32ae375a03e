import pytest

import inkframe as ink
from inkframe import Studio


@pytest.fixture
def form(library):
    """Return the rating tab of a studio over a dozen images and three documents."""
    return Studio(library).show("Rate")


def test_documents_are_rated_by_creativity(form):
    """The first choice rates all documents, compared by creativity."""
    panel = form.submit().result(30)
    assert len(panel.session.left) == 3
    assert panel.by == ["creativity"]
    assert (form.panel, form._place.children) == (panel, (panel,))
    panel.rate(4)
    assert form.frame["rating"].notna().sum() == 1


def test_images_are_rated_by_a_look(form):
    """Images offer their own settings; what is rated can be narrowed by name."""
    form.fields["records"].value = "images"
    assert form.fields["by"].value == "style"
    form.fields["by"].value = "medium"
    form.fields["search"].value = "Image 1"
    form.fields["question"].value = "Does it fit?"
    panel = form.submit().result(30)
    assert len(panel.session.left) == 4
    assert panel.stage.question == "Does it fit?"
    assert isinstance(panel.item, bytes)


def test_nothing_to_rate_is_said(form):
    """A search without results, and an empty question, are shown as what is wrong."""
    form.fields["search"].value = "nothing of this name"
    with pytest.raises(ink.InvalidArgument):
        form.submit().result(30)
    assert "nothing to rate" in form.status.alert
    form.fields["question"].value = " "
    with pytest.raises(ink.InvalidArgument):
        form.submit().result(30)
    assert "question" in form.status.alert


@pytest.mark.parametrize("records", ["documents", "images"])
def test_the_code_does_the_same(form, library, records):
    """Running the code makes a panel that rates the same records."""
    form.fields["records"].value = records
    form.fields["mode"].value = "scale"
    made = form.submit().result(30)
    space = {"client": library}
    exec(form.code, space)  # noqa: S102  # running the code is what is tested
    again = space["panel"]
    keys = [{item.key for item in panel.session.sample.items} for panel in (made, again)]
    assert keys[0] == keys[1]
    assert again.session.mode == "scale"


def test_the_code_of_each_choice(form):
    """What is offered to compare by, and the code, after each choice; what is usual is left out of it."""
    code = "import inkframe as ink\n\n{0} = client.{0}.all({1})\npanel = ink.RatingPanel(frame={0}{2})\npanel".format
    found = [(form.fields["by"].control.options, form.code)]
    for name, value in (
        ("question", "Why?"), ("mode", "pairs"), ("search", " Image 1 "), ("records", "images"),
        ("by", "filter"), ("records", "documents"), ("by", None), ("question", "How good is it?"),
    ):  # fmt: skip
        form.fields[name].value = value
        found.append((form.fields["by"].control.options, form.code))
    texts = (("Creativity", "creativity"), ("Template", "template"), ("Nothing", ""))
    looks = (
        ("Resolution", "resolution"),
        ("Style", "style"),
        ("Medium", "medium"),
        ("Filter", "filter"),
        ("Nothing", ""),
    )
    details, search = "details=True", 'search="Image 1"'
    pairs = ', by="{}", mode="pairs", question="Why?"'.format
    assert found == [
        (texts, code("documents", details, ', by="creativity"')),
        (texts, code("documents", details, ', by="creativity", question="Why?"')),
        (texts, code("documents", details, pairs("creativity"))),
        (texts, code("documents", f"{search}, {details}", pairs("creativity"))),
        (looks, code("images", search, pairs("style"))),
        (looks, code("images", search, pairs("filter"))),
        (texts, code("documents", f"{search}, {details}", pairs("creativity"))),
        (texts, code("documents", f"{search}, {details}", ', mode="pairs", question="Why?"')),
        (texts, code("documents", f"{search}, {details}", ', mode="pairs"')),
    ]


def test_nothing_to_compare_by_is_a_choice(form):
    """Without groups all records are rated, and pairs can be of any two."""
    form.fields["by"].value = None
    form.fields["mode"].value = "pairs"
    panel = form.submit().result(30)
    assert panel.by == []
    assert len(panel.item) == 2
    assert 'mode="pairs"' in form.code
    assert "by=" not in form.code
