"""Draws the picture of the README with the project itself: ``python .readme/looks.py``."""

from pathlib import Path

import inkframe as ink

STYLES = ["illustration", "origami", "vaporwave", "pixel_art"]
MEDIUMS = [None, "watercolor", "glass"]

with ink.connect(library=":memory:") as client:
    plan = ink.plan_images(
        "a harbor at dawn, two boats",
        name="Harbor {style} {medium}",
        resolution="512x512",
        style=STYLES,
        medium=MEDIUMS,
    )
    runs = client.images.create_many(plan)
    images = [client.images.get(id) for id in runs["id"]]
    sheet = ink.contact_sheet(images, rows="medium", columns="style", size=224)
    sheet.quantize(192).save(Path(__file__).with_name("looks.png"), optimize=True)
