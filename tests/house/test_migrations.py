"""The migrations make what the models say, of every app."""

import pytest
from django.core.management import call_command


@pytest.mark.django_db(databases=["default", "sandbox"])
def test_no_model_says_what_no_migration_makes() -> None:
    call_command("makemigrations", check_changes=True, dry_run=True, verbosity=1)
