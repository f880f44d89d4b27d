"""Tests and notebooks under test leave nobody's progress file behind, and read none."""

import os

os.environ["COURSE_PROGRESS"] = "off"
