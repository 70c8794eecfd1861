"""The search player: Monte-Carlo tree search over games that could be, for every ruleset.

``tree`` holds what was tried and how it went, ``walk`` lets it grow, ``listing`` finds orders to try, ``playout`` plays
a game on, ``player`` is the player.
"""
