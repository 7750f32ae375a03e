"""``python -m inkframe`` is the ``inkframe`` command."""

import os
import sys

import inkframe

# Python puts the current folder first, whose modules could replace those of our libraries.
if not sys.flags.safe_path and os.path.dirname(os.path.dirname(inkframe.__file__)) != sys.path[0]:  # noqa: PTH120  # pathlib is not loaded yet
    del sys.path[0]

if __name__ == "__main__":
    from inkframe.cli import main

    raise SystemExit(main())
