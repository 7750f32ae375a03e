"""Test writing records to files, and reading them back."""

import io
import struct
import zlib

import numpy as np
import pandas as pd
import pytest
from PIL import Image, PngImagePlugin
from tests.cases import cases

from inkframe.display.files import (
    document_file,
    file_name,
    is_picture_file,
    open_file,
    picture_file,
    read_value,
    saved_picture,
    settings_of,
    write_value,
)
from inkframe.display.picture import check_picture, load_picture
from inkframe.errors import InvalidArgument, UnexpectedReply
from inkframe.system.files import write_file


def opened(data):
    with Image.open(io.BytesIO(data)) as image:
        image.load()
        return image


def test_a_picture_carries_its_settings(image, picture, tmp_path):
    """A PNG has its settings, which can be read again, and its pixels are unchanged."""
    data = picture_file(image, picture(1), service="local demo service")
    assert opened(data).tobytes() == opened(picture(1)).tobytes()
    assert opened(data).text["Title"] == "Harbor at dawn"
    found = open_file(write_file(tmp_path, "a.png", data))
    assert found["description"] == image["description"]
    assert found["created_at"] == "2026-11-20T21:14:00+00:00"
    assert found["service"] == "local demo service"
    assert "picture_url" not in found


def test_only_the_picture_of_a_file_is_kept(image, picture):
    """Texts and metadata of the service's file are left out."""
    notes = PngImagePlugin.PngInfo()
    notes.add_text("note", "<script>")
    exif = Image.Exif()
    exif[0x010E] = "secret"
    with io.BytesIO() as file:
        opened(picture(1)).save(file, "PNG", pnginfo=notes, exif=exif, dpi=(72, 72))
        kept = picture_file(image, file.getvalue())
    assert b"<script>" not in kept
    assert b"secret" not in kept
    assert "dpi" in opened(kept).info


def test_a_hostile_picture_is_not_written(image):
    """A picture that is refused for display is refused for files, too."""
    with pytest.raises(UnexpectedReply):
        picture_file(image, b"<svg onload=alert(1)>")


@pytest.mark.parametrize(
    "result", ["One.\n\nTwo.", "---\nname: forged\n---\n", "\n\nspace \n", "a\r\nb", "日本 \U0001f600"]
)
def test_a_document_is_read_back_unchanged(document, tmp_path, result):
    """Any text and its settings survive as Markdown with front matter."""
    record = {**document, "result": result, "name": 'a: "b"\n--- c'}
    found = open_file(write_file(tmp_path, "a.md", document_file(record)))
    assert found["result"] == result
    assert found["name"] == record["name"]
    assert found["creativity"] == 0.75


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"# no front matter",
        b"name: 1\n---\nText.",
        b"---\nother: 1\n---\n",
        b"\x89PNG\r\n\x1a\nbroken",
        b"\xff\xfe\x00",
    ],
)
def test_a_file_without_settings_is_refused(tmp_path, content):
    """The error for a file without settings has its name."""
    path = tmp_path / "x.md"
    path.write_bytes(content)
    with pytest.raises(InvalidArgument, match=r"x\.md has no settings"):
        open_file(path)


def test_a_foreign_chunk_is_not_a_record(image, picture, tmp_path):
    """A chunk of the same name with other content is refused, and only known fields are read."""
    forged = picture_file({"name": "x", "id": 1}, picture(1)).replace(
        b'{"id": 1, "name": "x"}', b"[1, 2, 3, 4, 5, 6, 7  ]"
    )
    with pytest.raises(InvalidArgument):
        open_file(write_file(tmp_path, "a.png", forged))


def test_files_with_hostile_names_stay_in_the_folder(hostile, picture, tmp_path):
    """Every hostile record becomes one file in the folder, and is read back unchanged."""
    taken = set()
    for payload in hostile.CORPUS.values():
        record = hostile.document(payload)
        path = write_file(
            tmp_path, file_name(record["id"], record["name"], ".md", taken), document_file(record)
        )
        assert path.parent == tmp_path.resolve()
        assert open_file(path)["prompt"] == payload.replace("\ud800", "?")
    assert len(list(tmp_path.iterdir())) == len(hostile.CORPUS)


@cases(
    ("number", "name", "expected"),
    [
        (7, "Harbor: at dawn?", "7-Harbor-at-dawn.png"),
        (7, "../../etc/passwd", "7-etc-passwd.png"),
        ("../../x", "a", "x-a.png"),
        (7, "", "7.png"),
        (None, None, "untitled.png"),
        ("CON", "", "CON-file.png"),
        ("com¹", None, "com¹-file.png"),
        (1, "evil\u202egpj.exe\x00\n", "1-evilgpj-exe.png"),
        (1, "Cafe\u0301 日本 Ω", "1-Café-日本-Ω.png"),
        (1, "\U0001f600 . -", "1.png"),
        (".", "..", "untitled.png"),
        (7, None, "7.png"),
        (None, "a!? " * 40, "-".join("a" * 40) + ".png"),
        ("x" * 50, "", "x" * 40 + ".png"),
        (1, "y" * 200, "1-" + "y" * 108 + ".png"),
        ("con", None, "con-file.png"),
        (None, "con_", "con-file.png"),
        (None, "é" * 100, "é" * 55 + ".png"),
    ],
)
def test_names_are_made_safe(number, name, expected):
    """No path, misleading characters or device names; an id has at most 40 bytes, and all has room for a number in 120."""
    assert file_name(number, name, ".png") == expected


