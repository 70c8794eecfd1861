"""Tournaments: many games between bots over rulesets and scenarios, from one file, resumable and replayable.

``manifest.py`` reads the file and ``preparing.py`` finds what it names. ``schedule.py`` lists the games, ``play.py``
plays one, and ``payloads.py`` compresses and restores its log. ``store.py`` keeps results and logs, ``running.py``
gives missing games to the workers, ``stopping.py`` applies the stop rule, and ``rerun.py`` verifies everything. A game
depends only on the manifest and its number, not on worker, order or clock.
"""
