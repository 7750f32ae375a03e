"""Run every benchmark and write one table of this machine's figures and ratios beside their goals, as Markdown.

    .venv/bin/python -m tests.benchmarks [--full] [--only calls listing] [--output FILE]

Each also runs alone, with its own options: ``.venv/bin/python -m tests.benchmarks.bench_calls``.

Without ``--full`` each runs with settings that take seconds to a few minutes, a quarter of an hour together; what
needs a browser or a kernel runs with ``--full`` only. The output of each benchmark is printed as it ends. A figure
that is missing from it is shown as ``none``, and a benchmark that fails ends the command with status 1.
"""

import argparse
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
NUMBER = r"([\d.,]+)"

#: The settings of each benchmark: quick, and full. None leaves it out.
RUNS = {
    "bench_analysis": ("--documents 5000 --repeats 2", ""),
    "bench_calls": ("--calls 100 --rounds 5", ""),
    "bench_columns": ("--runs 40", ""),
    "bench_exploring": (None, ""),
    "bench_gallery": ("--pictures 20 --rounds 2", ""),
    "bench_identity": ("--runs 20", ""),
    "bench_intervals": ("--draws 50", ""),
    "bench_kernel_kills": (None, ""),
    "bench_kills": ("--seeds 1", ""),
    "bench_listing": ("--rounds 3", ""),
    "bench_meaning": ("", ""),
    "bench_own_model": ("--stops 10", ""),
    "bench_recommend": ("--draws 20", ""),
    "bench_service_calls": ("--calls 100 --rounds 5", ""),
    "bench_verdicts": ("--runs 200 --known 30", ""),
    "bench_ways": (None, ""),
}
#: The figures with goals: the benchmark, what is measured, its goal, and where it stands in the output. Of two
#: patterns the figure is the ratio of the first to the second, which two numbers multiply and increase.
FIGURES = (
    ("bench_calls", "get to httpx and orjson, loopback", "", (rf"loopback +get\(id\) +{NUMBER} +{NUMBER} +{NUMBER}",)),
    ("bench_calls", "list of 100 to a frame by hand, loopback", "1.10",
     (rf"loopback +list\(per_page=100\) +{NUMBER} +{NUMBER} +{NUMBER}",)),
    ("bench_calls", "list of 100 to a frame by hand, in process", "1.10",
     (rf"in process +list\(per_page=100\) +{NUMBER} +{NUMBER} +{NUMBER}",)),
    ("bench_listing", "whole listing to httpx and orjson, page after page, 0 ms", "",
     (rf", 0 ms.*?inkframe_all +{NUMBER}", rf", 0 ms.*?httpx_sequential +{NUMBER}")),
    ("bench_listing", "whole listing to one raw reader with orjson, then columns, 0 ms", "1.2",
     (rf", 0 ms.*?inkframe_all +{NUMBER}", rf", 0 ms.*?raw_columns +{NUMBER}")),
    ("bench_listing", "whole listing to one raw reader with orjson, a batch for each page, 0 ms", "",
     (rf", 0 ms.*?inkframe_all +{NUMBER}", rf", 0 ms.*?raw_orjson +{NUMBER}")),
    ("bench_listing", "whole listing to raw asyncio, 20 ms", "1.2",
     (rf", 20 ms.*?inkframe_all +{NUMBER}", rf", 20 ms.*?raw_asyncio +{NUMBER}")),
    ("bench_listing", "peak over 52 templates to 1.5 times the frame and 20 MB, 20 ms", "1",
     (rf", 20 ms.*?inkframe_spread +\S+ +\S+ +\S+ +{NUMBER}", rf", 20 ms.*?inkframe_spread +\S+ +\S+ +\S+ +\S+ +{NUMBER}"),
     1.5, 20),
    ("bench_own_model", "four texts at once to one by one, 0.5 s", "0.286", (rf"share {NUMBER}",)),
    ("bench_own_model", "cancelled jobs that disagree with the library", "0", (rf"what is stored: {NUMBER}",)),
    ("bench_own_model", "Ctrl-C with texts of 30 s, s", "3", (rf"ended a run after {NUMBER}",)),
)  # fmt: skip


def figure(text, patterns, times=1, plus=0):
    """Return a figure from the output of a benchmark as text; the last group of a pattern counts."""
    found = [re.search(pattern, text, re.DOTALL) for pattern in patterns]
    if not all(found):
        return "none"
    numbers = [float(match[match.re.groups].replace(",", "")) for match in found]
    if len(numbers) == 1:
        return f"{numbers[0]:g}"
    return f"{numbers[0] / (times * numbers[1] + plus):.2f}"


def run(name, settings):
    """Run one benchmark; return its output, its seconds, and whether it ended well."""
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", f"tests.benchmarks.{name}", *settings.split()],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )  # fmt: skip
    return done.stdout, time.perf_counter() - began, done.returncode == 0


def table(outcomes):
    """Return the figures of all benchmarks as a Markdown table."""
    rows = ["| benchmark | seconds | figure | here | at most |", "|---|---|---|---|---|"]
    for name, (text, seconds, is_well) in outcomes.items():
        own = [(what, figure(text, *patterns), goal) for of, what, goal, *patterns in FIGURES if of == name]
        for what, found, goal in own or [("ended" if is_well else "failed", "", "")]:
            rows.append(f"| {name} | {seconds:.0f} | {what} | {found} | {goal} |")
    return "\n".join(rows)


def main():
    """Run the benchmarks."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--full", action="store_true", help="the settings of each benchmark itself; takes hours"
    )
    parser.add_argument("--only", nargs="*", help="parts of the names of benchmarks")
    parser.add_argument("--output", type=Path, help="a file for the table")
    options = parser.parse_args()
    outcomes = {}
    for name, settings in RUNS.items():
        chosen = settings[options.full]
        if chosen is None or (options.only and not any(part in name for part in options.only)):
            continue
        outcomes[name] = run(name, chosen)
        print(f"\n## {name} {chosen}\n\n{outcomes[name][0]}", flush=True)
    written = table(outcomes)
    print(f"\n{written}")
    if options.output:
        options.output.write_text(f"{written}\n", encoding="utf-8")
    sys.exit(not all(is_well for _, _, is_well in outcomes.values()))


if __name__ == "__main__":
    main()
