"""``python -m inkframe`` is the ``inkframe`` command."""

from inkframe.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
