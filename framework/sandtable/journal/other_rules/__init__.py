"""Recorded games under rules other than those that they were played with."""
