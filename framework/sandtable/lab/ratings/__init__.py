"""Statistics of many games, with their confidence: scores, Elo, sequential tests, balance of sides, and luck.

``results.py`` counts rows of results, and ``findings.py`` computes the statistics of a tournament from the counts.
``sets.py`` counts games of more than two sides, ``elo.py`` rates a field of players in games of any number of sides,
``sprt.py`` is the sequential test, and ``luck_adjusted.py`` computes the score without luck. All are pure functions of
counts. They return None if there is nothing to compute, and reports show n/a.
"""
