"""Naive second opinions for the tests: slow, plain, written without a look at course_lib."""
