"""What a chart shows, as plain data for recordings; the frame that all charts have in common is compared here."""

from numbers import Real

import numpy as np

TEXT, LINE = "#7a7a7aff", "#7a7a7a99"
#: How each title, label, border, tick and grid looks, by what it belongs to.
HOUSE = {
    "size": [9.4, 100.0],
    "background": ["#00000000"],
    "heading": [TEXT, "left", 12.5, "bold", 0.008, 0.98],
    "title": [TEXT, "left", 11.0, "bold", 11.1],
    "label": [TEXT, "center", 10.0, "normal"],
    "border": [LINE, 0.8],
    "grid": [LINE[:7], 0.8, 0.22],
    "ticks": [LINE[:7], 0.0],
    "behind": [True, "#00000000"],
}
#: Looks of an axis and its labels that are not recorded.
USUAL = ("linear", f"{TEXT} center 9.5 normal 0.0 default", f"{TEXT} right 9.5 normal 0.0 default")


def chart_data(chart):
    """Return texts, limits, ticks, lines and shapes with three digits of each number, if the frame is as usual."""
    below = [chart._supxlabel, chart._supylabel]
    width, height = near(chart.get_size_inches())
    usual("size", [width, *near([chart.get_dpi()])])
    usual("background", [color(chart.get_facecolor())])
    if chart._suptitle:
        usual("heading", [*words(chart._suptitle)[1:], *near(chart._suptitle.get_position())])
    return {
        "description": chart.description,
        "height": height,
        **filled({
            "heading": chart.get_suptitle(),
            "notes": [[*words(each), *near(each.get_position())] for each in below if each],
            "legends": [legend(each) for each in chart.legends],
        }),
        "axes": [axes_data(each) for each in chart.axes if each.get_visible()],
    }  # fmt: skip


def usual(part, found):
    """Check that a part of the frame looks as in all charts."""
    assert found == HOUSE[part], part


def filled(parts):
    """Return the parts that are there."""
    return {name: part for name, part in parts.items() if part not in ("", [], {}, None)}


def axes_data(axes):
    """Return all that is drawn on axes."""
    is_scale = axes.get_label() == "<colorbar>"
    if not is_scale:
        usual("behind", [axes.get_axisbelow(), color(axes.get_facecolor())])
        usual("title", [*words(axes._left_title)[1:], *near([axes.titleOffsetTrans.get_matrix()[1, 2]])])
        usual("label", words(axes.xaxis.label)[1:])
        for border in axes.spines.values():
            usual("border", [color(border.get_edgecolor()), *look(border, "linewidth")])
    usual("label", words(axes.yaxis.label)[1:])
    groups = () if is_scale else axes.collections
    borders = [name for name, each in axes.spines.items() if each.get_visible()]
    return filled(
        {
            "title": axes.get_title(loc="left") + axes.get_title(),
            "borders": borders,
            "aspect": str(axes.get_aspect()).removeprefix("auto"),
            "limits": near([*axes.get_xlim(), *axes.get_ylim()]),
            "x": scale(axes.xaxis),
            "y": scale(axes.yaxis),
            "texts": series([text(each) for each in axes.texts]),
            "shapes": series([shape(each) for each in axes.patches]),
            "lines": [line(each) for each in axes.lines],
            "groups": series([each for one in groups for each in group(one)]),
            "pictures": series([picture(each) for each in (*axes.images, *axes.artists)]),
            "legend": legend(axes.get_legend()),
        }
    )


def series(drawn):
    """Return the parts of equal look together: the values of each property, or the one that all of them have."""
    alike = {}
    for appearance, places in drawn:
        alike.setdefault(" ".join(map(str, appearance)), []).append(places)
    return {
        appearance: {name: one_or_all([places[name] for places in several]) for name in several[0]}
        for appearance, several in alike.items()
    }


def one_or_all(values):
    """Return the value that all have in common, the first and the last of even steps, or all values."""
    if all(value == values[0] for value in values):
        return values[0]
    if len(values) > 3 and all(isinstance(value, float) for value in values):
        steps = np.linspace(values[0], values[-1], len(values))
        if np.allclose(values, steps, rtol=0, atol=0.005 * max(map(abs, values))):
            return f"{values[0]:g} to {values[-1]:g} in {len(values)} steps"
    return values


def near(numbers):
    """Return numbers with three digits."""
    return [float(f"{number:.3g}") + 0.0 for number in numbers]


def color(one):
    """Return a color with its opacity as text."""
    from matplotlib.colors import to_hex  # creates a folder in the user's home if it is loaded at once

    return to_hex(one, keep_alpha=True)


