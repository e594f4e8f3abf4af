"""Getting started: the first steps of a new account, and what its platform offers."""

from dashboard import feature


class GettingStartedConfig(feature.Feature):
    """App of the first steps."""

    name = "dashboard.getting_started"
    registers = ("pages",)
