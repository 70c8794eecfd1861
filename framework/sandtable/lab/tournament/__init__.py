"""Tournaments: many games of bots over rulesets and scenarios, from one file, that can be resumed and re-run.

``manifest.py`` reads the file, ``preparing.py`` finds what it
names, ``schedule.py`` lists games, ``play.py`` plays one, ``payloads.py`` makes its log small and whole again,
``store.py`` keeps results and logs, ``running.py`` gives what is missing to the workers, ``stopping.py`` is the stop
rule, ``rerun.py`` checks it all. A game is a function
of the manifest and its number alone: not of worker, order or clock.
"""
