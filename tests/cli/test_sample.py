import pytest

import inkframe as ink
from inkframe.cli import main
from inkframe.service import Service


def contents(library):
    """Return all records of a library, and the bytes of its pictures."""
    with ink.connect(library=library) as client:
        images, documents = client.images.all(), client.documents.all()
        return images, documents, [client.images.get(id).picture_bytes for id in images.index]


@pytest.fixture
def fill(tmp_path, capsys):
    """Return a function that fills a library and returns its contents."""

    def make(name, *options):
        library = tmp_path / name
        assert main(["sample", "--library", str(library), *options]) == 0
        assert capsys.readouterr().out.splitlines()[-1] == f"Library: {library}"
        return contents(library)

    return make


def test_the_same_seed_gives_the_same_records(fill):
    """Two libraries filled with the same options are equal in every record and every pixel."""
    options = ("--images", "1", "--documents", "3", "--seed", "7")
    first, second = fill("a.db", *options), fill("b.db", *options)
    assert first[0].equals(second[0])
    assert first[1].equals(second[1])
    assert first[2] == second[2]
    assert (len(first[0]), len(first[1])) == (1, 3)


@pytest.mark.usefixtures("pen")
def test_another_seed_gives_other_records(fill):
    """Another seed gives other examples; the default is 0."""
    few = ("--images", "5", "--documents", "5")
    prompts = [fill(f"{seed}.db", *few, "--seed", str(seed))[1]["prompt"].tolist() for seed in (0, 1)]
    assert prompts[0] != prompts[1]
    assert fill("without.db", *few)[1]["prompt"].tolist() == prompts[0]


@pytest.mark.usefixtures("pen")
def test_numbers_can_be_zero(fill):
    """0 creates no records of a collection."""
    images, documents, _ = fill("few.db", "--images", "0", "--documents", "1")
    assert (len(images), len(documents)) == (0, 1)


@pytest.mark.usefixtures("pen")
def test_the_default_is_the_users_own_library(capsys, home):
    """The default is the library that ``connect`` opens; its records stay."""
    assert main(["sample", "--images", "1", "--documents", "1"]) == 0
    library = home / "library.db"
    assert capsys.readouterr().out == f"Library: {library}\n"
    assert main(["sample", "--images", "1", "--documents", "0", "--seed", "3", "--add"]) == 0
    with Service(library) as service:
        assert not service.is_empty()
    assert [len(part) for part in contents(library)] == [2, 1, 2]


@pytest.mark.usefixtures("pen")
def test_a_library_with_records_is_not_filled_again(capsys, home):
    """Run twice, the command adds nothing, and says how to add examples anyway."""
    command = ["sample", "--images", "1", "--documents", "2"]
    assert main(command) == 0
    before = [len(part) for part in contents(home / "library.db")]
    capsys.readouterr()
    assert main(command) == 0
    printed = capsys.readouterr().out
    assert printed == (
        "Nothing was added: the library has records. To add examples anyway, pass --add.\n"
        f"Library: {home / 'library.db'}\n"
    )
    assert [len(part) for part in contents(home / "library.db")] == before


@pytest.mark.usefixtures("pen")
@pytest.mark.parametrize("setting", ["0", None])
def test_the_progress_bar_can_be_turned_off(tmp_path, capsys, monkeypatch, setting):
    """A bar counts the records, unless ``INKFRAME_PROGRESS`` is 0."""
    monkeypatch.delenv("INKFRAME_PROGRESS")
    if setting:
        monkeypatch.setenv("INKFRAME_PROGRESS", setting)
    main(["sample", "--library", str(tmp_path / "library.db"), "--images", "2", "--documents", "1"])
    assert ("3/3" in capsys.readouterr().err) == (setting is None)
