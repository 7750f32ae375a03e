"""Places: each adds its shapes to the stage, back to front, and defines where things can stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inkframe.engines.offline.drawing.places.coast import beach, sea
from inkframe.engines.offline.drawing.places.deep import deep
from inkframe.engines.offline.drawing.places.fields import garden, meadow, road, village
from inkframe.engines.offline.drawing.places.harbor import harbor
from inkframe.engines.offline.drawing.places.heaven import sky, space
from inkframe.engines.offline.drawing.places.inland import lake, river
from inkframe.engines.offline.drawing.places.inside import room, table, wall
from inkframe.engines.offline.drawing.places.pure import abstract
from inkframe.engines.offline.drawing.places.skyline import city
from inkframe.engines.offline.drawing.places.street import street
from inkframe.engines.offline.drawing.places.wild import desert, forest, mountains, winter

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inkframe.engines.offline.drawing.scene_layout import Stage

__all__ = ["PLACES"]

#: Every place by the name that the word lists use.
PLACES: Mapping[str, Callable[[Stage], None]] = {
    "abstract": abstract,
    "beach": beach,
    "city": city,
    "deep": deep,
    "desert": desert,
    "forest": forest,
    "garden": garden,
    "harbor": harbor,
    "lake": lake,
    "meadow": meadow,
    "mountains": mountains,
    "river": river,
    "road": road,
    "room": room,
    "sea": sea,
    "sky": sky,
    "space": space,
    "street": street,
    "table": table,
    "village": village,
    "wall": wall,
    "winter": winter,
}
