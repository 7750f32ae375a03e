"""Files that are not pictures, or not harmless ones, shown by the public calls in a separate process.

Run as a script, it prints as JSON the text in place of each picture, and the peak memory of the process.
"""

from __future__ import annotations

import io
import json
import re
import resource
import struct
import sys
import zlib
from pathlib import Path

import httpx
from PIL import Image


def most_memory() -> int:
    """Return the peak memory of this process in bytes; ``ru_maxrss`` includes that of its parent."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(re.search(r"VmHWM:\s+(\d+)", status.read_text())[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def chunk(kind: bytes, body: bytes) -> bytes:
    """Return a chunk of a PNG file."""
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(width: int, height: int, *chunks: bytes, depth: int = 8, kind: int = 2) -> bytes:
    """Return a PNG file of the given chunks."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + b"".join([head, *chunks, chunk(b"IEND", b"")])


def saved(form: str = "PNG", size: int = 64, **options: object) -> bytes:
    """Return a harmless picture file."""
    with io.BytesIO() as file:
        Image.linear_gradient("L").resize((size, size)).convert("RGB").save(file, form, **options)
        return file.getvalue()


def zeros(width: int, height: int, bits: int) -> bytes:
    """Return the compressed pixels of a black picture."""
    packer = zlib.compressobj(1)
    row = bytes(1 + -(-width * bits // 8))
    return b"".join([*(packer.compress(row) for _ in range(height)), packer.flush()])


def many_frames(form: str) -> bytes:
    """Return an animation of 100,000 frames."""
    if form == "GIF":
        frame = b"," + struct.pack("<HHHHB", 0, 0, 1, 1, 0) + b"\x02\x02\x4c\x01\x00"
        return b"GIF89a" + struct.pack("<HHBBB", 1, 1, 0, 0, 0) + frame * 100_000 + b";"
    pixels = zlib.compress(bytes(4))
    control = chunk(b"fcTL", struct.pack(">IIIIIHHBB", 0, 1, 1, 0, 0, 1, 10, 0, 0))
    return png(
        1, 1, chunk(b"acTL", struct.pack(">II", 100_000, 0)), control * 100_000, chunk(b"IDAT", pixels)
    )


#: Each file by a part of the reason that is shown in its place.
FILES = {
    "SVG": b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'><script>alert(1)</script></svg>",
    "an SVG or HTML page": b"\n<!doctype html><html><script>alert(1)</script><img src=x onerror=alert(1)>",
    "must be PNG, JPEG, WEBP or GIF": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n(/etc/passwd) (r) file run\n",
    "bytes in another format": b"%PDF-1.7\n1 0 obj << /OpenAction << /S /JavaScript /JS (app.alert(1)) >> >>",
    "extra bytes after its end": saved("PNG") + b"<script>alert(1)</script>",
    "8 extra bytes after": saved("JPEG") + b"PK\x03\x04jar!",
    "is cut off": b"GIF89a/*" + b"\xff" * 40 + b"*/=1;alert(1)//",
    "its end is missing": saved("PNG", 256)[:-200],
    "cut off: its end": saved("JPEG", 256)[:-30],
    "is broken": png(64, 64, chunk(b"IDAT", b"no deflate stream")),
    "30,000 by 30,000 pixels; at most 24 million": png(
        30_000, 30_000, chunk(b"IDAT", zeros(30_000, 30_000, 1)), depth=1, kind=0
    ),
    "60,000 by 60,000": b"\xff\xd8\xff\xc0\0\x11\x08"
    + struct.pack(">HH", 60_000, 60_000)
    + bytes(99)
    + b"\xff\xd9",
    "1,000 frames": many_frames("GIF"),
    "1,000 frames or more": many_frames("PNG"),
    "no pixels": png(0, 10),
}


class Swapped(httpx.BaseTransport):
    """A transport to a service that replaces the picture files."""

    def __init__(self, service: object, files: list[bytes]) -> None:
        self._service, self._files = service, files

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Return the picture of this number, or the service's own response for other requests."""
        _, _, place = request.url.path.rpartition("/pictures/")
        if "/pictures/" in request.url.path:
            return httpx.Response(200, content=self._files[int(place.removesuffix(".png")) - 1])
        return self._service.transport.handle_request(request)


def main() -> None:
    """Show every file as an image, in a gallery, in a table and as a ``PIL.Image``."""
    from tests.services import FaultyService

    import inkframe as ink

    files = [*FILES.values(), saved()]
    service = FaultyService(images=len(files), documents=0)
    client = ink.Client(service.base_url, service.key, transport=Swapped(service, files))
    frame = client.images.all(sort="asc")
    reasons = []
    for number in frame.index:
        image = client.images.get(number)
        bundle = image._repr_mimebundle_()
        try:
            reason = f"shown {image.picture.size}"
        except ink.InkframeError as error:
            reason = str(error)
        reasons.append([reason, bundle["text/plain"], "<img" in bundle["text/html"]])
    gallery = client.images.gallery(frame)
    table = str(frame.ink.table().html)
    written = client.images.download(frame, sys.argv[1])
    json.dump(
        {
            "reasons": list(FILES),
            "images": reasons,
            "gallery": {str(at): reason for at, reason in gallery.failures.items()},
            "in_gallery": gallery.html.count("<img"),
            "in_table": table.count("<img"),
            "written": int(written["path"].notna().sum()),
            "memory": most_memory(),
        },
        sys.stdout,
    )


if __name__ == "__main__":
    main()
