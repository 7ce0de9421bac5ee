"""Stands in for the host application that community plugins import from. Everything is asked of the gateway, as the person the call is for."""

from ._gateway import application_state, unknown_modules

unknown_modules.install()
application_state.install()
