"""The records that creates with an ``Idempotency-Key`` have stored, so that another try returns the same one."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import sqlite3

__all__ = ["KEPT", "MOST_KEPT", "find_creation", "note_creation"]

#: The validity of a key.
KEPT: Final = timedelta(hours=24)
#: The most keys in a library; the oldest ones are forgotten first.
MOST_KEPT: Final = 10_000


def find_creation(
    connection: sqlite3.Connection, collection: str, key: str, since: str
) -> tuple[int, str] | None:
    """Return the id of the record that a key created and the digest of what was sent, or None.

    Args:
        connection: A connection to the library.
        collection: ``images`` or ``documents``.
        key: The key.
        since: The time before which keys no longer count.
    """
    sql = "SELECT record_id, digest FROM creations WHERE collection = ? AND key = ? AND created_at >= ?"
    found: tuple[int, str] | None = connection.execute(sql, (collection, key, since)).fetchone()
    return found


def note_creation(
    connection: sqlite3.Connection, collection: str, key: str, record_id: int, digest: str, moment: str
) -> None:
    """Store that a key created a record, inside the caller's transaction, and forget the oldest keys.

    Args:
        connection: A connection to the library.
        collection: ``images`` or ``documents``.
        key: The key; an older creation with it is replaced.
        record_id: The id of the record.
        digest: The digest of what was sent.
        moment: The time of the creation.
    """
    # The number of each row is that of the latest plus one, also for a key that is replaced.
    sql = "INSERT OR REPLACE INTO creations (collection, key, record_id, digest, created_at) VALUES (?, ?, ?, ?, ?)"
    cursor = connection.execute(sql, (collection, key, record_id, digest, moment))
    connection.execute("DELETE FROM creations WHERE number <= ?", ((cursor.lastrowid or 0) - MOST_KEPT,))
