"""The tab that opens a table of the notebook, or a file, as a sheet."""

from types import SimpleNamespace

import pandas as pd
import pytest

import inkframe as ink

PRODUCTS = pd.DataFrame({"product": ["a kettle", "a lamp"], "price": [12, 7]})


@pytest.fixture
def variables(monkeypatch):
    """Return the variables of a notebook."""
    names = {}
    monkeypatch.setattr("IPython.get_ipython", lambda: SimpleNamespace(user_ns=names))
    return names


@pytest.fixture
def studio(library):
    """Return the studio of a library."""
    return ink.Studio(library)


def test_a_frame_of_the_notebook(variables, studio, library):
    """The tab offers each frame by its name, also one that came later, and its code uses that name."""
    form = studio.show("From a table")
    assert form.button.disabled
    assert form.status.text.startswith("Open a CSV or Excel file with a row for each product")
    studio.show("Images")
    variables |= {"products": PRODUCTS, "_hidden": PRODUCTS, "number": 5}
    assert studio.show("From a table") is form
    assert form.tables.options == (("products (2 rows)", "products"),)
    sheet = form.submit().result(30)
    assert form.sheet is sheet
    assert sheet in form._place.children
    sheet.fields["prompt"].value = "Describe {product}."
    assert studio.code == "products = client.documents.write(products, 'Describe {product}.')"
    sheet.submit().result(30)
    assert studio.frame["text_status"].tolist() == ["created", "created"]
    assert sheet.status.text.endswith("x rejects.")


@pytest.mark.parametrize("version", [7, 8])
@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_a_file(studio, tmp_path, version, ending):
    """A CSV or Excel file is opened in either form of ipywidgets, and its code reads it."""
    path = tmp_path / f"products.{ending}"
    PRODUCTS.to_csv(path, index=False) if ending == "csv" else PRODUCTS.to_excel(path, index=False)
    form, file = studio.show("From a table"), {"name": path.name, "content": memoryview(path.read_bytes())}
    sheet = form._open_file({path.name: file} if version == 7 else (file,)).result(30)
    pd.testing.assert_frame_equal(sheet.frame, PRODUCTS, check_dtype=False)
    assert form.status.text == f"products.{ending}: 2 rows, 2 columns"
    assert form.code.startswith(
        f"import inkframe as ink\n\nframe = ink.read_table('products.{ending}')\nframe = client"
    )


def test_a_file_that_is_no_table(studio):
    """A file that cannot be read is an error that says what to do about it."""
    form = studio.show("From a table")
    with pytest.raises(ink.InvalidArgument, match=r"save it as \.xlsx or as CSV"):
        form._open_file(({"name": "notes.xlsx", "content": b"PK\x03\x04\0"},)).result(30)
    assert "notes.xlsx cannot be read as a table" in form.status.alert
