"""Texts that try to run code, to fetch or to mislead, and every view filled with them.

``views()`` returns (name, html) for a browser to load, and ``service()`` returns a service whose records are
all hostile. Browser tests assert that no dialog opened, no request was made and ``window.ran`` is undefined.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from PIL import Image

from inkframe.display.comparison import compare
from inkframe.display.fragments import document_bundle, image_bundle
from inkframe.display.gallery import columns_html, gallery, read, report_html
from inkframe.display.markup import prose
from inkframe.display.picture import small_copy
from inkframe.display.tables import table

if TYPE_CHECKING:
    from tests.services import FaultyService

CORPUS = {
    "script": "<script>window.ran=1;alert(1)</script>",
    "closing": "</title></style></textarea></script><script>window.ran=1;alert(1)</script>",
    "onerror": '<img src=x onerror="window.ran=1;alert(1)">',
    "remote image": '<img src="https://evil.invalid/pixel.png"><link rel=stylesheet href=//evil.invalid/a.css>',
    "svg": "<svg onload=alert(1)><animate onbegin=alert(1) attributeName=x dur=1s><script>alert(1)</script></svg>",
    "math": '<math><mtext><table><mglyph><style><img src=x onerror="window.ran=1"></style></mglyph></table></math>',
    "javascript": '[press](javascript:alert(1)) <a href="javascript:alert(1)">x</a> <javascript:alert(1)>',
    "data": "[press](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==) ![x](data:image/svg+xml,<svg/onload=alert(1)>)",
    "markdown image": '![x](https://evil.invalid/m.png "t") [![y](//evil.invalid/n.png)](//evil.invalid/o)',
    "attribute": "\" onmouseover=\"window.ran=1\" x='\" ' onfocus='alert(1)' autofocus tabindex=1 style='position:fixed",
    "broken tags": "<<script>script>window.ran=1<</script>/script><img src='x' <b onclick=alert(1)//<",
    "comment": "<!--><script>window.ran=1</script>--> <![CDATA[<script>alert(1)</script>]]> <?php alert(1) ?>",
    "frame": "<iframe srcdoc='<script>parent.ran=1</script>'></iframe><object data=//evil.invalid/x><embed src=//evil.invalid/y>",
    "form": "<form action=//evil.invalid/><button formaction=javascript:alert(1)>x</button></form><base href=//evil.invalid/>",
    "meta": '<meta http-equiv=refresh content="0;url=https://evil.invalid/">',
    "css": "</style><style>@import 'https://evil.invalid/a.css';*{background:url(//evil.invalid/b)}</style>",
    "bidi": "exe\u202egpj.\u202c \u2066hidden\u2069 \u200f\u061c",
    "nul": "a\x00b\x1b[31mred\x07\x9b2J \ud800 \uffff",
    "entity": "&lt;script&gt;alert(1)&lt;/script&gt; &#60;script&#62; &#x3c;img src=x onerror=alert(1)&#x3e;",
    "formula": r"$5 or $6 $\href{javascript:alert(1)}{press}$ \(x\) $$\style{background:url(//evil.invalid/t)}{y}$$",
    "template": "{{constructor.constructor('alert(1)')()}} ${alert(1)} {0.__class__} %s",
    "long": "<b>" * 3_000 + "W" * 3_000,
}

#: All elements that a view may have.
ELEMENTS = {
    "a", "article", "b", "br", "code", "dd", "del", "details", "div", "dl", "dt", "em", "figcaption",
    "figure", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "img", "input", "ins", "label", "li", "main", "mark", "ol",
    "p", "pre", "s", "section", "span", "strong", "style", "summary", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
#: Further elements of a report, which is a page of its own.
PAGE = {"html", "head", "meta", "title", "body"}
ATTRIBUTES = {
    "alt", "aria-hidden", "aria-label", "class", "dir", "disabled", "height", "hidden", "href", "name",
    "open", "rel", "role", "scope", "src", "start", "style", "tabindex", "target", "title", "type", "width",
}  # fmt: skip


def picture(size: int = 48) -> bytes:
    """Return a small PNG."""
    with io.BytesIO() as file:
        Image.linear_gradient("L").resize((size, size)).convert("RGB").save(file, "PNG")
        return file.getvalue()


def image(payload: str) -> dict[str, object]:
    """Return an image that is hostile in every field."""
    fields = ("name", "description", "resolution", "style", "medium", "filter", "picture_url", "created_at")
    return {"id": payload[:60], "favorite": True, **dict.fromkeys(fields, payload), payload[:40]: payload}


def document(payload: str, level: float = 0.5) -> dict[str, object]:
    """Return a document that is hostile in every field."""
    fields = ("name", "template", "prompt", "result", "created_at")
    return {"id": payload[:60], "favorite": True, "creativity": level, **dict.fromkeys(fields, payload)}


def service() -> FaultyService:
    """Return a service of images and documents that are hostile in every field."""
    from tests.services import FaultyService

    service = FaultyService(images=0, documents=0)
    looks = ("name", "description", "resolution", "style", "medium", "filter")
    for payload in CORPUS.values():
        extra = {"favorite": True, payload[:40]: payload}
        service.insert("images", **dict.fromkeys(looks, payload), **extra)
        service.insert("documents", **dict.fromkeys(("name", "prompt", "result"), payload), **extra)
    return service


def _single(kind: str, payload: str, data: bytes) -> list[tuple[str, str]]:
    """Yield the views of one record with one text."""
    both = [document(payload), document(payload.swapcase() + " more", 1)]
    return [
        (f"image {kind}", image_bundle(image(payload), data, service=payload)["text/html"]),
        (f"failed image {kind}", image_bundle(image(payload), payload, service=payload)["text/html"]),
        (f"document {kind}", document_bundle(document(payload), service=payload)["text/html"]),
        (f"compare {kind}", str(compare(both, service=payload).html)),
        (f"prose {kind}", f'<div class="inkframe">{prose(payload)}</div>'),
    ]


def columns(payloads: list[str], data: bytes) -> tuple[list[tuple[str, list[object]]], set[str], set[str]]:
    """Return hostile columns of a person's own, generated texts and generated pictures, with the names of these."""
    pictures = [small_copy(data, 144, 3_000), *payloads[1:]]
    own = [(name, payloads) for name in (*payloads, "text", "own")]
    return (
        [*own, ("bytes", [b"<svg onload=alert(1)>"] * len(payloads)), ("picture", pictures)],
        {"text"},
        {"picture"},
    )


