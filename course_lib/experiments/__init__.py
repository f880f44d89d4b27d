"""The papers' experiments as data: parameters, published numbers, how to run them."""

from course_lib.experiments import jose2022, kyziridis2019, pulles2019

PAPERS = {each.PAPER: each.EXPERIMENTS for each in (pulles2019, jose2022, kyziridis2019)}
