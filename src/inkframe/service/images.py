"""The images collection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inkframe.engines import DrawRequest
from inkframe.service.collections import NAME, PREFIX, Collection, now
from inkframe.service.form_rules import choice, flag, text
from inkframe.service.store import Records, Table, picture_digest

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping

    from inkframe.service.engine_runner import EngineRunner
    from inkframe.service.store import Pool
    from inkframe.vocabulary import Vocabulary

__all__ = ["TABLE", "images_collection", "read_picture", "store_image"]

TABLE = Table(
    "images",
    columns=(
        "id",
        "name",
        "description",
        "resolution",
        "style",
        "medium",
        "filter",
        "favorite",
        "url",
        "created_at",
        "updated_at",
    ),
    computed={"url": f"'{PREFIX}/images/' || id || '/picture'"},
)


def images_collection(pool: Pool, runner: EngineRunner, vocabulary: Vocabulary) -> Collection:
    """Give the images of a library."""
    records = Records(pool, TABLE)
    looks = tuple(
        choice(name, vocabulary.codes(name)) for name in ("resolution", "style", "medium", "filter")
    )

    def create(values: Mapping[str, Any]) -> dict[str, Any]:
        request = DrawRequest(
            description=values["description"],
            resolution=values["resolution"],
            style=values.get("style"),
            medium=values.get("medium"),
            filter=values.get("filter"),
        )
        picture = runner.draw(request)
        moment = now()
        with pool.writing() as connection:
            return store_image(
                records, connection, {**values, "created_at": moment, "updated_at": moment}, picture
            )

    return Collection(
        name="images",
        noun="image",
        columns=TABLE.columns,
        records=records,
        filters=looks,
        searched=("name",),
        creates=(NAME.needed(), text("description").needed(), looks[0].needed(), *looks[1:]),
        updates=(NAME, flag("favorite")),
        create=create,
    )


def store_image(
    records: Records, connection: sqlite3.Connection, values: Mapping[str, Any], picture: bytes
) -> dict[str, Any]:
    """Write a record and its picture inside the caller's transaction."""
    record = records.insert(connection, values)
    row = (record["id"], picture, picture_digest(picture))
    connection.execute("INSERT INTO pictures VALUES (?, ?, ?)", row)
    return record


def read_picture(pool: Pool, number: int) -> tuple[bytes, str] | None:
    """Give the PNG bytes of an image and their digest, or None where there is no such image."""
    with pool.connection() as connection:
        sql = "SELECT png, digest FROM pictures WHERE image_id = ?"
        found: tuple[bytes, str] | None = connection.execute(sql, (number,)).fetchone()
    return found