@pytest.mark.parametrize("name", ["W" * 5_000, "語" * 5_000, "\U00020000" * 500, "a b " * 900])
def test_names_are_bounded_in_bytes(name):
    """Long names become at most 120 bytes, cut between characters, also with a number."""
    taken = set()
    for _ in range(12):
        found = file_name("9" * 500, name, ".png", taken)
        assert len(found.encode()) <= 120
        assert found.endswith(".png")
        assert "\ufffd" not in found


def test_names_never_collide():
    """Names that differ only in case, accents or width get a number, from 2."""
    taken = set()
    equal = [file_name(None, name, ".md", taken) for name in ("A", "a", "a", "b")]
    assert equal == ["A.md", "a-2.md", "a-3.md", "b.md"]
    names = [
        file_name(1, name, ".md", taken) for name in ("Straße", "STRASSE", "é", "e\u0301", "É", "\uff41", "a")
    ]
    assert len({name.casefold() for name in names}) == len(names)
    assert names[1] == "1-STRASSE-2.md"


@cases(
    "content",
    [
        "plain",
        'q"\\',
        "a: b # c",
        "- x\n---\n",
        "yes",
        "1e3",
        "\u202e\u2028\x7f\x85\ufeff",
        "\U0001f600",
        0.25,
        True,
        7,
        "",
    ],
)
def test_values_are_read_back_from_one_line(content):
    """Any text or number survives, on one line without invisible characters."""
    text = write_value(content)
    assert "\n" not in text
    assert all(c.isprintable() for c in text)
    assert read_value(text) == content


def test_a_value_written_by_hand_is_text():
    """The quotes are optional, and letters of any script stay as they are typed."""
    assert read_value(" Harbor at dawn ") == "Harbor at dawn"
    assert write_value("Café 日本") == '"Café 日本"'


def test_values_of_frames_become_plain(image):
    """Values of numpy and pandas become JSON values; addresses and missing values are left out."""
    record = {
        **image,
        "id": np.int64(3),
        "favorite": np.bool_(True),
        "created_at": pd.Timestamp("2026-01-02"),
        "style": pd.NA,
    }
    found = settings_of(record, "s")
    assert (found["id"], found["favorite"], found["created_at"]) == (3, True, "2026-01-02T00:00:00")
    assert type(found["id"]) is int
    assert not {"style", "picture_url", "updated_at"} & set(found)
    assert found["service"] == "s"
    assert settings_of({"id": float("inf"), "name": "\ud800"}) == {"id": "inf", "name": "?"}


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".gif", ".webp"])
@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "WEBP"])
def test_saved_pictures_have_our_mark(picture, tmp_path, form, suffix):
    """Every format is marked, whether it was converted or not, and shows the same picture."""
    data = picture(1, form=form)
    path = write_file(tmp_path, f"a{suffix}", saved_picture({"id": 1, "name": "x"}, data, suffix))
    assert is_picture_file(path)
    saved = path.read_bytes()
    assert (
        check_picture(saved).format == {".png": "PNG", ".jpg": "JPEG", ".gif": "GIF", ".webp": "WEBP"}[suffix]
    )
    if check_picture(data).format == check_picture(saved).format:
        assert load_picture(saved).tobytes() == load_picture(data).tobytes()
    path.write_bytes(data)
    assert not is_picture_file(path)


@pytest.mark.parametrize(("suffix", "mode"), [(".jpg", "RGB"), (".webp", "RGBA"), (".png", "RGBA")])
def test_transparent_pictures_are_saved(suffix, mode):
    """Every format keeps the transparency, but JPEG, which has none."""
    with io.BytesIO() as file:
        Image.new("RGBA", (8, 8), (200, 30, 30, 90)).save(file, "PNG")
        saved = saved_picture({"id": 1, "name": "x"}, file.getvalue(), suffix)
    assert opened(saved).mode == mode


def test_whole_document_file(document, recorded):
    """The settings and the text of a file, as they are written."""
    odd = {
        **document,
        "name": "a: 'b'\n---\n#",
        "favorite": None,
        "creativity": 1.0,
        "result": None,
        "note": "x",
    }
    recorded("document", document_file(document, service="content.example.com").decode())
    recorded("odd", document_file(odd).decode())


def test_chunks_of_others_are_passed_over(image, picture, tmp_path):
    """The settings are read also after chunks that another program wrote before them."""
    data = picture_file(image, picture(1, 16))
    for body in (b"Note\0\0\0\0\0[1]", b"Note\0\0\0\0\0{", b"x"):
        foreign = (
            struct.pack(">I", len(body)) + b"iTXt" + body + struct.pack(">I", zlib.crc32(b"iTXt" + body))
        )
        path = tmp_path / "edited.png"
        path.write_bytes(data[:33] + foreign + data[33:])  # after the signature and the header
        assert open_file(path)["name"] == "Harbor at dawn"


def test_formats_without_a_mark(image, picture):
    """A format that has no place for our mark is written as it is, without settings."""
    data = saved_picture(image, picture(1, 16), ".bmp")
    assert (data[:2], opened(data).size) == (b"BM", (16, 16))
    assert saved_picture(image, data := picture(1, 16, "JPEG"), ".JPG")[:2] == data[:2]
