"""Addresses of AI content: `/dashboard/ai-content/<video>/<language>/<section>/`."""

from django.urls import include, path, register_converter

from dashboard.ai_content import ebook_views, mindmap_views, quiz_views, resource_views, save_views, views


class Language:
    """A language code as the platform writes it, or `legacy`; of any length a code can have."""

    regex = "[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,2}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class Handle(Language):
    """The name of a question in an address: see `rules.quiz.HANDLE`."""

    regex = "[a-z0-9]{6,40}"


register_converter(Language, "ai_language")
register_converter(Handle, "ai_handle")

app_name = "ai_content"
of_a_language = [
    path("", views.language, name="language"),
    path("pulse/", views.pulse, name="pulse"),
    path("undo/", views.undo, name="undo"),
    path("discard/", views.discard, name="discard"),
    path("ebook/", ebook_views.ebook, name="ebook"),
    path("ebook/keep/", ebook_views.keep, name="keep"),
    path("ebook/paste/", ebook_views.paste, name="paste"),
    path("ebook/print/", ebook_views.print_, name="print"),
    path("mindmap/", mindmap_views.mindmap, name="mindmap"),
    path("mindmap/json/", mindmap_views.mindmap_json, name="mindmap_json"),
    path("quiz/", quiz_views.quiz, name="quiz"),
    path("quiz/add/", quiz_views.add, name="add"),
    path("quiz/settings/", quiz_views.settings, name="settings"),
    path("quiz/compare/", quiz_views.compare, name="compare"),
    path("quiz/preview/", quiz_views.preview, name="preview"),
    path("quiz/put-back/", quiz_views.put_back, name="put_back"),
    path("quiz/questions/<ai_handle:handle>/", quiz_views.question, name="question"),
    path("quiz/questions/<ai_handle:handle>/duplicate/", quiz_views.duplicate, name="duplicate"),
    path("quiz/questions/<ai_handle:handle>/move/", quiz_views.move, name="move"),
    path("quiz/questions/<ai_handle:handle>/delete/", quiz_views.delete, name="delete"),
    path("quiz/questions/<ai_handle:handle>/json/", quiz_views.json, name="question_json"),
    path("versions/", views.versions, name="versions"),
    path("versions/<int:pk>/", views.version, name="version"),
    path("versions/<int:pk>/restore/", views.restore, name="restore"),
    path("resources/delete/", resource_views.delete, name="delete_resources"),
    path("save/", save_views.save, name="save"),
    path("save/arrived/", save_views.arrived, name="arrived"),
    path("save/again/", save_views.again, name="again"),
    path("merge/", save_views.merge, name="merge"),
    path("import/", views.import_, name="import"),
    path("export/<slug:kind>/", views.export, name="export"),
]
urlpatterns = [
    path("", views.ai_content, name="ai_content"),
    path("<uuid:video_id>/", views.video, name="video"),
    path("<uuid:video_id>/row/", views.row, name="row"),
    path("<uuid:video_id>/generate/", resource_views.generate, name="generate"),
    path("<uuid:video_id>/generate/jobs/", resource_views.generation, name="generation"),
    path("<uuid:video_id>/<ai_language:lang>/", include(of_a_language)),
]
