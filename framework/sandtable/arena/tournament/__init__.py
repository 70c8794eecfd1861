"""Tournaments: many games of bots over rulesets and scenarios, from one file, that can be resumed and re-run.

``plan.py`` says what a tournament and a game of it are, ``manifest.py`` reads the file, ``stage.py`` finds what it
names, ``schedule.py`` lists games, ``play.py`` plays one, ``bodies.py`` makes its log small and whole again,
``store.py`` keeps results and logs, ``running.py`` gives what is missing to the workers, ``deciding.py`` is the stop
rule, ``rerun.py`` checks it all. A game is a function
of the manifest and its number alone: not of worker, order or clock.
"""
