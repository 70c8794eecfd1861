"""Leaders, their casualties, and honor."""
