"""Boards of areas as SVG and as text."""
