"""Folders: the account's tree, by keyboard and without script."""

from django.apps import AppConfig


class FoldersConfig(AppConfig):
    """App of the folders."""

    name = "dashboard.folders"
