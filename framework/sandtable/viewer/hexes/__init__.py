"""Boards of hexes as SVG and as text."""
