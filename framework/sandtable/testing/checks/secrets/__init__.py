"""Whether secrets stay secret: orders, dice and whole worlds are exchanged, and nobody may notice who should not."""
