"""The papers' experiments as data: parameters, published numbers, how to run them."""

from course_lib.experiments import (
    arvidsson2010,
    frederiksen2019,
    jose2022,
    kyziridis2019,
    pulles2019,
)

PAPERS = {
    each.PAPER: each.EXPERIMENTS
    for each in (pulles2019, arvidsson2010, jose2022, frederiksen2019, kyziridis2019)
}
