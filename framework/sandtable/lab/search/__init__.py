"""The search player, which tries orders in simulated games of any ruleset.

``player`` is the player. If a bot gives advice, ``improvement`` tries to improve on it with orders from ``proposals``.
Otherwise ``tree`` stores what was tried and its results, and ``mcts`` grows it. ``listing`` finds orders to try, and
``playout`` continues a game.
"""
