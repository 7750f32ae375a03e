"""Records as sent by services: ids, booleans, times and pictures in the format of a dialect."""

import base64
import struct
import zlib
from datetime import UTC, datetime
from functools import lru_cache
from uuid import UUID

from tests.services.json_pattern import fill
from tests.services.list_page import ELSEWHERE

#: The folder of pictures in the path, as in ``pictures/17.png``.
PICTURES = "pictures"
#: Fields of a record with their own format.
OWN_FORM = frozenset({"id", "created_at", "updated_at"})
#: The keys of Firestore for each type of value.
VALUE_TYPES = {
    str: "stringValue",
    float: "doubleValue",
    int: "integerValue",
    bool: "booleanValue",
    type(None): "nullValue",
}
TIME_FORMATS = {
    "utc": "%Y-%m-%dT%H:%M:%S.%fZ",
    "zone": "%Y-%m-%dT%H:%M:%S+00:00",
    "naive": "%Y-%m-%dT%H:%M:%S",
    "space": "%Y-%m-%d %H:%M:%S",
}


def show(record, collection, form, *, origin, url, listed=False, expires=None, ready=True):
    """Return a record in the format of the dialect.

    ``expires`` is the time at which the address of its picture does, ``ready`` whether the picture or the text is available.
    """
    words = {name: _value(value, form) for name, value in record.items()}
    identifier = write_id(form.id_form, record["id"])
    left_out = {*form.omits, *(form.list_omits if listed else ())}
    fields = {form.id_name: identifier} if form.id_inside else {}
    fields |= {name: value for name, value in words.items() if name not in OWN_FORM and name not in left_out}
    if collection.has_picture:
        _place(fields, form.picture, _picture(record["id"], form, origin, expires) if ready else None)
    elif not ready:
        fields |= dict.fromkeys(collection.generated.keys() & fields.keys())
    for name, moment in ((form.created, record["created_at"]), (form.updated, record["updated_at"])):
        if name:
            fields[name] = write_time(moment, form.time_form)
    words |= {
        "fields": fields,
        "id": identifier,
        "url": url,
        "serial": record["id"],
    }
    words |= {"singular": collection.singular, "collection": collection.name}
    words |= {
        "made": write_time(record["created_at"], "utc"),
        "changed": write_time(record["updated_at"], "utc"),
    }
    words |= {"resource": f"projects/p/databases/main/documents/{collection.name}/{identifier}"}
    words |= {"at_uri": at_uri(collection.name, identifier)}
    fields.update(fill(form.extra, words.__getitem__))
    if form.value_form == "localized":
        words["fields"] = {name: {"en-US": value} for name, value in fields.items()}
    elif form.value_form == "typed":
        words["fields"] = {name: {VALUE_TYPES[type(value)]: value} for name, value in fields.items()}
    return fill(form.wrap, words.__getitem__)


def at_uri(collection, identifier):
    """Return the address of a record in the AT Protocol."""
    return f"at://did:plc:abc/com.example.{collection}/{identifier}"


@lru_cache(maxsize=4096)
def write_time(moment, form):
    """Return the text of a time in epoch seconds."""
    if form == "seconds":
        return int(moment)
    if form == "milliseconds":
        return round(moment * 1000)
    return datetime.fromtimestamp(moment, UTC).strftime(TIME_FORMATS[form])


def _value(value, form):
    if isinstance(value, bool) and form.boolean_form != "words":
        return int(value) if form.boolean_form == "numbers" else str(int(value))
    if isinstance(value, float) and form.decimal_form == "text":
        return f"{value:.2f}"
    return value


@lru_cache(maxsize=256)
def _embedded(number):
    return base64.b64encode(draw(number)).decode()


def _picture(number, form, origin, expires):
    if form.picture_form == "base64":
        return _embedded(number)
    if form.picture_form == "data":
        return f"data:image/png;base64,{_embedded(number)}"
    path = f"{PICTURES}/{number}.png" + (f"?expires={expires}" if expires is not None else "")
    prefix = {"absolute": f"{origin}/", "path": "/", "relative": "", "elsewhere": f"{ELSEWHERE}/"}
    return prefix[form.picture_form] + path


def _place(fields, name, value):
    *outer, inner = name.split(".")
    for part in outer:
        fields = fields.setdefault(part, {})
    fields[inner] = value


#: An odd factor permutes 64 bits without collisions, so that UUIDs are not in the order of creation.
SCRAMBLE = 0x9E3779B97F4A7C15
WORD = 2**64


def write_id(form, number):
    """Return the id that a dialect shows for a record's number."""
    match form:
        case "text":
            return str(number)
        case "padded":
            return f"{number:06}"
        case "hex":
            return f"{0x65A0000000000000:016x}{number:08x}"
        case "uuid":
            return str(_uuid(number))
        case _:
            return number


def read_id(form, text):
    """Return the number of the record with an id, or None if the id is invalid."""
    try:
        number = _number(form, text)
    except ValueError:
        return None
    same = 0 <= number < WORD and str(write_id(form, number)) == text
    return number if same else None


def _number(form, text):
    if form == "hex":
        return int(text[16:], 16)
    if form == "uuid":
        bits = UUID(text).int
        return ((bits >> 80) << 16 | bits & 0xFFFF) * pow(SCRAMBLE, -1, WORD) % WORD
    if not text.isdecimal() or len(text) > 20:  # the digits of 64 bits
        raise ValueError(text)
    return int(text)


def _uuid(number):
    scrambled = number * SCRAMBLE % WORD
    # The bits of the version and the variant of a random UUID.
    return UUID(int=(scrambled >> 16) << 80 | 0x4 << 76 | 0x2 << 62 | scrambled & 0xFFFF)


SIDE = 16


@lru_cache(maxsize=1024)
def draw(number):
    """Return a PNG of 16 by 16 pixels whose colors encode the record's number."""
    color = bytes((number * 67 % 256, number * 29 % 256, number // 256 % 256))
    shade = bytes(255 - part for part in color)
    rows = b"".join(b"\0" + color * (row + 1) + shade * (SIDE - row - 1) for row in range(SIDE))
    header = struct.pack(">IIBBBBB", SIDE, SIDE, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)


def _chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
