"""The search player: Monte-Carlo tree search over games that could be, for every ruleset.

``tree`` holds what was tried and how it went, ``listing`` finds orders to try, ``playout`` plays a game to its end,
``player`` is the player.
"""
