import pytest

from inkframe.cli import doctor as notebooks
from inkframe.cli.doctor import is_shipped, notebooks_folder, working_folder
from inkframe.errors import ConfigurationError


def test_in_a_clone_the_notebooks_are_copied_too(project, tmp_path, monkeypatch):
    """Running them changes no tracked file."""
    monkeypatch.chdir(tmp_path)
    assert notebooks_folder() == project / "notebooks"
    folder = working_folder()
    assert folder == tmp_path / "inkframe-notebooks"
    assert is_shipped(folder / "01_tour.ipynb")


def test_an_installed_package_copies_its_notebooks(installed):
    """The notebooks of an installed package are copied to the current folder."""
    folder = working_folder()
    assert folder == installed / "inkframe-notebooks"
    assert sorted(path.name for path in folder.glob("*.ipynb")) == ["01_tour.ipynb", "02_more.ipynb"]
    assert (folder / "01_tour.ipynb").read_bytes() == (notebooks_folder() / "01_tour.ipynb").read_bytes()


def test_changed_notebooks_are_not_overwritten(installed):
    """An existing notebook is not overwritten, and a missing one is copied again."""
    own = installed / "inkframe-notebooks" / "01_tour.ipynb"
    working_folder()
    own.write_text("mine", encoding="utf-8")
    (own.parent / "notes.txt").write_text("also mine", encoding="utf-8")
    (own.parent / "02_more.ipynb").unlink()
    working_folder()
    assert own.read_text(encoding="utf-8") == "mine"
    assert (own.parent / "notes.txt").exists()
    assert (own.parent / "02_more.ipynb").exists()


def test_a_newer_version_replaces_only_copies_that_were_not_changed(installed):
    """A copy that the user edited, or ran and saved, stays as it is."""
    folder, shipped = working_folder(), notebooks_folder()
    (folder / "01_tour.ipynb").write_text("mine", encoding="utf-8")
    for name in ("01_tour.ipynb", "02_more.ipynb"):
        (shipped / name).write_text("newer", encoding="utf-8")
    for _ in range(2):
        working_folder()
        assert (folder / "01_tour.ipynb").read_text(encoding="utf-8") == "mine"
        assert (folder / "02_more.ipynb").read_text(encoding="utf-8") == "newer"


@pytest.mark.parametrize("fate", ["kept", "edited", "deleted"])
def test_copies_of_notebooks_that_are_no_more_go(installed, fate):
    """Where a version names its notebooks anew, an unchanged copy of the old name goes; one that was edited stays."""
    folder, shipped = working_folder(), notebooks_folder()
    own = folder / "02_more.ipynb"
    own.unlink() if fate == "deleted" else own.write_text("mine") if fate == "edited" else None
    (shipped / "02_more.ipynb").rename(shipped / "03_more.ipynb")
    for _ in range(2):
        working_folder()
        there = ["01_tour.ipynb", *["02_more.ipynb"] * (fate == "edited"), "03_more.ipynb"]
        assert sorted(path.name for path in folder.glob("*.ipynb")) == there


def test_an_installation_without_notebooks_says_so(monkeypatch, tmp_path):
    """The error has the command that reinstalls them."""
    monkeypatch.setattr(notebooks, "PACKAGE", tmp_path / "a" / "b")
    with pytest.raises(ConfigurationError, match="pip install --force-reinstall inkframe"):
        notebooks_folder()


def test_no_link_is_followed(installed, tmp_path):
    """A notebook is not written through a link, and a linked folder is refused."""
    target = installed / "inkframe-notebooks"
    target.mkdir()
    (target / "01_tour.ipynb").symlink_to(tmp_path / "elsewhere")
    working_folder()
    assert not (tmp_path / "elsewhere").exists()
    assert not is_shipped(target / "01_tour.ipynb")
    target.rename(tmp_path / "moved")
    target.symlink_to(tmp_path / "moved")
    with pytest.raises(ConfigurationError, match="is a link"):
        working_folder()


def test_the_copy_is_private(installed):
    """The folder of the copies can be read by its owner only."""
    assert working_folder().stat().st_mode & 0o777 == 0o700
