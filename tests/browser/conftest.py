"""JupyterLab and a Chromium of their own, for what only a browser shows.

    def test_something(open_notebook):
        page = open_notebook(["from course_lib.widgets import *", "board(TicTacToe())"])

`open_notebook(cells, theme="light")` writes a notebook, opens it, runs all of its cells and returns
the page (playwright's); instead of cells it takes the path of a notebook, too. When a test ends,
its pages must have been free of errors, and nothing may have been asked of any other computer.
"""

import contextlib
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import nbformat
import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
OFFLINE_VOILA = Path(__file__).parents[2] / "course_lib" / "widgets"
AT_HOME = {"127.0.0.1", "localhost", None}  # None: blob: and data:, which ask nobody
SECONDS = 30  # the longest wait for anything else
SECONDS_A_NOTEBOOK = 150  # for all of its cells, where all is compiled anew


class Lab(NamedTuple):
    """A JupyterLab that runs."""

    url: str
    token: str
    folder: Path
    settings: Path

    def ask(self, path):
        """What its REST interface answers."""
        with urllib.request.urlopen(f"{self.url}{path}?token={self.token}", timeout=10) as answer:
            return json.load(answer)


def own_folders(place):
    """Nothing is read from, or left in, the folders of whoever runs the tests."""
    names = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "IPYTHONDIR": "ipython",
    }
    for name in names.values():
        (place / name).mkdir(parents=True)
    environment = {**os.environ, "JUPYTER_PREFER_ENV_PATH": "1"}
    return {**environment, **{key: str(place / name) for key, name in names.items()}}


def write_settings(folder, plugin, settings):
    package, name = plugin.split(":")
    place = folder / package
    place.mkdir(parents=True, exist_ok=True)
    (place / f"{name}.jupyterlab-settings").write_text(json.dumps(settings))


@pytest.fixture(scope="session")
def jupyterlab(tmp_path_factory):
    if CHROMIUM is None:
        pytest.skip("no Chromium on this computer (Debian: apt install chromium)")
    place = tmp_path_factory.mktemp("jupyter")
    environment = own_folders(place)
    settings = place / "settings" / "@jupyterlab"
    write_settings(settings, "apputils-extension:notification", {"fetchNews": "false"})
    write_settings(settings, "notebook-extension:tracker", {"windowingMode": "none"})
    (place / "root").mkdir()
    token = secrets.token_hex(16)
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    command += ["--ip=127.0.0.1", "--port=0", f"--IdentityProvider.token={token}"]
    command += [f"--ServerApp.root_dir={place / 'root'}"]
    with open(place / "log", "w") as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        yield Lab(url_of(server, place), token, place / "root", settings)
    finally:
        end(server)


@pytest.fixture
def open_in_voila(tmp_path, watched_page):
    """A function: show a notebook with these cells in Voilà, return the page."""
    shown = []

    def opening(cells):
        write_notebook(tmp_path / "shown.ipynb", cells)
        port = free_port()
        command = [sys.executable, "-m", "voila", "shown.ipynb", "--no-browser"]
        command += [f"--port={port}", "--Voila.ip=127.0.0.1", "--template=course"]
        environment = {**own_folders(tmp_path / "own"), "JUPYTER_PATH": str(OFFLINE_VOILA)}
        with open(tmp_path / "log", "w") as log:
            server = subprocess.Popen(
                command, cwd=tmp_path, env=environment, stdout=log, stderr=log
            )
        page = watched_page()
        shown.append((page, server))
        wait_for_answer(f"http://127.0.0.1:{port}/static/", server, tmp_path / "log")
        page.goto(f"http://127.0.0.1:{port}/")
        return page

    yield opening
    for page, server in shown:
        page.close()  # first: a page that misses its server complains
        end(server)


def free_port():
    with socket.socket() as chosen:
        chosen.bind(("127.0.0.1", 0))
        return chosen.getsockname()[1]


def wait_for_answer(url, server, log):
    give_up = time.monotonic() + SECONDS
    while time.monotonic() < give_up and server.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except urllib.error.HTTPError:  # an answer, too
            return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("the server did not start:\n" + log.read_text())


