"""Bots as processes: programs in any language that speak JSON lines, fenced in, each with a verdict.

``protocol.py`` is what is said, ``option_schema.py`` how options are told, ``limits.py`` what a bot may use,
``supervisor.py`` the process that holds it to that, ``fencing.py`` how it is shut in, ``sandbox_view.py`` what it
sees of the system, ``channel.py`` the pipes, ``bot.py`` the player, ``supervised.py`` a game with such players,
``checking.py`` what ``sandtable bot check`` tries. For authors of bots: ``docs/bots.md``.
"""
