"""Bots as processes: programs in any language that speak JSON lines, fenced in, each with a verdict.

``protocol.py`` is what is said, ``describing.py`` how options are told, ``limits.py`` what a bot may use, ``warden.py``
the process that holds it to that, ``channel.py`` the pipes, ``bot.py`` the player, ``guarded.py`` a game with such
players, ``checking.py`` what ``sandtable bot check`` tries. For authors of bots: ``docs/bots.md``.
"""
