"""The reads that pages show: what is in their answers, and what their pages say of it."""

from datetime import UTC, datetime, timedelta
from typing import Any

from tests.upstream.shaped import FIRST, GONE, SECOND, Read
from tests.upstream.shapes import LINK, Row

STAMPS = {"created_at": "2026-10-01T10:00:00Z", "updated_at": "2026-10-02T10:00:00Z"}
ONE, TWO = "Zweite Aussaat", "Milho novo"


def two(key: str, **more: Any) -> list[Row]:
    """Two records, called by this key."""
    return [{"id": id_, key: name, **more, **STAMPS} for id_, name in ((FIRST, ONE), (SECOND, TWO))]


def lists(cast: dict[str, Any]) -> dict[str, Read]:
    """The lists, by operation."""
    video, link = cast["videos"]["plain"], cast["review_links"]["open"]
    here, expiry = f"/dashboard/videos/{video}", (datetime.now(UTC) + timedelta(days=9)).isoformat()
    tests = [{**row, "id": f"636f6d70{row['id'][8:]}"} for row in two("name", status="DRAFT", videos=[])]
    jobs = two("name", video_id=video, type="TRANSLATION", status="ERROR", from_lang="en")
    jobs = [{**job, "to_lang": lang} for job, lang in zip(jobs, ("it", "sv"), strict=True)]
    fields = [{"id": FIRST, "key": "color", "value": "azul"}, {"id": SECOND, "key": "crop", "value": "milho"}]
    subtitles = [{"id": FIRST, "srclang": "it", "label": "I"}, {"id": SECOND, "srclang": "sv", "label": "S"}]
    comments = two("text", video_id=video, user_name="Ana", status="open", time=3, reply_to=None)
    review_links = two("name", video_id=video, status="active", expires_at=expiry, allow_comment=False)
    languages = {"it": "Italian", "sv": "Swedish"}
    known = {"public_review.comments": [], "public_review.read_link": {"message": "ok"}}
    reads = (
        Read(
            "videos.list",
            "/dashboard/videos/",
            two("title", status="CONVERTED", length=61),
            ("title",),
            ("videos", "video"),
            ("No videos",),
        ),
        Read(
            "folders.list",
            "/dashboard/folders/",
            two("name", parent_folder_id=None, status=True),
            ("name",),
            ("folders", "folder"),
            ("No folders",),
        ),
        Read(
            "funnels.list",
            "/dashboard/funnels/",
            two("name", videos=[]),
            ("name",),
            ("funnels", "funnel"),
            ("No funnels yet",),
        ),
        Read(
            "lives.list",
            "/dashboard/lives/",
            two("title", status="offline"),
            ("title",),
            ("lives", "live"),
            ("No lives yet",),
        ),
        Read(
            "playlists.list",
            "/dashboard/playlists/",
            two("name", videos=[]),
            ("name",),
            ("playlists", "playlist"),
            ("No playlists yet",),
        ),
        Read(
            "assistants.list",
            "/dashboard/assistants/",
            two("name", videos=[]),
            ("name",),
            ("assistants", "assistant"),
            ("No assistants",),
        ),
        Read(
            "organizations.usage",
            "/dashboard/sub-accounts/",
            two("name", videos=17),
            ("name",),
            ("sub_accounts", "sub_account"),
            ("lists no sub-accounts",),
            ("Not known.",),
        ),
        Read(
            "credits.history",
            "/dashboard/credits/",
            two("description", type="SUB", status="COMPLETED", amount=12),
            ("description",),
            ("history", "entry"),
            ("No credits were used",),
        ),
        Read(
            "comparisons.list",
            "/dashboard/ab-tests/",
            tests,
            ("name",),
            ("comparisons", "comparison"),
            ("No tests yet", "untitled"),
        ),
        Read(
            "custom_fields.list",
            f"{here}/panels/custom_fields/",
            fields,
            ("key", "value"),
            ("custom_fields", "custom_field"),
            ("No custom fields",),
        ),
        Read(
            "review_links.list",
            f"/dashboard/review-links/videos/{video}/",
            review_links,
            ("name",),
            ("links", "link"),
            ("No links", "Without a name"),
            others=known,
        ),
        Read(
            "videos.subtitles",
            f"{here}/panels/subtitles/",
            subtitles,
            ("srclang",),
            ("subtitles", "subtitle"),
            ("No subtitles",),
            words=languages,
        ),
        Read(
            "ai_workflow.jobs",
            f"/dashboard/subtitles/videos/{video}/jobs/",
            jobs,
            ("to_lang",),
            ("workflows", "workflow"),
            ("No jobs yet",),
            words=languages,
        ),
        Read(
            "public_review.comments",
            f"/dashboard/review-links/{link}/",
            comments,
            ("text",),
            ("comments", "comment"),
            ("No comments yet", "Nobody has commented", "0 of 30"),
        ),
    )
    return {read.operation: read for read in reads}


def records(cast: dict[str, Any]) -> dict[str, Read]:
    """Single records, by operation."""
    video, live, playlist = cast["videos"]["plain"], cast["lives"]["scheduled"], cast["playlists"]["own"]
    funnel, test = cast["funnels"]["main"], cast["ab_tests"]["draft"]
    reads = (
        Read(
            "videos.get",
            f"/dashboard/videos/{video}/",
            [{"id": video, "title": ONE, "length": 61, **STAMPS}],
            ("title",),
            ("videos", "video"),
        ),
        Read(
            "lives.get",
            f"/dashboard/lives/{live}/",
            [{"id": live, "title": ONE, "status": "offline", **STAMPS}],
            ("title",),
            ("lives", "live"),
            unread=("does not show this live",),
            others={"lives.list": GONE},
        ),
        Read(
            "playlists.get",
            f"/dashboard/playlists/{playlist}/",
            [{"id": playlist, "name": ONE, "videos": []}],
            ("name",),
            ("playlists", "playlist"),
            unread=("does not show this playlist",),
            others={"playlists.list": GONE},
        ),
        Read(
            "funnels.get",
            f"/dashboard/funnels/{funnel}/",
            [{"id": funnel, "name": ONE, "videos": []}],
            ("name",),
            ("funnels", "funnel"),
            unread=("does not show what is in this funnel",),
            others={"funnels.list": GONE},
        ),
        Read(
            "comparisons.get",
            f"/dashboard/ab-tests/{test}/",
            [{"id": test, "name": ONE, "status": "DRAFT", "videos": []}],
            ("name",),
            ("comparisons", "comparison"),
        ),
    )
    return {read.operation: read for read in reads}


