"""The search player: it tries orders out in games that could be, for every ruleset.

``player`` is the player. Where a bot gives advice, ``improvement`` tries to better it with what ``proposals`` names;
where none does, ``tree`` holds what was tried and how it went, and ``mcts`` lets it grow. ``listing`` finds orders to
try, ``playout`` plays a game on.
"""
