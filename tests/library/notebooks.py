"""Notebooks as Jupyter writes them."""

from __future__ import annotations

import json
from typing import Any


def notebook(*cells: str, **fields: Any) -> bytes:
    """Return a notebook with these `cells`; one that begins with ``#M`` is Markdown."""
    made = [
        {
            "cell_type": "markdown" if each.startswith("#M") else "code",
            "metadata": {},
            "outputs": [{"output_type": "stream", "text": ["# %% [9]\n"]}],
            "source": each.removeprefix("#M").splitlines(keepends=True),
        }
        for each in cells
    ]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": made, **fields}).encode()
