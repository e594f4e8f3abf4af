"""Addresses of AI content: `/dashboard/ai-content/<video>/<language>/<section>/`."""

from django.urls import include, path, register_converter

from dashboard.ai_content import views
from dashboard.ai_content.ebook import views as ebook
from dashboard.ai_content.exchange import views as exchange
from dashboard.ai_content.mindmap import views as mindmap
from dashboard.ai_content.quiz import comparison
from dashboard.ai_content.quiz import views as quiz
from dashboard.ai_content.resources import views as resources
from dashboard.ai_content.save import views as sending
from dashboard.ai_content.versions import views as versions


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
    path("ebook/", ebook.ebook, name="ebook"),
    path("ebook/keep/", ebook.keep, name="keep"),
    path("ebook/paste/", ebook.paste, name="paste"),
    path("ebook/print/", ebook.print_, name="print"),
    path("mindmap/", mindmap.mindmap, name="mindmap"),
    path("mindmap/json/", mindmap.mindmap_json, name="mindmap_json"),
    path("quiz/", quiz.quiz, name="quiz"),
    path("quiz/add/", quiz.add, name="add"),
    path("quiz/settings/", quiz.settings, name="settings"),
    path("quiz/compare/", comparison.compare, name="compare"),
    path("quiz/preview/", comparison.preview, name="preview"),
    path("quiz/put-back/", quiz.put_back, name="put_back"),
    path("quiz/questions/<ai_handle:handle>/", quiz.question, name="question"),
    path("quiz/questions/<ai_handle:handle>/duplicate/", quiz.duplicate, name="duplicate"),
    path("quiz/questions/<ai_handle:handle>/move/", quiz.move, name="move"),
    path("quiz/questions/<ai_handle:handle>/delete/", quiz.delete, name="delete"),
    path("quiz/questions/<ai_handle:handle>/json/", quiz.json, name="question_json"),
    path("versions/", versions.versions, name="versions"),
    path("versions/<int:pk>/", versions.version, name="version"),
    path("versions/<int:pk>/restore/", versions.restore, name="restore"),
    path("resources/delete/", resources.delete, name="delete_resources"),
    path("save/", sending.save, name="save"),
    path("save/arrived/", sending.arrived, name="arrived"),
    path("save/again/", sending.again, name="again"),
    path("merge/", sending.merge, name="merge"),
    path("import/", exchange.import_, name="import"),
    path("export/<slug:kind>/", exchange.export, name="export"),
]
urlpatterns = [
    path("", views.ai_content, name="ai_content"),
    path("<uuid:video_id>/", views.video, name="video"),
    path("<uuid:video_id>/row/", views.row, name="row"),
    path("<uuid:video_id>/generate/", resources.generate, name="generate"),
    path("<uuid:video_id>/generate/jobs/", resources.generation, name="generation"),
    path("<uuid:video_id>/<ai_language:lang>/", include(of_a_language)),
]
