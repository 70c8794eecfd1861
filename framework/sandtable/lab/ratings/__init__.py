"""What many games show: scores, Elo, sequential tests, balance of sides, luck; each with how sure it is.

``results.py`` counts rows of results, ``findings.py`` makes the statistics of a tournament out of the counts.
``sprt.py`` is the sequential test, ``elo.py`` the ratings of a field, ``multiplayer.py`` those of games for
more than two sides, ``luck_adjusted.py`` the score without luck. Pure functions of counts: where
there is nothing to compute, the answer is None, and a report says n/a.
"""
