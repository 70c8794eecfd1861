"""Checks that secrets stay secret: orders, dice and whole worlds are exchanged, and no uninformed side may notice."""
