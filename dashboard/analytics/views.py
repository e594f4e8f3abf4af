"""The pages of analytics. All state is in the address; a panel that is late fetches itself from the same address."""

import uuid
from collections.abc import Callable, Mapping
from dataclasses import replace

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from dashboard.analytics import (
    account_traffic,
    retention_pages,
    tasks,
    traffic_history,
    traffic_pages,
    video_comparison,
)
from dashboard.analytics.charts import build_points
from dashboard.analytics.chooser import VideoChooser, build_chooser, get_titles
from dashboard.analytics.date_bar import DateBar, begin_date_bar, build_date_bar, build_wrong_bar
from dashboard.analytics.forms import PriceForm
from dashboard.analytics.models import TrafficPrice
from dashboard.analytics.pages import AnalyticsPage, AnalyticsPanel, Tab, build_tabs
from dashboard.analytics.panels import PanelContext, get_column
from dashboard.analytics.parameters import PanelData, get_panel_name, load_panels, parse_request
from dashboard.analytics.prices import Price
from dashboard.analytics.reads import build_dated_asks
from dashboard.analytics.state import AnalyticsState, group_by_day, parse_state
from dashboard.analytics.stats import build_stats, format_heading
from dashboard.analytics.video_comparison import VideoAnswers, load_videos
from dashboard.platform_api.errors import Missing
from dashboard.platform_api.vocabulary import Granularity
from dashboard.shared import formats
from dashboard.shared.addresses import path_of
from dashboard.shared.charts.spark import build_sparkline
from dashboard.shared.http import OwnerRequest, unchanged
from dashboard.shared.metrics import Metric, get_covered, sum_over_time
from dashboard.upstream.figures import FigureAnswer, build_video_list_query, build_video_query, read_figures

View = Callable[..., HttpResponse]
"""Takes the request, its `AnalyticsState`, and what the address names."""


def _draw(panel: AnalyticsPanel) -> SafeString:
    return panel.drawn


def with_state(view: View) -> View:
    """Parse the address. A wrong range is answered with 400, the problems and the typed values."""

    @require_safe
    def checked(request: OwnerRequest, **named: str) -> HttpResponse:
        parsed_state = parse_request(request)
        if parsed_state.state is None:
            bar = build_wrong_bar(parsed_state)
            page = AnalyticsPage(_("Analytics"), "", build_tabs(""), bar, "", "")
            return render(request, "analytics/wrong.html", {"page": page}, status=400)
        return view(request, parsed_state.state, **named)

    return checked


@with_state
def analytics(request: OwnerRequest, state: AnalyticsState) -> HttpResponse:
    """The overview: key figures, the line over time, browsers, referrers, ranking, places."""
    bar = begin_date_bar(request, state)
    panel_context = PanelContext(request.account.pk, state, brief=True)
    panel_data = load_panels(
        request, panel_context, ("events", "browsers", "referrers", "ranking", "cities"), draw=_draw
    )
    if get_panel_name(request):
        return _render_panel(request, panel_data)
    panels = {panel.name: panel for panel in panel_data.panels}
    answers = panel_data.of("browsers")
    tables = [got.value.table if got and got.value else None for got in (answers.get("now"), answers.get("past"))]
    if state.selection.granularity is Granularity.TOTAL:
        panels["events"] = replace(panels["events"], late=False, body="")
    meta = _format_meta(request, panel_data.answers)
    page = _build_page(request, state, _("Analytics"), meta, "analytics", panel_data.panels, bar())
    context = {
        "page": page,
        "panels": panels,
        "stats": build_stats(state, panels, *tables),
        "stats_title": format_heading(state),
    }
    return render(request, "analytics/analytics.html", context)


@with_state
def browsers(request: OwnerRequest, state: AnalyticsState) -> HttpResponse:
    """Browsers of the account or of one video, and the line over time."""
    state = replace(state, videos=state.videos[:1])
    bar = begin_date_bar(request, state)
    panel_context = PanelContext(request.account.pk, state, "analytics:browsers")
    names = ("browsers",) if state.selection.granularity is Granularity.TOTAL else ("events", "browsers")
    more = {
        "listed -": build_video_list_query(state.find),
        **{f"video {video}": build_video_query(video) for video in state.videos},
    }
    panel_data = load_panels(request, panel_context, names, more, draw=_draw)
    titles = get_titles(state.videos, panel_data.answers)
    if get_panel_name(request):
        return _render_panel(request, panel_data)
    meta = titles[state.videos[0]] if state.videos else _format_meta(request, panel_data.answers)
    page = _build_page(request, state, _("Browsers"), meta, "browsers", panel_data.panels, bar())
    context = {"page": page, "chooser": build_chooser(state, titles, panel_data.answers["listed -"], many=False)}
    return render(request, "analytics/browsers.html", context)


