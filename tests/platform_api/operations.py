"""One example call per operation, with what must leave for it. Wire, error, tolerance and preview tests run over it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from dashboard.platform_api import Operations, PlatformConfig

CONFIG = PlatformConfig(
    base_url="https://api.example/v2",
    data_url="https://data.example",
    traffic_url="https://traffic.example/",
    config_url="https://files.example/content",
    review_url="https://review.example",
    subtitles_url="https://subtitles.example",
    live_config_url="https://live.example",
)
TOKEN = "owner-token"
REVIEWER = "5f0b7a51-6d1f-4d0c-9a53-3a2f1f5f0001"

VIDEO = "11111111-1111-4111-8111-111111111111"
LINK = "22222222-2222-4222-8222-222222222222"
COMMENT = "33333333-3333-4333-8333-333333333333"
FIELD = "44444444-4444-4444-8444-444444444444"
LIVE = "55555555-5555-4555-8555-555555555555"
FUNNEL = "66666666-6666-4666-8666-666666666666"
FOLDER = "77777777-7777-4777-8777-777777777777"
PLAYLIST = "88888888-8888-4888-8888-888888888888"
TEST = "636f6d70-9999-4999-8999-999999999999"
START, END = date(2026, 1, 5), date(2026, 2, 3)

BASE, DATA, TRAFFIC, FILES = (
    "https://api.example/v2",
    "https://data.example",
    "https://traffic.example",
    "https://files.example/content",
)
BEARER = f"Bearer {TOKEN}"

TRANSLATION = {"type": "TRANSLATION", "video_id": VIDEO, "from_lang": "en", "to_lang": "pt-BR", "tier": "pro"}
TRANSCRIPTION = {
    "type": "TRANSCRIPTION",
    "video_id": VIDEO,
    "from_lang": "auto",
    "tier": "advanced",
    "additional_langs": [{"lang": "es"}],
}
SUB_ACCOUNT = {
    "name": "Ação & Cia",
    "currency": "brl",
    "phone": "+55 11 5555 0000",
    "tax_id": "12345678909",
    "user": {"name": "Ana", "email": "ana@example.org"},
}
PACKAGE = {"video_id": VIDEO, "lang": "pt-BR", "abstract": "# Título", "mindmap": {"topic": "x"}}
NEW_LINK = {"link_name": "Cut 3", "expires_at": 1767225600000, "allow_comment": False}
NEW_LIVE = {"title": "Lançamento", "scheduled_time": "2026-12-01T23:00:00Z", "bitrate": ["720p"], "active_dvr": True}
FUNNEL_VIDEOS = [{"id": VIDEO, "front_coordinates": {"x": 1.5, "y": -2}, "is_first": True}]

NO_BODY: Any = object()


@dataclass(frozen=True)
class Example:
    """What a call must look like when it leaves."""

    operation: str
    call: Callable[[Operations], object]
    method: str
    url: str
    body: Any = NO_BODY
    authorization: str | None = TOKEN
    variant: str = ""

    def __str__(self) -> str:
        return f"{self.operation} {self.variant}".strip()


EXAMPLES = (
    Example("videos.list", lambda p: p.videos.list(), "GET", f"{BASE}/videos?page=1&limit=50"),
    Example(
        "videos.list",
        lambda p: p.videos.list(2, 10, title="a b&c=ç", status="CONVERTED", folder_id=FOLDER, root_folder=True),
        "GET",
        f"{BASE}/videos?page=2&limit=10&title=a%20b%26c%3D%C3%A7&status=CONVERTED&folder_id={FOLDER}&root_folder=1",
        variant="with every filter",
    ),
    Example("videos.get", lambda p: p.videos.get(VIDEO), "GET", f"{BASE}/videos/{VIDEO}"),
    Example(
        "videos.get", lambda p: p.videos.get(UUID(VIDEO)), "GET", f"{BASE}/videos/{VIDEO}", variant="by a UUID object"
    ),
    Example("videos.subtitles", lambda p: p.videos.subtitles(VIDEO), "GET", f"{BASE}/subtitles/{VIDEO}"),
    Example(
        "videos.read_subtitle",
        lambda p: p.videos.read_subtitle(VIDEO, "pt-BR"),
        "GET",
        f"{BASE}/subtitles/{VIDEO}/pt-BR",
    ),
    Example(
        "ai_workflow.generate_package",
        lambda p: p.ai_workflow.generate_package(VIDEO, "pt-BR", ["ebook", "quiz"]),
        "POST",
        f"{BASE}/aiworkflow",
        {"video_id": VIDEO, "from_lang": "pt-BR", "type": "ALL_TEXT_ITEMS"},
    ),
    Example(
        "ai_workflow.delete_package",
        lambda p: p.ai_workflow.delete_package(VIDEO, "pt-BR", ["mindmap"]),
        "DELETE",
        f"{BASE}/aiworkflow/aipackage",
        {"video_id": VIDEO, "lang": "pt-BR", "resources": ["mindmap"]},
    ),
    Example("ai_workflow.jobs", lambda p: p.ai_workflow.jobs(VIDEO), "GET", f"{BASE}/aiworkflow?video_id={VIDEO}"),
    Example(
        "ai_workflow.create",
        lambda p: p.ai_workflow.create(TRANSCRIPTION),
        "POST",
        f"{BASE}/aiworkflow",
        TRANSCRIPTION,
        variant="single",
    ),
    Example(
        "ai_workflow.create",
        lambda p: p.ai_workflow.create([TRANSLATION, {**TRANSLATION, "to_lang": "es"}]),
        "POST",
        f"{BASE}/aiworkflow",
        [TRANSLATION, {**TRANSLATION, "to_lang": "es"}],
        variant="batch",
    ),
    Example(
        "ai_workflow.save_package",
        lambda p: p.ai_workflow.save_package(PACKAGE),
        "PUT",
        f"{BASE}/aiworkflow/aipackage",
        PACKAGE,
    ),
    Example(
        "ai_workflow.read_package",
        lambda p: p.ai_workflow.read_package("vz-1a2b3c4d-5e6", "ext-1", "pt-BR"),
        "GET",
        f"{FILES}/vz-1a2b3c4d-5e6/ext-1-ai.pt-BR.json",
        authorization=None,
    ),
    Example(
        "ai_workflow.read_package",
        lambda p: p.ai_workflow.read_package("vz-1a2b3c4d-5e6", "ext-1", None),
        "GET",
        f"{FILES}/vz-1a2b3c4d-5e6/ext-1-ai.json",
        authorization=None,
        variant="legacy",
    ),
    Example(
        "public_files.video",
        lambda p: p.public_files.video("vz-1a2b3c4d-5e6", "ext-1"),
        "GET",
        f"{FILES}/vz-1a2b3c4d-5e6/ext-1.json",
        authorization=None,
    ),
    Example(
        "public_files.document",
        lambda p: p.public_files.document("vz-1a2b3c4d-5e6", "ext-1", "abstract"),
        "HEAD",
        f"{FILES}/vz-1a2b3c4d-5e6/ext-1/abstract.pdf",
        authorization=None,
    ),
    Example(
        "public_files.comparison",
        lambda p: p.public_files.comparison("vz-1a2b3c4d-5e6", TEST),
        "GET",
        f"{FILES}/vz-1a2b3c4d-5e6/comparison/{TEST}.json",
        authorization=None,
    ),
    Example(
        "public_files.live",
        lambda p: p.public_files.live("vz-1a2b3c4d-5e6", LIVE),
        "GET",
        f"https://live.example/vz-1a2b3c4d-5e6/{LIVE}-live.json",
        authorization=None,
    ),
    Example(
        "public_files.subtitle",
        lambda p: p.public_files.subtitle("vz-1a2b3c4d-5e6", "ext-1", "pt-BR"),
        "GET",
        "https://subtitles.example/vz-1a2b3c4d-5e6/ext-1/pt-BR.vtt",
        authorization=None,
    ),
    Example(
        "organizations.create_sub_account",
        lambda p: p.organizations.create_sub_account(SUB_ACCOUNT),
        "POST",
        f"{BASE}/organizations?action=create-sub-account",
        SUB_ACCOUNT,
    ),
    Example(
        "organizations.usage",
        lambda p: p.organizations.usage(),
        "GET",
        f"{BASE}/organizations?action=list-sub-accounts-usage",
    ),
    Example(
        "review_links.create",
        lambda p: p.review_links.create(VIDEO, NEW_LINK),
        "POST",
        f"{BASE}/video-review/{VIDEO}?action=link",
        NEW_LINK,
    ),
    Example(
        "review_links.list", lambda p: p.review_links.list(VIDEO), "GET", f"{BASE}/video-review/{VIDEO}?action=link"
    ),
    Example(
        "public_review.read_link",
        lambda p: p.public_review.read_link(LINK, REVIEWER),
        "GET",
        f"{BASE}/public-video-review/{LINK}?token={REVIEWER}",
        authorization=None,
    ),
    Example(
        "public_review.comments",
        lambda p: p.public_review.comments(LINK, REVIEWER),
        "GET",
        f"{BASE}/public-video-review/{LINK}/comments?token={REVIEWER}",
        authorization=None,
    ),
    Example(
        "public_review.create_comment",
        lambda p: p.public_review.create_comment(LINK, REVIEWER, {"text": "Olá", "user_name": "Zoë", "time": 12}),
        "POST",
        f"{BASE}/public-video-review/{LINK}/comments?token={REVIEWER}",
        {"text": "Olá", "user_name": "Zoë", "time": 12},
        authorization=None,
    ),
    Example(
        "public_review.update_comment",
        lambda p: p.public_review.update_comment(LINK, COMMENT, REVIEWER, {"status": "resolved"}),
        "PUT",
        f"{BASE}/public-video-review/{LINK}/comments/{COMMENT}?token={REVIEWER}",
        {"status": "resolved"},
        authorization=None,
    ),
    Example("comparisons.list", lambda p: p.comparisons.list(), "GET", f"{BASE}/comparison"),
    Example("comparisons.get", lambda p: p.comparisons.get(TEST), "GET", f"{BASE}/comparison/{TEST}"),
    Example(
        "comparisons.create",
        lambda p: p.comparisons.create({"name": "Hooks", "description": "", "video_ids": [VIDEO]}),
        "POST",
        f"{BASE}/comparison",
        {"name": "Hooks", "description": "", "video_ids": [VIDEO]},
    ),
    Example("comparisons.start", lambda p: p.comparisons.start(TEST), "PUT", f"{BASE}/comparison/{TEST}?type=start"),
    Example(
        "comparisons.update",
        lambda p: p.comparisons.update(TEST, {"name": "Other"}),
        "PUT",
        f"{BASE}/comparison/{TEST}?type=update",
        {"name": "Other"},
    ),
    Example(
        "comparisons.finish",
        lambda p: p.comparisons.finish(TEST, {"winner_video_id": VIDEO}),
        "PUT",
        f"{BASE}/comparison/{TEST}?type=finish",
        {"winner_video_id": VIDEO},
    ),
    Example("comparisons.delete", lambda p: p.comparisons.delete(TEST), "DELETE", f"{BASE}/comparison", {"id": TEST}),
    Example("custom_fields.list", lambda p: p.custom_fields.list(VIDEO), "GET", f"{BASE}/videos/{VIDEO}?custom_fields"),
    Example(
        "custom_fields.update",
        lambda p: p.custom_fields.update(VIDEO, FIELD, value="blue"),
        "PUT",
        f"{BASE}/videos/{VIDEO}?custom_fields&id={FIELD}",
        {"value": "blue"},
    ),
    Example(
        "custom_fields.update",
        lambda p: p.custom_fields.update(VIDEO, FIELD, value="blue", key="color"),
        "PUT",
        f"{BASE}/videos/{VIDEO}?custom_fields&id={FIELD}",
        {"key": "color", "value": "blue"},
        variant="with its key",
    ),
    Example("lives.list", lambda p: p.lives.list(), "GET", f"{BASE}/lives"),
    Example("lives.get", lambda p: p.lives.get(LIVE), "GET", f"{BASE}/lives/{LIVE}"),
    Example("lives.start", lambda p: p.lives.start(LIVE), "POST", f"{BASE}/lives/{LIVE}/start"),
    Example("lives.create", lambda p: p.lives.create(NEW_LIVE), "POST", f"{BASE}/live", NEW_LIVE),
    Example("lives.finish", lambda p: p.lives.finish(LIVE), "POST", f"{BASE}/lives/{LIVE}/finish"),
    Example("funnels.list", lambda p: p.funnels.list(), "GET", f"{BASE}/funnels"),
    Example("funnels.get", lambda p: p.funnels.get(FUNNEL), "GET", f"{BASE}/funnels/{FUNNEL}"),
    Example(
        "funnels.add_videos",
        lambda p: p.funnels.add_videos(FUNNEL, FUNNEL_VIDEOS),
        "POST",
        f"{BASE}/funnels/add_videos",
        {"id": FUNNEL, "videos": FUNNEL_VIDEOS},
    ),
    Example("folders.list", lambda p: p.folders.list(), "GET", f"{BASE}/folders?status=true"),
    Example(
        "folders.list",
        lambda p: p.folders.list(FOLDER, active=False),
        "GET",
        f"{BASE}/folders?parent_folder_id={FOLDER}&status=false",
        variant="inactive children",
    ),
    Example("folders.funnels", lambda p: p.folders.funnels(FOLDER), "GET", f"{BASE}/folders/{FOLDER}"),
    Example("playlists.list", lambda p: p.playlists.list(), "GET", f"{BASE}/playlists"),
    Example("playlists.get", lambda p: p.playlists.get(PLAYLIST), "GET", f"{BASE}/playlists/{PLAYLIST}"),
    Example("playlists.delete", lambda p: p.playlists.delete(PLAYLIST), "DELETE", f"{BASE}/playlists/{PLAYLIST}"),
    Example(
        "credits.history",
        lambda p: p.credits.history(START, END),
        "GET",
        f"{BASE}/credits?type=general&start_date=2026-01-05&end_date=2026-02-03",
    ),
    Example(
        "assistants.get",
        lambda p: p.assistants.get("assistant-1"),
        "GET",
        f"{BASE}/assist-ai/assistant_by_id/assistant-1",
    ),
    Example("assistants.list", lambda p: p.assistants.list(), "GET", f"{BASE}/assist-ai"),
    Example(
        "assistants.update_chat_visibility",
        lambda p: p.assistants.update_chat_visibility("assistant-1", VIDEO, visible=False),
        "POST",
        f"{BASE}/assist-ai/update_chat_visibility",
        {"assistant_id": "assistant-1", "video_id": VIDEO, "chat_is_visible": False},
    ),
    Example("analytics.browser", lambda p: p.analytics.browser(), "GET", f"{DATA}/browser"),
    Example(
        "analytics.browser",
        lambda p: p.analytics.browser(START, END, "day", VIDEO),
        "GET",
        f"{DATA}/browser/{VIDEO}?start_date=2026-01-05&end_date=2026-02-03&granularity=day",
        variant="of one video",
    ),
    Example("analytics.city", lambda p: p.analytics.city(), "GET", f"{DATA}/city"),
    Example(
        "analytics.city",
        lambda p: p.analytics.city(START, END, "hour", country="BR", region="São Paulo"),
        "GET",
        f"{DATA}/city?start_date=2026-01-05&end_date=2026-02-03&granularity=hour&country=BR&region=S%C3%A3o%20Paulo",
        variant="of one region",
    ),
    Example(
        "analytics.referrer",
        lambda p: p.analytics.referrer(START, END, "total"),
        "GET",
        f"{DATA}/referrer?start_date=2026-01-05&end_date=2026-02-03&granularity=total",
    ),
    Example(
        "analytics.ranking",
        lambda p: p.analytics.ranking(START, END),
        "GET",
        f"{DATA}/ranking?start_date=2026-01-05&end_date=2026-02-03",
    ),
    Example(
        "analytics.traffic",
        lambda p: p.analytics.traffic(VIDEO, START, END),
        "GET",
        f"{TRAFFIC}/analytics/traffic?video_id={VIDEO}&start_date=2026-01-05&end_date=2026-02-03",
        authorization=BEARER,
    ),
    Example("analytics.general", lambda p: p.analytics.general(VIDEO), "GET", f"{DATA}/general/{VIDEO}"),
    Example(
        "analytics.retention",
        lambda p: p.analytics.retention(VIDEO, START, END),
        "GET",
        f"{DATA}/retention/{VIDEO}?start_date=2026-01-05&end_date=2026-02-03",
    ),
    Example("analytics.member_referrals", lambda p: p.analytics.member_referrals(), "GET", f"{DATA}/member-referrals"),
)

OPERATIONS = {example.operation: example for example in reversed(EXAMPLES)}
"""The plainest example of each operation."""


def methods() -> set[str]:
    """Every operation there is: the public methods of every group."""
    groups = vars(Operations(lambda request, read: read(None), review_reads=True))
    return {
        f"{group}.{name}"
        for group, instance in groups.items()
        for name, value in vars(type(instance)).items()
        if callable(value) and not name.startswith("_")
    }
