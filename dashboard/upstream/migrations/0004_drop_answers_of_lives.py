"""Drops what was kept of lives: earlier releases kept their stream keys with it. Pages read them anew."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def drop_answers_of_lives(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    answers = apps.get_model("upstream", "KnownAnswer").objects.using(editor.connection.alias)
    answers.filter(operation__startswith="lives.").delete()


class Migration(migrations.Migration):
    dependencies = [("upstream", "0003_capabilities")]
    operations = [migrations.RunPython(drop_answers_of_lives, migrations.RunPython.noop)]