@with_state
def cities(request: OwnerRequest, state: AnalyticsState) -> HttpResponse:
    """The map, with countries, regions and cities; a region also over time."""
    bar = begin_date_bar(request, state)
    panel_context = PanelContext(request.account.pk, state, "analytics:cities")
    deep = bool(state.region) and state.selection.granularity is not Granularity.TOTAL
    panel_data = load_panels(request, panel_context, ("cities", "region") if deep else ("cities",), draw=_draw)
    if get_panel_name(request):
        return _render_panel(request, panel_data)
    meta = _format_meta(request, panel_data.answers)
    page = _build_page(request, state, _("Cities"), meta, "cities", panel_data.panels, bar())
    return render(request, "analytics/cities.html", {"page": page, "crumbs": _build_crumbs(state), "deep": deep})


@with_state
def referrers(request: OwnerRequest, state: AnalyticsState) -> HttpResponse:
    """The sites that sent viewers."""
    return _render_single(request, state, "referrers", _("Referrers"))


@with_state
def ranking(request: OwnerRequest, state: AnalyticsState) -> HttpResponse:
    """The videos by how often they were played."""
    return _render_single(request, state, "ranking", _("Ranking"))


@with_state
def traffic(request: OwnerRequest, state: AnalyticsState) -> HttpResponse:
    """Bytes of the chosen videos, or of the most played ones."""
    return _render_traffic(request, state, _build_price_form(request))


@with_state
def retention(request: OwnerRequest, state: AnalyticsState) -> HttpResponse:
    """How long people watch the chosen videos, or the three most played ones."""
    state = group_by_day(state)
    panel_context = PanelContext(request.account.pk, retention_pages.remove_comparison(state), "analytics:retention")
    video_answers = load_videos(request, panel_context, retention_pages.TOP, retention_pages.build_asks)
    content = retention_pages.build_retention(panel_context, video_answers)
    if get_panel_name(request):
        return render(request, "analytics/_retention.html", {"content": content})
    bar = build_date_bar(state, metrics=(), grains=False, compares=False)
    page = _build_page(
        request, state, _("Retention"), _format_videos(state, video_answers), "retention", content.panels, bar
    )
    context = {"page": page, "content": content, "chooser": _build_chooser(state, video_answers)}
    return render(request, "analytics/retention.html", context)


@require_safe
def spark(request: OwnerRequest, video_id: uuid.UUID) -> HttpResponse:
    """The sparkline of one video, loaded when its row becomes visible."""
    parsed_state = parse_request(request)
    if parsed_state.state is None:
        return render(request, "analytics/_spark.html", {"line": ""}, status=400)
    state = group_by_day(replace(parsed_state.state, videos=(str(video_id),)))
    question = build_dated_asks("browser", state, video_id=str(video_id))["now"]
    got = read_figures(request, {"now": question})["now"]
    if isinstance(got.error, Missing):
        raise got.error
    return render(request, "analytics/_spark.html", {"line": _draw_line(state, got.value)})


@require_POST
def price(request: OwnerRequest) -> HttpResponse:
    """Save or delete the price of one GB."""
    form = _build_price_form(request, request.POST)
    parsed_state = parse_request(request)
    if not form.is_valid():
        state = parsed_state.state or _build_default_state(request)
        return _render_traffic(request, state, form, status=422)
    values = form.saved()
    if values["per_gigabyte"] is None:
        TrafficPrice.objects.filter(pk=request.account.pk).delete()
        messages.success(request, _("Price deleted."))
    else:
        TrafficPrice.objects.update_or_create(pk=request.account.pk, defaults=values)
        messages.success(request, _("Price saved."))
    query = f"?{parsed_state.state.query()}" if parsed_state.state else ""
    return redirect(f"{path_of('analytics:traffic')}{query}")


def _build_default_state(request: OwnerRequest) -> AnalyticsState:
    """The default state, for a form posted to an invalid address."""
    state = parse_state(QueryDict(), now=timezone.now(), zone="UTC").state
    assert state is not None  # noqa: S101  (a bare address is always a state)
    return state


def _render_traffic(request: OwnerRequest, state: AnalyticsState, form: PriceForm, status: int = 200) -> HttpResponse:
    """Render the traffic of the chosen videos; of none, the account's once all are read, and until then how far that is."""
    state = group_by_day(state)
    panel_context = PanelContext(request.account.pk, state, "analytics:traffic")
    account_progress = None
    if not state.videos:
        account_progress = traffic_history.get_progress(request.account, tasks.want_traffic(request.account))
        video_answers = video_comparison.load_video_list(request, state)
        content = account_traffic.build_traffic(request.account, panel_context, account_progress, load_price(request))
        meta = _format_meta(request, {})
    else:
        video_answers = load_videos(request, panel_context, len(state.videos), traffic_pages.build_asks)
        content, meta = (
            traffic_pages.build_traffic(panel_context, video_answers, load_price(request)),
            _format_videos(state, video_answers),
        )
    if get_panel_name(request):
        return render(request, "analytics/_traffic.html", {"content": content})
    bar = build_date_bar(state, metrics=(), grains=False)
    page = _build_page(request, state, _("Traffic"), meta, "traffic", content.panels, bar)
    progress = account_traffic.build_progress_part(account_progress) if account_progress is not None else None
    context = {
        "page": page,
        "content": content,
        "form": form,
        "progress": progress,
        "chooser": _build_chooser(state, video_answers),
    }
    return render(request, "analytics/traffic.html", context, status=status)


