"""Bots as processes: fenced programs in any language that exchange JSON lines, each with a verdict.

``protocol.py`` defines the messages, ``option_schema.py`` the description of options, and ``limits.py`` the resources
of a bot. ``supervisor.py`` is the process that enforces them, ``fencing.py`` isolates the bot, and ``sandbox_view.py``
defines what it sees of the file system. ``channel.py`` holds the pipes, ``bot.py`` the player, ``supervised.py`` a game
with such players, and ``checking.py`` the trials of ``sandtable bot check``. For authors of bots: ``docs/bots.md``.
"""
