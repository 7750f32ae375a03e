import pandas as pd

import inkframe as ink


def test_forms_take_a_choice(inkframe_client):
    """A form opens with the value that was recommended, of one column or of several."""
    ratings = [1, 2, 1, 2, 1, 2, 1, 2, 1, 2], [4, 5, 4, 5, 4, 5, 4, 5, 4, 5]
    frame = pd.DataFrame({"creativity": [0.25] * 10 + [0.75] * 10, "rating": [*ratings[0], *ratings[1]]})
    choice = ink.analysis.recommend(frame, column="rating").choice
    form = ink.DocumentForm(inkframe_client, prompt="A kettle", creativity=choice)
    assert form.arguments["creativity"] == choice == 0.75
    looks = frame.assign(style=["retro"] * 10 + ["anime"] * 10, medium="ink")
    found = ink.analysis.recommend(looks, by=["style", "medium"], column="rating")
    form = ink.ImageForm(inkframe_client, description="a pier", **found.choice)
    assert {name: form.arguments[name] for name in ("style", "medium")} == found.choice
