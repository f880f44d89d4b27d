"""The papers' experiments as data: parameters, published numbers, how to run them."""

from course_lib.experiments import frederiksen2019, jose2022, pulles2019

PAPERS = {each.PAPER: each.EXPERIMENTS for each in (pulles2019, jose2022, frederiksen2019)}
