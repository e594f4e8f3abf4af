"""Folders: the account's tree, by keyboard and without script."""

from django.utils.translation import gettext_noop

from dashboard import feature


class FoldersConfig(feature.Feature):
    """App of the folders."""

    name = "dashboard.folders"
    registers = ("search_provider",)
    places = (feature.Place("library", 20, "folders:folders", gettext_noop("Folders"), "folder"),)
    actions = (
        feature.Action(
            100, gettext_noop("Show inactive folders"), "folders:folders", "folder", query={"inactive": "1"}
        ),
    )
