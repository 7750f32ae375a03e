"""The pictures of the README: JupyterLab in Chromium, with records of the demo engine.

``SCREENSHOTS=.readme .venv/bin/pytest -m browser tests/display/test_readme.py`` updates them.
"""

import os
from pathlib import Path

import pytest
from PIL import Image

pytestmark = pytest.mark.browser

SCENES = {
    "Lighthouse": ("a lighthouse on a cliff at dusk, two boats", "anime", None),
    "Orchard": ("an orchard in spring, a white house", "illustration", "watercolor"),
    "Night market": ("a street at night, lanterns and rain", "digital_art", None),
    "Old bridge": ("an old bridge over a river at dawn", "retro", "pastel"),
    "Balloon": ("a balloon over green hills", "cartoon", None),
    "First snow": ("a village in the snow, a church, fir trees", "pixel_art", None),
    "Canyon": ("a canyon at sunset, two birds", "vaporwave", None),
    "Kettle": ("a copper kettle on a table", "pop_art", None),
    "Glasshouse": ("a garden with red flowers, a fox", "art_deco", "glass"),
    "Observatory": ("mountains under a sky full of stars", "origami", None),
    "Ferry": ("a harbor at dawn, two boats", "3d_render", None),
    "Desert road": ("a road through the desert, a red car", "photography", "acrylic"),
}
CELLS = (
    f"""import inkframe as ink
client = ink.connect(library=":memory:")
for name, (description, style, medium) in {SCENES}.items():
    client.images.create(name=name, description=description, resolution="512x512", style=style, medium=medium)
client.images.update(2, favorite=True)
texts = ink.plan_documents("Product text for a kettle that does not whistle", name="Kettle", creativity=[0.25, 0.5, 1])
client.documents.create_many(texts)
client.documents.update(2, favorite=True);""",
    'images = client.images.all(sort="asc")\nimages.ink.gallery(columns=6)',
    'ink.compare(client.documents.all(sort="asc"))',
    """import pandas as pd
products = pd.DataFrame({"product": ["the Quiet Kettle", "the Desk Lamp"], "look": ["retro", "anime"]})
products = client.documents.write(products, "Describe {product} in two sentences.")
products = client.images.draw(products, "A photo of {product}", resolution="512x512", style="{look}")
products.ink.table()""",
    "client.close()",  # JupyterLab marks the last cell that was run
)
#: The cell and the theme of each picture.
SHOWN = {"gallery": (1, "Dark"), "compare": (2, "Light"), "table": (3, "Light")}
#: Pixels at the bottom of a cell where the frame of the next one begins.
EDGE = 6
MOST_BYTES = 150_000


def test_the_readme_s_pictures(open_notebook, tmp_path):
    """Screenshots of a gallery and a comparison, in a notebook of normal width, stay below a size limit."""
    folder = Path(os.environ.get("SCREENSHOTS") or tmp_path)
    notebook = open_notebook(*CELLS, viewport={"width": 1060, "height": 2600})
    for name, (cell, theme) in SHOWN.items():
        notebook.theme(theme)
        notebook.page.wait_for_selector("#jupyterlab-splash", state="detached")
        path = folder / f"{name}.png"
        place = notebook.page.locator(".jp-CodeCell").nth(cell).bounding_box()
        place["height"] -= EDGE
        notebook.page.screenshot(path=path, clip=place)
        with Image.open(path) as shot:
            image = shot.convert("RGB")
        # A palette is enough for a dozen small pictures, at a third of the bytes. This method keeps the
        # golden star.
        small = image.quantize(256, Image.Quantize.MAXCOVERAGE)
        palette, counts = small.getpalette(), small.histogram()
        ground = 3 * counts.index(max(counts))
        palette[ground : ground + 3] = max(image.getcolors(image.width * image.height))[1]
        small.putpalette(palette)
        small.save(path, optimize=True)
        assert path.stat().st_size <= MOST_BYTES