def url_of(server, place):
    """Where the server listens: it writes that into its runtime folder."""
    give_up = time.monotonic() + SECONDS
    while time.monotonic() < give_up and server.poll() is None:
        for info in (place / "runtime").glob("jpserver-*.json"):
            try:
                return json.loads(info.read_text())["url"]
            except ValueError:  # half written
                pass
        time.sleep(0.1)
    raise RuntimeError("JupyterLab did not start:\n" + (place / "log").read_text())


def end(process):
    """Kernels end with their server."""
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """A Chromium without a past."""
    # Not for the whole session: while it lives, Python code around it sees an event loop.
    if CHROMIUM is None:
        pytest.skip("no Chromium on this computer (Debian: apt install chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            tmp_path_factory.mktemp("chromium"),
            executable_path=CHROMIUM,
            headless=True,
            args=FLAGS,
            viewport={"width": 1100, "height": 900},
        )
        context.set_default_timeout(SECONDS * 1000)
        yield context
        context.close()


@pytest.fixture
def watched_page(browser):
    """A function that opens an empty page; its errors and requests are checked at the end."""
    errors, foreign, pages = [], [], []

    def asked(request):
        if urlsplit(request.url).hostname not in AT_HOME:
            foreign.append(request.url)

    def new_page():
        page = browser.new_page()
        pages.append(page)
        page.on("console", lambda said: said.type == "error" and errors.append(said.text))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", asked)
        page.on("websocket", asked)
        page.expected_errors = []  # parts of messages that this test provokes
        return page

    yield new_page
    expected = [part for page in pages for part in page.expected_errors]
    for page in pages:
        page.close()
    assert not foreign, "requests that left this computer"
    assert not [e for e in errors if not any(part in e for part in expected)], "console errors"


@pytest.fixture
def open_notebook(jupyterlab, watched_page):
    """A function: write a notebook, open it, run all cells, return the page. See above."""
    opened = []

    def opening(cells, theme="light"):
        name = f"test_{secrets.token_hex(4)}.ipynb"
        opened.append(name)
        write_notebook(jupyterlab.folder / name, cells)
        page = watched_page()
        page.notebook = name
        look = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}[theme]
        write_settings(jupyterlab.settings, "apputils-extension:themes", {"theme": look})
        page.goto(f"{jupyterlab.url}doc/tree/{name}?token={jupyterlab.token}")
        wait_for_kernel(page, jupyterlab, name)
        run_all(page)
        return page

    yield opening
    for session in jupyterlab.ask("api/sessions"):
        if session["path"] in opened:
            end_kernel(jupyterlab, session["kernel"]["id"])


def write_notebook(path, cells):
    """cells: their code, or the path of a notebook, whose output is left out."""
    if isinstance(cells, Path):
        cells = nbformat.read(cells, as_version=4).cells
        cells = [each.source for each in cells if each.cell_type == "code"]
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(cell) for cell in cells],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
    )
    nbformat.write(notebook, path)


def wait_for_kernel(page, lab, name):
    page.wait_for_selector(".jp-KernelName:has-text('Python')")
    page.wait_for_selector(".jp-Spinner", state="detached")
    page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status='idle']")
    give_up = time.monotonic() + SECONDS
    while time.monotonic() < give_up:
        states = {s["path"]: s["kernel"]["execution_state"] for s in lab.ask("api/sessions")}
        if states.get(name) == "idle":
            return
        page.wait_for_timeout(100)
    raise RuntimeError(f"the kernel of {name} is not ready: {states}")


def run_all(page):
    """Done when every cell has its number. After an error the cells below it would never have."""
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    page.wait_for_function(
        """() => document.querySelector(".jp-OutputArea-output[data-mime-type*='error']") ||
            [...document.querySelectorAll('.jp-CodeCell .jp-InputPrompt')]
                .every(each => /\\d/.test(each.textContent))""",
        timeout=1000 * SECONDS_A_NOTEBOOK,
    )
    errors = page.locator(".jp-OutputArea-output[data-mime-type*='error']")
    assert not errors.count(), f"an error in a cell:\n{errors.first.inner_text()}"


def end_kernel(lab, kernel):
    request = urllib.request.Request(
        f"{lab.url}api/kernels/{kernel}?token={lab.token}", method="DELETE"
    )
    with contextlib.suppress(urllib.error.HTTPError):  # it is gone already
        urllib.request.urlopen(request, timeout=20).close()
