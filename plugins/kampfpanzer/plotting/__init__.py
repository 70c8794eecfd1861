"""Plots: their notation (``notation``), legality, sampling and sheets."""
