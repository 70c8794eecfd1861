"""The user interface: notation, menus, answers, narration, drawings and reports."""