def look(one, names):
    """Return some properties of an artist."""
    found = [getattr(one, f"get_{name}")() for name in names.split()]
    return [
        value if isinstance(value, bool) else near([value])[0] if isinstance(value, Real) else str(value)
        for value in found
    ]


def words(one):
    """Return the text of a title or label, and its look."""
    return [one.get_text(), color(one.get_color()), *look(one, "ha fontsize fontweight")]


def text(one):
    """Return the look of a text on the axes, and what it says at which place."""
    said, *seen = words(one)
    x, y = near(getattr(one, "xy", one.get_position()))
    beside = near(getattr(one, "xyann", ()))
    units = [str(getattr(one, name)) for name in ("xycoords", "anncoords") if hasattr(one, name)]
    seen += [*units, *look(one, "va rotation alpha clip_on zorder"), *(beside if beside != [x, y] else [])]
    return seen, {"said": said, "x": x, "y": y}


def shape(one):
    """Return the look of a bar or another shape, and its place."""
    box = near(one.get_path().get_extents(one.get_patch_transform()).bounds)
    seen = [color(one.get_edgecolor()), *look(one, "linewidth linestyle alpha hatch clip_on zorder")]
    return seen, place(box) | {"color": color(one.get_facecolor())}


def place(box):
    """Return the place of a box."""
    return dict(zip(("x", "y", "width", "height"), box, strict=True))


def line(one):
    """Return the points of a line, and its look."""
    colors = dict.fromkeys(color(each) for each in (one.get_color(), one.get_mfc(), one.get_mec()))
    names = "linestyle marker linewidth markersize markeredgewidth alpha clip_on zorder"
    points = [one_or_all(near(data)) for data in (one.get_xdata(), one.get_ydata())]
    label = str(one.get_label()) if not str(one.get_label()).startswith("_child") else ""
    return filled({"label": label, "look": " ".join(map(str, [*colors, *look(one, names)]))}) | dict(
        zip("xy", points, strict=True)
    )


def group(one):
    """Return the look and the place of each path of a collection; of points their number and all their room."""
    colors = " ".join(dict.fromkeys(map(color, (*one.get_facecolor(), *one.get_edgecolor()))))
    colors = colors if one.get_array() is None else one.get_cmap().name
    seen = [*near(one.get_linewidth()), *look(one, "alpha clip_on zorder")]
    if type(one).__name__ == "PathCollection":
        points = one.get_offsets()
        box = near([*points.min(axis=0), *np.ptp(points, axis=0)]) if len(points) else [None] * 4
        return [([*seen, *near(one.get_sizes())], {"points": len(points), "color": colors} | place(box))]
    return [([*seen, colors], place(near(path.get_extents().bounds))) for path in one.get_paths()]


def picture(one):
    """Return the size of a picture, and its place."""
    image = one.offsetbox
    seen = [image.get_data().shape, image.get_zoom(), one.xybox, one.boxcoords, one._box_alignment]
    frame = [*look(one.patch, "visible mutation_scale"), one.get_annotation_clip()]
    return [*seen, *frame], {"at": str(one.xy)}


def legend(one):
    """Return the entries of a legend, its place and its look."""
    if one is None:
        return None
    place = [one._loc, one._ncols, one.get_frame_on(), one.get_title().get_text()]
    seen = dict.fromkeys(" ".join(map(str, words(each)[1:])) for each in one.get_texts())
    return [*(each.get_text() for each in one.get_texts()), *seen, str(place)]


def scale(axis):
    """Return the ticks of an axis with their labels, and the look of its marks and its grid."""
    for mark in axis.get_ticklines()[:1] if axis.axes.get_label() != "<colorbar>" else ():
        usual("ticks", [str(mark.get_color()), *look(mark, "markersize")])
    grid = [each for each in axis.get_gridlines()[:1] if each.get_visible()]
    for each in grid:
        usual("grid", [str(each.get_color()), *look(each, "linewidth alpha")])
    labels = axis.get_ticklabels()
    looks = dict.fromkeys(
        " ".join(map(str, [*words(each)[1:], *look(each, "rotation rotation_mode")])) for each in labels
    )
    marks = ["reversed"] * bool(axis.get_inverted()) + ["grid"] * len(grid)
    marks += [each for each in (axis.get_scale(), *looks) if each not in USUAL]
    said, places = [each.get_text() for each in labels], near(axis.get_ticklocs())
    told = said == [f"{at:g}" for at in places] or places == list(range(len(places)))
    return filled({
        "label": axis.get_label_text(),
        "look": ", ".join(marks),
        "places": [] if told else places,
        "said": said,
    })  # fmt: skip
