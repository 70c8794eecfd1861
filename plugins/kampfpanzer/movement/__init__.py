"""Phase E: the clock that carries out all movement plots together (KP-6, KP-8, KP-9.2, KP-9.6, KP-12)."""
