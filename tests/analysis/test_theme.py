import subprocess
import sys

import matplotlib.style
import pytest

from inkframe.analysis.charts import SERIES, shorten, theme


def contrast(color, ground):
    """Return the contrast ratio of WCAG 2.2."""

    def luminance(code):
        channels = [int(code[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(color), luminance(ground)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("ground", ["#ffffff", "#111111"])
def test_colors_are_readable_on_light_and_dark_pages(ground):
    """Text and every series have enough contrast on JupyterLab's white and dark backgrounds."""
    assert theme().ground == "none"
    assert contrast(theme().text, ground) >= 4.2
    assert all(contrast(color, ground) >= 3 for color in SERIES)


def test_a_matplotlib_style_is_used():
    """If a matplotlib style is in use, its text color and background are used."""
    with matplotlib.style.context("dark_background"):
        assert (theme().text, theme().ground) == ("white", "black")


def test_long_names_are_shortened():
    """Names fit beside an axis, and dollar signs are escaped."""
    assert shorten("a very long name of a template", 10) == "a very lo…"
    assert shorten("$5 off\n now") == r"\$5 off now"


def test_frames_need_no_optional_library():
    """Everything but the plots works without matplotlib, and imports neither it nor dask."""
    code = """
import sys
import pandas as pd
import inkframe.analysis as analysis
frame = pd.DataFrame({"template": ["a", "b"], "prompt": "p", "creativity": 0, "result": "One two three."})
analysis.text_statistics(frame), analysis.creativity_response(frame), analysis.near_duplicates(frame)
analysis.library_summary(frame), analysis.measure(["One."]), analysis.keywords(frame), analysis.similar(frame, "one")
print(sorted({"matplotlib", "sklearn", "scipy", "dask", "PIL", "httpx"} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
