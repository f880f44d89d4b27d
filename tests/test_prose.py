"""Numbers that a notebook's text quotes are computed by its cells, so that they can't grow stale.

What looks like a measurement: numbers with decimals, with a comma for thousands or with a per cent
sign, and whole numbers from 20 on. Such a number must stand in the code or in the output of a cell
of the same notebook. What somebody else says (in quotes), arithmetic (17 = 9 + 2 · 4), code,
formulas, headings, years, and the numbers of figures, listings and sections are left out.
"""

import re
from decimal import Decimal
from pathlib import Path

import nbformat
import pytest

NOTEBOOKS = sorted(Path(__file__).parents[1].glob("notebooks/*.ipynb"))
ALLOWED = {}  # {notebook: {number: where it comes from}}, for what no cell can compute
NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
ARITHMETIC = rf"{NUMBER}(?:\s*[-+−–·×/=]\s*{NUMBER})+"
NO_MEASUREMENT = (
    r"(?s)```.*?```|`[^`]*`",  # code
    r"(?s)\$\$.*?\$\$|\$[^$\n]*\$",  # formulas
    r"(?m)^#+ .*$",  # headings
    r'"[^"]*"|“[^”]*”',  # quotations
    r"\b(?:1[6-9]|20)\d\d\b(?![,.]\d)",  # years
    rf"(?i)\b(?:figure|listing|section|lecture|table)s? {NUMBER}"
    rf"(?:(?:,| to| and| or|–|, and) {NUMBER})*",
    ARITHMETIC,
    r"[A-Z]\([^()]*\)",  # M(1, 2, 1): parameters
)


def value(text):
    """1,500 and 1500.0 are the same number."""
    return Decimal(text.replace(",", "")).normalize()


def numbers_of(prose):
    """The numbers in a text that look like measurements, as they are written."""
    for pattern in NO_MEASUREMENT:
        prose = re.sub(pattern, " … ", prose)
    for found in re.finditer(rf"(?<![\w.,]){NUMBER}(?!\w)(\s?%)?", prose):
        written = found[0].removesuffix(found[1] or "")
        if found[1] or "." in written or "," in written or value(written) >= 20:
            yield written


def computed_in(notebook):
    """All numbers in the code and in the texts that the cells put out."""
    texts = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            texts.append(re.sub(r"(?<=\d)_(?=\d)", "", cell.source))
            for output in cell.outputs:
                texts.append(output.get("text", "") or output.get("data", {}).get("text/plain", ""))
    return {value(found) for text in texts for found in re.findall(NUMBER, text)}


def unfounded(notebook):
    """Numbers in the text that no cell of the notebook computes."""
    computed = computed_in(notebook)
    prose = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    return [each for text in prose for each in numbers_of(text) if value(each) not in computed]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_numbers_in_the_text_come_from_the_cells(path):
    allowed = ALLOWED.get(path.stem, {})
    found = unfounded(nbformat.read(path, as_version=4))
    assert [each for each in found if each not in allowed] == []
    assert [each for each in allowed if each not in found] == [], "allowed for nothing"


def wrong_arithmetic(prose):
    """Equations between numbers that do not hold."""
    for equation in re.findall(ARITHMETIC, prose):
        plain = equation.replace(",", "").translate(str.maketrans("−–·×", "--**"))
        sides = [eval(side) for side in plain.split("=")]  # digits and operators, nothing else
        if any(abs(side - sides[0]) > 1e-9 for side in sides):
            yield equation


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_arithmetic_in_the_text_is_right(path):
    cells = nbformat.read(path, as_version=4).cells
    prose = [cell.source for cell in cells if cell.cell_type == "markdown"]
    assert [wrong for text in prose for wrong in wrong_arithmetic(text)] == []


def test_wrong_arithmetic_is_found():
    assert list(wrong_arithmetic("17 = 9 + 2 · 4 = 27,000 / 1,588")) == [
        "17 = 9 + 2 · 4 = 27,000 / 1,588"
    ]
    assert list(wrong_arithmetic("17 = 9 + 2 · 4, and 0.7 − 0.3 = 0.4, and 8/4/2/1")) == []


def made_of(text, code="", printed=""):
    cell = nbformat.v4.new_code_cell(code, outputs=[nbformat.v4.new_output("stream", text=printed)])
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text), cell])


@pytest.mark.parametrize("text", ["It won 1,234 games.", "p is 0.71", "in 7 % of them", "all 304"])
def test_a_number_from_nowhere_is_found(text):
    assert unfounded(made_of(text, "run(305)", "1,235 wins; 0.72; 8 %"))


@pytest.mark.parametrize(
    "text",
    [
        "It won 1,234 games, 71.50 % of them.",
        "Three of the 12 boxes",
        "Pulles (2019), figures 23 and 24, says `x = 0.33` and $b^{77}$",
        'the paper says "about 30.000 nodes"',
        "9 · 4 = 36 beads, 8/4/2/1, M(1, 20, 300)",
        "# 765 boards",
    ],
)
def test_numbers_of_the_cells_and_names_are_no_news(text):
    assert unfounded(made_of(text, "run(games=1_234)", "won: 71.5 %")) == []
