from django.apps import AppConfig


class SandboxConfig(AppConfig):
    """Installed only when the embedded platform is on; keeps its records on the database alias `sandbox`."""

    name = "dashboard.sandbox"
    label = "sandbox"
    verbose_name = "Embedded platform"
    default_auto_field = "django.db.models.BigAutoField"
