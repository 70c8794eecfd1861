"""Phase E: the clock on which all plots of movement are carried out together (KP-6, KP-8, KP-9.2, KP-9.6, KP-12)."""
