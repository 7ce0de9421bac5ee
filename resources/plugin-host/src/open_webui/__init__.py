"""Stands in for the host application community plugins import from. The gateway is asked for everything, as the person the call is for."""

from ._gateway import application_state, unknown_modules

unknown_modules.install()
application_state.install()
