"""The standard values as types, for completion in editors and for type checkers.

Signatures take ``Style | str`` and so on, since a deployment can have other values. These lists repeat the
data files of this package. A test keeps both equal.
"""

from __future__ import annotations

from typing import Literal

__all__ = ["Creativity", "Filter", "Medium", "Resolution", "Style", "TemplateLabel"]

Resolution = Literal[
    "256x256",
    "512x512",
    "1024x1024",
]

Style = Literal[
    "3d_render",
    "abstract",
    "anime",
    "art_deco",
    "cartoon",
    "digital_art",
    "illustration",
    "origami",
    "pixel_art",
    "photography",
    "pop_art",
    "retro",
    "sketch",
    "vaporwave",
]

Medium = Literal[
    "acrylic",
    "canvas",
    "chalk",
    "charcoal",
    "crayon",
    "glass",
    "ink",
    "pastel",
    "pencil",
    "spray_paint",
    "watercolor",
]

Filter = Literal[
    "grayscale",
    "sepia",
    "invert",
]

Creativity = Literal[
    "Repetitive",
    "Deterministic",
    "Original",
    "Creative",
    "Imaginative",
]

TemplateLabel = Literal[
    "Freestyle",
    "About us",
    "Advertisement",
    "Article",
    "Blog intro",
    "Blog outline",
    "Blog outro",
    "Blog paragraph",
    "Blog post",
    "Blog section",
    "Blog talking points",
    "Blog title",
    "Call to action",
    "Content rewrite",
    "Content summary",
    "FAQ",
    "Hashtags",
    "Headline",
    "How it works",
    "Meta description",
    "Meta keywords",
    "Mission statement",
    "Newsletter",
    "Pain-Agitate-Solution",
    "Paragraph",
    "Press release",
    "Social post",
    "Social post caption",
    "Startup ideas",
    "Startup names",
    "Subheadline",
    "Testimonial",
    "Social media quote",
    "Social media bio",
    "Value proposition",
    "Video description",
    "Video script",
    "Video tags",
    "Video title",
    "Vision statement",
    "Product sheet",
    "Welcome email",
    "Push notification",
    "Blog listicle",
    "Content grammar",
    "Blog tags",
    "Pros and cons",
    "Google advertisement",
    "Facebook advertisement",
    "Job description",
    "Review",
    "Feature section",
]
