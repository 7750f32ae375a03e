"""The documents collection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inkframe.engines import WriteRequest
from inkframe.service.collections import NAME, Collection, now
from inkframe.service.form_rules import creativity, flag, text, whole
from inkframe.service.store import Records, Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inkframe.service.engine_runner import EngineRunner
    from inkframe.service.store import Pool
    from inkframe.vocabulary import Vocabulary

__all__ = ["CREATIVITY", "FREESTYLE", "TABLE", "documents_collection", "template_number", "write_document"]

#: The template of every prompt that opens with no template's first line, and the default filter of lists.
FREESTYLE = 1

#: The default of creativity, by the interface.
CREATIVITY = 0.5

TABLE = Table(
    "documents",
    columns=(
        "id",
        "name",
        "template_id",
        "prompt",
        "creativity",
        "result",
        "favorite",
        "created_at",
        "updated_at",
    ),
    large=True,
)


def documents_collection(pool: Pool, runner: EngineRunner, vocabulary: Vocabulary) -> Collection:
    """Give the documents of a library."""
    records = Records(pool, TABLE)
    templates = [template.id for template in vocabulary.all_templates]

    def create(values: Mapping[str, Any]) -> dict[str, Any]:
        written = write_document(pool, runner, vocabulary, values)
        moment = now()
        with pool.writing() as connection:
            return records.insert(connection, {**written, "created_at": moment, "updated_at": moment})

    return Collection(
        name="documents",
        noun="document",
        columns=TABLE.columns,
        records=records,
        filters=(whole("template_id", allowed=templates, default=FREESTYLE),),
        searched=("name", "result"),
        creates=(NAME.needed(), text("prompt").needed(), creativity(vocabulary, CREATIVITY)),
        updates=(NAME, text("result", empty=True), flag("favorite")),
        create=create,
    )


def write_document(
    pool: Pool, runner: EngineRunner, vocabulary: Vocabulary, values: Mapping[str, Any]
) -> dict[str, Any]:
    """Have the text of a document written, and give its values with template and result."""
    template = template_number(vocabulary, values["prompt"])
    request = WriteRequest(values["prompt"], values["creativity"], template, _next_take(pool))
    return {**values, "template_id": template, "result": runner.write(request)}


def template_number(vocabulary: Vocabulary, prompt: str) -> int:
    """Give the template whose first line opens a prompt, else Freestyle."""
    template = vocabulary.template_of(prompt)
    return template.id if template else FREESTYLE


def _next_take(pool: Pool) -> int:
    """Give a number that this library has not given before; it is used up even if nothing is stored."""
    with pool.writing() as connection:
        sql = "UPDATE counters SET value = value + 1 WHERE name = 'take' RETURNING value"
        ((take,),) = connection.execute(sql).fetchall()
    return int(take)
