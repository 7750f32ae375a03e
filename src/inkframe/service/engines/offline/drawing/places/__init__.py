"""Places: each puts its shapes on the stage, back to front, and says where things can stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inkframe.service.engines.offline.drawing.places import beyond, coast, country, inside, town

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inkframe.service.engines.offline.drawing.stage import Stage

__all__ = ["PLACES"]

#: Every place by the name that the word lists use.
PLACES: Mapping[str, Callable[[Stage], None]] = {
    "abstract": beyond.abstract,
    "beach": coast.beach,
    "city": town.city,
    "deep": coast.deep,
    "desert": country.desert,
    "forest": country.forest,
    "garden": country.garden,
    "harbour": coast.harbour,
    "lake": country.lake,
    "meadow": country.meadow,
    "mountains": country.mountains,
    "river": country.river,
    "road": country.road,
    "room": inside.room,
    "sea": coast.sea,
    "sky": beyond.sky,
    "space": beyond.space,
    "street": town.street,
    "table": inside.table,
    "village": country.village,
    "wall": inside.wall,
    "winter": country.winter,
}
