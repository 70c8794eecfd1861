"""Plots: how they are written (``notation``), judged, drawn at random and handed in."""
