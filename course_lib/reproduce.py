"""The command line of the experiments: python3 course.py reproduce [PAPER [FIGURE]] [options]."""

import argparse
import json
import os
import signal
import sys
import tempfile
from pathlib import Path

from matplotlib.figure import Figure

from course_lib.experiments import PAPERS
from course_lib.sweeps import NoCluster, running


def main(argv=None):
    options = _parser().parse_args(argv)
    if options.paper is None:
        print(listing(PAPERS))
        return 0
    try:
        chosen = choose(options)
        for path in filter(None, (options.json, options.png)):
            check_writable(Path(path))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    before = signal.signal(signal.SIGINT, _interrupt)
    try:
        with running(options.workers, options.dask, options.afresh):
            return run_all(chosen, options)
    except NoCluster as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nInterrupted: nothing was written.", file=sys.stderr)
        if sweeps(chosen):
            print("Finished cells are kept: the same command goes on from there.", file=sys.stderr)
        return 130
    finally:
        signal.signal(signal.SIGINT, before)


def _interrupt(*_):
    """Half of an experiment is no experiment: Ctrl-C ends the command."""
    raise KeyboardInterrupt


def sweeps(chosen):
    """Whether one of these experiments is a sweep, whose cells are kept."""
    return any(getattr(each, "sweeps", False) for each in chosen)


def run_all(chosen, options):
    for number, experiment in enumerate(chosen):
        if number:
            print()
        progress = sys.stderr.isatty()
        outcome = experiment.run(options.sessions, options.games, options.seed, progress)
        print(outcome)
        files = {}  # all of them are made before any is written
        if options.json:
            text = json.dumps(outcome.json(), indent=1, ensure_ascii=False)
            files[options.json] = text.encode()
        if options.png:
            files[options.png] = picture(outcome)
        for path, content in files.items():
            write(path, content)
    return 0


def _parser():
    parser = argparse.ArgumentParser(
        prog="course.py reproduce",
        description="Run an experiment of one of the papers again. Without arguments: list them.",
    )
    parser.add_argument("paper", nargs="?", help="for example pulles2019")
    parser.add_argument("figure", nargs="?", help="for example fig3; without it: all of a paper")
    parser.add_argument("--sessions", type=at_least(2), help="how many (default: the paper's)")
    parser.add_argument("--games", type=at_least(1), help="a session (default: the paper's)")
    parser.add_argument("--seed", type=at_least(0), default=0, help="default 0")
    parser.add_argument(
        "--by", choices=["iterations", "time"], help="what limits a searcher (kyziridis2019)"
    )
    parser.add_argument("--workers", type=at_least(1), help="of a sweep (default: all cores)")
    parser.add_argument("--dask", metavar="ADDRESS", help="give a sweep to this Dask cluster")
    parser.add_argument(
        "--afresh", action="store_true", help="compute a sweep's finished cells again"
    )
    parser.add_argument("--json", metavar="FILE", help="write the numbers")
    parser.add_argument("--png", metavar="FILE", help="write the picture")
    return parser


def at_least(least):
    def number(text):
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r}: expected a whole number, {least} or more")
        return int(text)

    return number


def choose(options):
    """The experiments that were asked for."""
    chosen = _named(options)
    if options.by is None:
        return chosen
    timed = [getattr(each, "timed", False) for each in chosen]
    if not any(timed):
        raise ValueError(f"--by: {options.figure or options.paper} has no response times to go by")
    return [
        each.budget_by(options.by) if goes else each
        for each, goes in zip(chosen, timed, strict=True)
    ]


def _named(options):
    """Those with the paper's and the figure's name."""
    if options.paper not in PAPERS:
        raise ValueError(f"no paper {options.paper!r}; there are: {', '.join(PAPERS)}")
    experiments = PAPERS[options.paper]
    if options.figure is None:
        if options.json or options.png:
            raise ValueError("--json and --png need one figure: " + ", ".join(experiments))
        return list(experiments.values())
    if options.figure not in experiments:
        raise ValueError(
            f"no {options.figure!r} in {options.paper}; there are: {', '.join(experiments)}"
        )
    return [experiments[options.figure]]


def listing(papers):
    """Everything that can be reproduced, a line each."""
    lines = []
    for paper, experiments in papers.items():
        lines.append(paper)
        lines.extend(f"  {name:17} {each.title}" for name, each in experiments.items())
    return "\n".join([*lines, "", "python3 course.py reproduce PAPER FIGURE runs one of them."])


def picture(outcome):
    """The picture of an outcome, as PNG."""
    figure = Figure(figsize=(11, 4.5), dpi=120)
    outcome.draw(figure)
    with tempfile.TemporaryFile() as file:
        figure.savefig(file, format="png")
        file.seek(0)
        return file.read()


def check_writable(path):
    """Better now than after the run."""
    if path.is_dir():
        raise ValueError(f"{path} is a folder: name a file")
    if not os.access(path.parent, os.W_OK):
        raise ValueError(f"{path} can't be written: there is no such folder, or it is protected")


def write(path, content):
    """All of the file or nothing of it: an interrupted run leaves no half file."""
    path = Path(path)
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        try:
            file.write(content)
            file.close()
            os.replace(file.name, path)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise


if __name__ == "__main__":
    sys.exit(main())
