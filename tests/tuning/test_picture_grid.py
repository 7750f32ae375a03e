from __future__ import annotations

from inkframe.tuning.look_grid import PictureGrid


def test_a_grid_is_laid_out_and_renewed(send):
    """Cells are copies; one that changes is sent alone; presses and pictures go by the key of a cell."""
    pressed, sent = [], []
    pictures = {f"cell {at}": b"%d" % at for at in range(30)}
    grid = PictureGrid(pressed.append, pictures.get)
    grid.send = lambda content, buffers=None: sent.append((content, buffers))
    cell = {"state": "empty"}
    grid.lay_out([("a", "A")], [("b", "B"), ("", "None")], [("", "")], {"a|b|": cell})
    cell["state"] = "changed"
    assert (grid.columns, grid.rows, grid.sections) == ([["a", "A"]], [["b", "B"], ["", "None"]], [["", ""]])
    assert (grid.cells, grid.layout_number) == ({"a|b|": {"state": "empty"}}, 1)
    held = grid.cells
    grid.renew("a|b|", cell)
    assert (grid.cells is held, held) == (True, {"a|b|": {"state": "changed"}})
    assert sent == [({"kind": "cell", "key": "a|b|", "cell": {"state": "changed"}}, None)]
    grid.lay_out([], [], [], {})
    assert (grid.cells, grid.layout_number) == ({}, 2)
    sent.clear()
    send(grid, "press", key="a|b|")
    send(grid, "other", key="a|b|")
    send(grid, "want", keys=["none"])
    send(grid, "want")
    assert (pressed, sent) == (["a|b|"], [])
    send(grid, "want", keys=["none", *pictures])
    wanted = list(pictures)[:23]
    assert sent == [({"kind": "pictures", "keys": wanted}, [pictures[key] for key in wanted])]
