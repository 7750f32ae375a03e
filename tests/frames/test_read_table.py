"""Tables as people have them: separators, encodings, codes, decimal commas, Excel."""

import pandas as pd
import pytest

import inkframe as ink


@pytest.fixture
def read(tmp_path):
    """Return a function that reads a table from the content of a file."""

    def read(content, name="shop.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return ink.read_table(path)

    return read


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_separators_and_encodings(read, separator, encoding):
    """Each separator in each encoding is found without being told, also where texts have others in quotes."""
    rows = [["product", "made, by; in"], ["Löffel", '"Köln, 2; or €\t3"'], ["Teller", "Bonn"]]
    text = "\r\n".join(separator.join(row) for row in rows)
    if separator != ",":
        text = text.replace("made, by; in", '"made, by; in"')
    found = read(text.replace("made, by; in", "town").replace('"town"', "town").encode(encoding))
    assert found.to_dict("list") == {"product": ["Löffel", "Teller"], "town": ["Köln, 2; or €\t3", "Bonn"]}


@pytest.mark.parametrize("code", ["007", "+4930123", "12345678901234567", "1E5", "00"])
def test_codes_stay_texts(read, code):
    """A column with a code that no number keeps is text as it stands, its other values too."""
    found = read(f"sku,pieces\n{code},1\n12,2\n")
    assert found.to_dict("list") == {"sku": [code, "12"], "pieces": [1, 2]}


def test_decimal_commas(read):
    """Where semicolons separate, 12,50 is a number; points are read where no cell has a comma."""
    assert read("product;price\na;12,50\nb;7\n")["price"].tolist() == [12.5, 7]
    assert read("product;price\na;12.50\nb;7\n")["price"].tolist() == [12.5, 7]
    assert read('product,price\na,"12,50"\nb,7\n')["price"].tolist() == ["12,50", "7"]
    assert read("product;price\na;1.234,50\n")["price"].tolist() == ["1.234,50"]


def test_whole_numbers_stay_whole(read):
    """A missing number makes no 12.0 of 12, which a prompt would say; empty rows are left out, names are trimmed."""
    found = read(" product ,pieces, price\na,12,1.5\n,,\nb,,2.25\n\n")
    assert [str(each) for each in found["pieces"]] == ["12", "<NA>"]
    assert (list(found), list(found.index)) == (["product", "pieces", "price"], [0, 1])


def test_one_column(read):
    """A list of texts with commas is one column."""
    assert read("product\nkettle, red\nlamp\n").to_dict("list") == {"product": ["kettle, red", "lamp"]}


def test_the_first_sheet_of_excel(tmp_path):
    """Cells keep their kind: codes that were typed as text stay text, numbers and times are such."""
    first = pd.DataFrame(
        {"sku": ["007", "8"], "pieces": [1, None], "since": pd.to_datetime(["2026-01-02", "2026-02-03"])}
    )
    with pd.ExcelWriter(tmp_path / "shop.xlsx") as writer:
        first.to_excel(writer, sheet_name="Shop", index=False)
        pd.DataFrame({"other": [1]}).to_excel(writer, sheet_name="Other", index=False)
    found = ink.read_table(str(tmp_path / "shop.xlsx"))
    assert found["sku"].tolist() == ["007", "8"]
    assert [str(each) for each in found["pieces"]] == ["1", "<NA>"]
    assert found["since"].dt.day.tolist() == [2, 3]


@pytest.mark.parametrize(
    ("content", "name", "said"),
    [
        (b"a,b\n1,2\n3,4,5\n", "shop.csv", "Expected 2 fields in line 3, saw 3."),
        (b"a,b\n1,2,3\n3,4,5\n", "shop.csv", "Expected 2 fields in line 2, saw 3."),
        (b"", "shop.csv", "No columns to parse from file."),
        (b"PK\x03\x04\0", "shop.xlsx", "File is not a zip file."),
        (b"\x89PNG\r\n\x1a\n\0\0", "shop.csv", "Excel file format cannot be determined"),
        (b"\xff\xfea\0b", "shop.csv", "truncated data"),
    ],
)
def test_what_is_no_table(read, content, name, said):
    """The error says which file, what is wrong with it, and what to do; it does not ask for what was given."""
    with pytest.raises(ink.InvalidArgument) as caught:
        read(content, name)
    first, last = str(caught.value).split("\n")
    assert first.startswith(f"{name} cannot be read as a table: ")
    assert said in first
    assert last == "Open it in a spreadsheet, check its rows, and save it as .xlsx or as CSV (UTF-8)."


def test_a_file_that_is_not_there(tmp_path):
    """The error says where it was looked for."""
    with pytest.raises(ink.InvalidArgument, match=r"shop\.csv cannot be read: No such file or directory\."):
        ink.read_table(tmp_path / "shop.csv")
