"""Answers to questions, menus, confirmations and tables."""
