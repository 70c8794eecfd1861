"""Shared dice: all sides contribute to every roll, so that no side can predict, choose or repeat one."""
