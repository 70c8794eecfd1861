"""Tournaments: many games of bots over rulesets and scenarios, from one file, that can be resumed and re-run.

``plan.py`` says what a tournament and a game of it are, ``manifest.py`` reads the file, ``schedule.py`` lists games,
``store.py`` keeps results and logs, ``running.py`` plays what is missing. A game is a function of the manifest and its
number alone: not of worker, order or clock.
"""
