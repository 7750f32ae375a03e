"""Forms for videos: description and script."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inkframe_demo.texts.chunks import inline
from inkframe_demo.texts.material import value_of
from inkframe_demo.texts.tags import hashtags
from inkframe_demo.texts.words import capitalize
from inkframe_demo.texts.writer import finish

if TYPE_CHECKING:
    from collections.abc import Callable

    from inkframe_demo.texts.writer import Writer

__all__ = ["FORMS"]

#: The default length of a script, in seconds.
SECONDS = 60
CHAPTERS = 3


def _clock(seconds: int) -> str:
    return f"{seconds // 60:02d}:{seconds % 60:02d}"


def video_description(w: Writer) -> str:
    """Write the content of the video, its chapters, and three hashtags."""
    about = w.fitting("video_about", 200)
    chapters = [capitalize(item) for item in w.items("chapters")[:12]]
    chapters = [w.one("video_opening"), *chapters]
    chapters += [w.one("video_chapter") for _ in range(max(0, CHAPTERS + 1 - len(chapters)))]
    step = 30 + 15 * w.voice.below(5, "pace")
    lines = [f"- {_clock(number * step)} {title}" for number, title in enumerate(chapters)]
    parts = [about, w.say("video_more", "video_channel"), "\n".join(lines)]
    parts += [f"More: {inline(w.material.values['link'])}"] if w.has("link") else []
    given = [inline(w.material.values["channel"])] if w.has("channel") else []
    return "\n\n".join([*parts, " ".join(hashtags(w, 3, *given))])


def video_script(w: Writer) -> str:
    """Write four to six scenes with picture and voice."""
    asked = re.search(r"\d+", w.value("seconds"))
    seconds = min(3600, max(12, int(asked[0][:6]))) if asked else SECONDS
    points = w.items("points")[:4]
    count = max(4, len(points) + 2) if points else 4 + w.voice.below(3, "scenes")
    bounds = [seconds * number // count for number in range(count + 1)]
    parts = [f"# {w.subject.title}"]
    for number in range(count):
        visual, voice = _scene(w, number, count, points)
        heading = f"## Scene {number + 1} ({_clock(bounds[number])}\u2013{_clock(bounds[number + 1])})"
        parts.append(f"{heading}\n\n**Visual:** {visual}\n\n**Voice:** {voice}")
    return "\n\n".join(parts)


def _scene(w: Writer, number: int, count: int, points: list[str]) -> tuple[str, str]:
    """Return the picture and the voice of a scene."""
    if number == 0:
        return w.say("scene_hook_visual"), w.say("scene_hook_voice", "scene_audience")
    if number == count - 1:
        call = finish(w.value("call")) if w.has("call") else w.say("video_call")
        return w.say("scene_end_visual"), f"{w.say('scene_end_voice')} {call}"
    point = value_of(points[number - 1]) if number <= len(points) else ""
    said = w.say("scene_point", item=point) if point else ""
    return w.say("scene_visual"), f"{said} {w.say('scene_voice')}".strip()


#: The forms of this file by the number of their template.
FORMS: dict[int, Callable[[Writer], str]] = {36: video_description, 37: video_script}