def views() -> list[tuple[str, str]]:
    """Yield every view with every hostile text, as (name, html)."""
    from pandas import DataFrame

    payloads = list(CORPUS.values())
    images, documents = [image(p) for p in payloads], [document(p) for p in payloads]
    data = picture()
    pictures = [data, *(["<script>window.ran=1</script>", b"<svg onload=alert(1)>"] * len(payloads))]
    by_id = {str(record["id"]): bytes_ for record, bytes_ in zip(images, pictures, strict=False)}

    def fetch(record):
        return found if isinstance(found := by_id[str(record["id"])], bytes) else data

    found = [view for kind, payload in CORPUS.items() for view in _single(kind, payload, data)]
    # The text of a frame is UTF-8, which has no lone surrogates.
    rows = [
        {k.replace("\ud800", ""): str(v).replace("\ud800", "") for k, v in r.items()}
        for r in [*images, *documents]
    ]
    frame = DataFrame(rows).set_index("id")
    return [
        *found,
        (
            "gallery",
            str(gallery(images, fetch, group_by="style", caption="{name} {style}", service=payloads[0]).html),
        ),
        ("compare images", str(compare(images[:6], fetch, service=payloads[1]).html)),
        ("read accordion", str(read(documents, service=payloads[2]).html)),
        ("read page", str(read(documents, layout="page", service=payloads[2]).html)),
        ("table", str(table(frame, by_id, service=payloads[3]).html)),
        ("report", report_html([*images, *documents], fetch, title=payloads[0], service=payloads[3])),
        ("report of columns", columns_html(*columns(payloads, data), title=payloads[0], service=payloads[3])),
    ]