def insides(cast: dict[str, Any]) -> dict[str, Read]:
    """What lists videos, by operation."""
    playlist = {"id": cast["playlists"]["own"], "name": "Liste"}
    funnel = {"id": cast["funnels"]["main"], "name": "Liste", "folder_id": None}
    test = {"id": cast["ab_tests"]["draft"], "name": "Liste", "status": "DRAFT"}
    rows = [{"id": FIRST, "title": ONE}, {"id": SECOND, "title": TWO}]
    untold, board = ("does not tell which videos",), ("What is in this funnel is not known",)
    moved = ("card moved", "cards moved", "for the first time")
    reads = (
        Read(
            "playlists.get",
            f"/dashboard/playlists/{playlist['id']}/",
            rows,
            ("title",),
            around=playlist,
            denials=("0 videos", "No videos", LINK),
            unread=untold,
        ),
        Read(
            "playlists.list",
            "/dashboard/playlists/",
            [],
            around=playlist,
            names=("playlists", ""),
            denials=("0 videos",),
        ),
        Read(
            "funnels.get",
            f"/dashboard/funnels/{funnel['id']}/",
            rows,
            ("title",),
            around=funnel,
            denials=("0 videos", "No videos on the board", LINK, *moved),
            unread=board,
        ),
        Read("funnels.list", "/dashboard/funnels/", [], around=funnel, names=("funnels", ""), denials=("0 videos",)),
        Read(
            "comparisons.get",
            f"/dashboard/ab-tests/{test['id']}/",
            rows,
            ("title",),
            around=test,
            denials=("No variants yet", "Add variants first", "untitled", LINK),
            unread=untold,
        ),
        Read(
            "comparisons.list",
            "/dashboard/ab-tests/",
            [],
            around=test,
            names=("comparisons", ""),
            denials=("0 variants",),
        ),
    )
    return {read.operation: read for read in reads}


def figures(cast: dict[str, Any]) -> dict[str, Read]:
    """Figures, by operation."""
    video, here = cast["videos"]["plain"], "/dashboard/analytics"
    day, other = (datetime.now(UTC).date() - timedelta(days=days) for days in (3, 2))
    views = [{"views": 4217, "plays": 311}, {"views": 1093, "plays": 207}]
    dated = [{"date": f"{day}", "views": 4217}, {"date": f"{other}", "views": 1093}]
    gigabytes = [{"date": f"{day}", "bytes": 42_170_000_000}, {"date": f"{other}", "bytes": 10_930_000_000}]
    amounts = {"id": FIRST, "pending_estimate": 4217.5, "total_received": 1093.5, "balance": 311.5}
    reads = (
        Read(
            "analytics.browser",
            f"{here}/browsers/?granularity=total",
            [{"browser": name, **row} for name, row in zip(("Chrome", "Firefox"), views, strict=True)],
            ("browser", "views"),
            ("browsers", ""),
        ),
        Read(
            "analytics.referrer",
            f"{here}/referrers/?granularity=total",
            [{"referrer": name, **row} for name, row in zip(("a.example", "b.example"), views, strict=True)],
            ("referrer", "views"),
            ("referrers", ""),
        ),
        Read(
            "analytics.city",
            f"{here}/cities/?granularity=total",
            [{"city": "São Paulo", "region": "SP", "views": 4217}, {"city": "Recife", "region": "11", "views": 1093}],
            ("city", "views"),
            ("cities", ""),
            ("all from SP", " SP SP "),
        ),
        Read(
            "analytics.ranking",
            f"{here}/ranking/",
            [{"title": ONE, "video_id": FIRST, "views": 4217}, {"title": TWO, "video_id": SECOND, "views": 1093}],
            ("title", "views"),
            ("ranking", ""),
        ),
        Read(
            "analytics.ranking by id",
            f"{here}/ranking/",
            [{"video_id": FIRST, "views": 4217}, {"video_id": SECOND, "views": 1093}],
            ("video_id", "views"),
            ("ranking", ""),
        ),
        Read(
            "analytics.general",
            f"/dashboard/videos/{video}/panels/analytics/",
            dated,
            (),
            ("views_data", ""),
            sums=("5,310",),
        ),
        Read(
            "analytics.traffic",
            f"{here}/traffic/?video={video}",
            gigabytes,
            (),
            ("traffic", ""),
            ("0 B",),
            ("gives only a total",),
            sums=("53.1 GB",),
        ),
        Read(
            "analytics.retention",
            f"{here}/retention/?video={video}",
            [{"second": "0", "retention": 100}, {"second": "9", "retention": 64}],
            (),
            ("retention", ""),
            ("no plays in",),
            sums=("64.0%",),
        ),
        Read(
            "analytics.member_referrals",
            "/dashboard/referrals/",
            [amounts],
            (),
            ("referrals", ""),
            sums=("4,217.50", "1,093.50", "311.50"),
        ),
    )
    return {read.operation: read for read in reads}
