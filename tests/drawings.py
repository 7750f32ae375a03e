"""What a chart draws, and how each part of it looks, as plain data for recordings."""

from __future__ import annotations

from numbers import Real


def chart_data(chart):
    """Return texts, limits, ticks, lines, shapes and their looks, with three digits of each number."""
    above = [chart._suptitle, chart._supxlabel, chart._supylabel]
    return {
        "description": chart.description,
        "titles": [[*words(each), *near(each.get_position())] for each in above if each],
        "size": near([*chart.get_size_inches(), chart.get_dpi()]),
        "background": color(chart.get_facecolor()),
        "legends": [legend(each) for each in chart.legends],
        "axes": [axes_data(each) for each in chart.axes if each.get_visible()],
    }


def axes_data(axes):
    """Return all that is drawn on axes."""
    return {
        "titles": [
            words(each) for each in (axes.title, axes._left_title, axes.xaxis.label, axes.yaxis.label)
        ],
        "title offset": near(axes.titleOffsetTrans.get_matrix()[:2, 2]),
        "limits": near([*axes.get_xlim(), *axes.get_ylim()]),
        "ticks": {axis.axis_name: scale(axis) for axis in (axes.xaxis, axes.yaxis)},
        "frame": [color(axes.get_facecolor()), look(axes, "aspect axisbelow")],
        "spines": {
            name: [*look(each, "visible linewidth"), color(each.get_edgecolor())]
            for name, each in axes.spines.items()
        },
        "texts": [text(each) for each in axes.texts],
        "shapes": [shape(each) for each in axes.patches],
        "lines": [line(each) for each in axes.lines],
        "collections": [group(each) for each in axes.collections],
        "pictures": [picture(each) for each in (*axes.images, *axes.artists)],
        "legend": legend(axes.get_legend()),
    }


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
    """Return a text on the axes, its place and its look."""
    place = near(getattr(one, "xy", one.get_position())) + near(getattr(one, "xyann", ()))
    units = [str(getattr(one, name, "")) for name in ("xycoords", "anncoords")]
    return [*words(one), *place, *units, *look(one, "va rotation alpha clip_on zorder")]


def shape(one):
    """Return the place of a bar or another shape, and its look."""
    box = near(one.get_path().get_extents(one.get_patch_transform()).bounds)
    colors = [color(one.get_facecolor()), color(one.get_edgecolor())]
    return [*box, *colors, *look(one, "linewidth linestyle alpha hatch clip_on zorder")]


def line(one):
    """Return the points of a line, and its look."""
    colors = [color(each) for each in (one.get_color(), one.get_mfc(), one.get_mec())]
    names = "linestyle marker linewidth markersize markeredgewidth alpha clip_on zorder"
    points = [near(data) for data in (one.get_xdata(), one.get_ydata())]
    return {"label": str(one.get_label()), "look": [*colors, *look(one, names)], "points": points}


def group(one):
    """Return the points or shapes of a collection, and their look."""
    paths = [near(path.get_extents().bounds) for path in one.get_paths()]
    colors = [color(each) for each in (*one.get_facecolor(), *one.get_edgecolor())]
    sizes = near(one.get_sizes()) if hasattr(one, "get_sizes") else []
    widths = near(one.get_linewidth())
    return [near(one.get_offsets().ravel()), paths, colors, widths, sizes, look(one, "alpha clip_on zorder")]


def picture(one):
    """Return the size of a picture, its place and its look."""
    image = one.offsetbox
    place = [image.get_data().shape, image.get_zoom(), one.xy, one.xybox, one.boxcoords, one._box_alignment]
    return [
        *(str(each) for each in place),
        look(one.patch, "visible mutation_scale"),
        one.get_annotation_clip(),
    ]


def legend(one):
    """Return the entries of a legend, its place and its look."""
    if one is None:
        return None
    place = [one._loc, one._ncols, one.get_frame_on()]
    return [words(one.get_title()), *map(words, one.get_texts()), [str(each) for each in place]]


def scale(axis):
    """Return the ticks of an axis with their labels, and the look of its marks and its grid."""
    marks = [look(each, "markersize visible color") for each in axis.get_ticklines()[:1]]
    grid = [look(each, "visible linewidth alpha color") for each in axis.get_gridlines()[:1]]
    labels = axis.get_ticklabels()
    looks = [[*words(each)[1:], *look(each, "rotation rotation_mode")] for each in labels]
    looks = list(dict.fromkeys(" ".join(map(str, each)) for each in looks))
    told = [each.get_text() for each in labels]
    return [near(axis.get_ticklocs()), told, looks, marks, grid, look(axis, "inverted scale")]
