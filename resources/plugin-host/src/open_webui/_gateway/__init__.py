"""How the modules of this package reach the gateway."""
