import numpy as np
import pandas as pd
import pytest
from tests.cases import type_name

import inkframe as ink
from inkframe.exploring.frame_source import FrameSource


def frame(**columns):
    """Return three rows with ids."""
    return pd.DataFrame(
        {"name": ["a", "b", "c"], "n": [1, 2, 3], **columns}, index=pd.Index([7, 8, 9], name="id")
    )


def test_rows_by_key():
    """Rows have their id, or their position where ids are repeated; positions are in the order of the frame."""
    source = FrameSource(frame())
    assert source.rows([2, 0]) == {"9": {"id": 9, "name": "c", "n": 3}, "7": {"id": 7, "name": "a", "n": 1}}
    assert source["8"] == {"id": 8, "name": "b", "n": 2}
    assert source.positions(["9", "x", "7"]) == [0, 2]
    assert ("7" in source, "1" in source) == (True, False)
    repeated = FrameSource(frame().set_index(pd.Index([7, 7, 8])))
    assert (repeated.has_ids, repeated.keys) == (False, ["0", "1", "2"])
    assert repeated.rows([1]) == {"1": {"id": "1", "name": "b", "n": 2}}


def test_what_is_known_of_a_frame():
    """The collection by its columns, the service by its provenance, and the client where there is one."""
    source = FrameSource(frame())
    assert (source.spec.name, source.service, source.collection, source.places) == (
        "documents",
        "",
        None,
        None,
    )
    images = frame(picture_url=["u"] * 3)
    images.attrs["inkframe"] = {"service": "https://a.example.com", "collection": "images"}
    source = FrameSource(images)
    assert (source.spec.name, source.service, source.collection) == ("images", "https://a.example.com", None)
    assert source.fetch is None


def test_values_are_set_in_copies():
    """The given frame stays as it is; a column of text becomes one of objects only where it must."""
    given = frame(kind=pd.Categorical(["x", None, "x"]))
    source = FrameSource(given)
    source.set("kind", [1], "y")
    source.set("name", [0], "changed")
    source.set("n", [2], "many")
    source.set("label", [0, 2], "keep")
    source.set("label", [0], None)
    assert source.frame.to_dict("list") == {
        "name": ["changed", "b", "c"], "n": [1, 2, "many"], "kind": ["x", "y", "x"], "label": [np.nan, np.nan, "keep"],
    }  # fmt: skip
    assert source.frame["label"].dtype == pd.CategoricalDtype(["keep"])
    assert [type_name(each) for each in source.frame.dtypes[:3]] == [
        type_name(given["name"].dtype),
        "object",
        "category",
    ]
    assert given.to_dict("list") == frame().to_dict("list") | {"kind": ["x", np.nan, "x"]}
    assert source.facets.names == ["name", "n", "kind", "label"]
    numbers = FrameSource(given)
    numbers.set("n", [0], 5)
    assert (numbers.frame["n"].tolist(), numbers.frame["n"].dtype) == ([5, 2, 3], given["n"].dtype)


def test_found_columns_replace_those_found_before():
    """A column that was given keeps its name; the one that was found gets a longer one, each time the same."""
    source = FrameSource(frame(score=[0, 0, 0]))
    columns = {"score": pd.Series([1, 2, 3]), "topic": pd.Series(["a", "b", "c"])}
    assert source.add(columns) == ["score found", "topic"]
    assert source.add({"score": pd.Series([4, 5, 6])}) == ["score found"]
    assert source.frame.to_dict("list") == frame(score=[0, 0, 0]).to_dict("list") | {
        "score found": [4, 5, 6],
        "topic": ["a", "b", "c"],
    }
    assert source.added == {"score found", "topic"}


def test_rows_that_are_gone():
    """Places and vectors go with their rows."""
    vectors = np.array([[1, 0], [0, 1], [2, 2]], np.float32)
    source = FrameSource(frame(x=[1.0, 2.0, 3.0], y=[4.0, 5.0, 6.0]), x="x", y="y", vectors=vectors)
    source.drop(["8", "x"])
    assert source.keys == ["7", "9"]
    assert source.places.to_numpy().tolist() == [[1, 4], [3, 6]]
    assert source.vectors.tolist() == [[1, 0], [2, 2]]
    assert source.positions(["9"]) == [1]
    assert source.variable == ""
    source = FrameSource(frame())
    source.drop(["7"])
    assert (source.places, source.vectors, source.keys) == (None, None, ["8", "9"])


def test_own_vectors_with_a_gap():
    """A row without a vector has one that is not a number."""
    vectors = pd.DataFrame([[1.0, 2.0], [np.nan, 1.0], [3.0, 4.0]], index=[7, 8, 9])
    found = FrameSource(frame(), vectors=vectors).vectors
    assert found.dtype == np.float32
    assert np.isnan(found).tolist() == [[False, False], [True, True], [False, False]]


def test_pictures_of_files(tmp_path):
    """Files of a column are read; one that is missing, a folder, or too large is named."""
    (tmp_path / "a.png").write_bytes(b"picture")
    for name, size in (("large.png", 50_000_001), ("largest.png", 50_000_000)):
        with (tmp_path / name).open("wb") as file:
            file.truncate(size)
    paths = [str(tmp_path / name) for name in ("a.png", "none.png", "large.png")]
    fetch = FrameSource(frame(picture_url=["u"] * 3, path=paths)).fetch
    assert fetch({"id": 7}) == b"picture"
    for id, name in ((8, "none.png"), (9, "large.png")):
        with pytest.raises(ink.InvalidArgument) as caught:
            fetch({"id": id})
        assert str(caught.value) == f"There is no picture file {name}.\nCheck the column 'path'."
    assert FrameSource(frame(path=paths)).fetch is None
    largest = FrameSource(frame(picture_url=["u"] * 3, path=str(tmp_path / "largest.png"))).fetch
    assert len(largest({"id": 7})) == 50_000_000


def test_pictures_of_a_client(library):
    """A frame of images whose client is open has its pictures, and those that were changed too."""
    source = FrameSource(library.images.all(progress=False))
    assert source.collection is library.images
    assert source.fetch({"id": source.keys[0]}).startswith(b"\x89PNG")
    assert FrameSource(library.documents.all(progress=False)).fetch is None
    unknown = library.images.all(progress=False)
    unknown.attrs.clear()
    assert FrameSource(unknown).collection is None