@require_safe
def traffic_progress(request: OwnerRequest) -> HttpResponse:
    """The progress part of the traffic page; unchanged if it equals the version `?v=`."""
    progress = account_traffic.build_progress_part(traffic_history.get_progress(request.account), new=True)
    if progress.version == request.GET.get("v"):
        return unchanged()
    return render(request, "analytics/_traffic_progress.html", {"progress": progress})


def load_price(request: OwnerRequest) -> Price | None:
    """Load the account's price of traffic; None if it has none."""
    stored_price = TrafficPrice.objects.filter(pk=request.account.pk).first()
    return Price(stored_price.per_gigabyte.normalize(), stored_price.currency) if stored_price else None


def _build_price_form(request: OwnerRequest, data: QueryDict | None = None) -> PriceForm:
    stored_price = load_price(request)
    if stored_price is None:
        return PriceForm(data)
    now = {"per_gigabyte": stored_price.per_gigabyte, "currency": stored_price.currency}
    return PriceForm(data, now=now, initial={"per_gigabyte": f"{stored_price.per_gigabyte:f}"})


def _render_single(request: OwnerRequest, state: AnalyticsState, name: str, title: str) -> HttpResponse:
    """A page of one panel."""
    bar = begin_date_bar(request, state, () if name == "ranking" else tuple(Metric), grains=False)
    panel_data = load_panels(request, PanelContext(request.account.pk, state, f"analytics:{name}"), (name,), draw=_draw)
    if get_panel_name(request):
        return _render_panel(request, panel_data)
    meta = _format_meta(request, panel_data.answers)
    page = _build_page(request, state, title, meta, name, panel_data.panels, bar())
    return render(request, "analytics/single.html", {"page": page})


def _render_panel(request: OwnerRequest, panel_data: PanelData) -> HttpResponse:
    return HttpResponse(panel_data.panels[0].drawn)


def _build_page(
    request: OwnerRequest,
    state: AnalyticsState,
    title: str,
    meta: str,
    name: str,
    panels: tuple[AnalyticsPanel, ...],
    bar: DateBar,
) -> AnalyticsPage:
    query = state.query()
    address = request.build_absolute_uri(f"{path_of(f'analytics:{name}')}?{query}")
    bundle = f"{path_of('analytics:bundle')}?{query}" if name == "analytics" else ""
    return AnalyticsPage(
        title,
        meta,
        build_tabs(name, state.query(video=None, country=None, region=None, sort=None, page=None, find=None)),
        bar,
        address,
        bundle,
        panels,
    )


def _format_meta(request: OwnerRequest, answers: Mapping[str, FigureAnswer]) -> str:
    """Format whose numbers the page shows, and how old the oldest is."""
    whose = _("All videos of %(account)s.") % {"account": request.account.name}
    return f"{whose} {_format_age(answers)}".strip()


def _format_age(answers: Mapping[str, FigureAnswer]) -> str:
    read_at = min((got.at for got in answers.values() if got.at and not got.old), default=None)
    return _("Read %(when)s.") % {"when": formats.ago(read_at)} if read_at else ""


def _format_videos(state: AnalyticsState, video_answers: VideoAnswers) -> str:
    """Which videos the page is about, and how old the oldest of its numbers. The last good ones say their own age."""
    titles = ", ".join(video_answers.titles.values())
    if titles and not state.videos:
        titles = _("No video is chosen, so these are the most played: %(titles)s.") % {"titles": titles}
    elif titles:
        titles = f"{titles}."
    return f"{titles} {_format_age(video_answers.answers)}".strip()


def _build_chooser(state: AnalyticsState, video_answers: VideoAnswers) -> VideoChooser:
    return build_chooser(state, video_answers.titles, video_answers.listed or FigureAnswer(None), many=True)


def _build_crumbs(state: AnalyticsState) -> tuple[Tab, ...]:
    """Breadcrumbs: world, country, region."""
    crumbs = [Tab(_("World"), f"?{state.query(country=None, region=None, page=None)}", not state.country)]
    if state.country:
        name = formats.country_name(state.country)
        crumbs.append(Tab(name, f"?{state.query(region=None, page=None)}", not state.region))
    if state.region:
        crumbs.append(Tab(state.region, f"?{state.query(page=None)}", True))
    return tuple(crumbs)


def _draw_line(state: AnalyticsState, answer: object) -> str:
    table = getattr(answer, "table", None)
    if table is None:
        return ""
    column = get_column(table, state.metric)
    sums = sum_over_time(table.rows, column, state.selection.zone, Granularity.DAY) if column else None
    if sums is None:
        return ""
    drawn = build_points(state.selection, sums, None, get_covered(sums), None)
    return build_sparkline([point.value for point in drawn if point.whole])
