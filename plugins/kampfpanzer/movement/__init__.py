"""Phase E: the clock that carries out all movement plots together (KP-6.0a to KP-6.4f, KP-8.0a to KP-8.4a)."""
