"""The pages of analytics. All state is in the address; a panel that is late fetches itself from the same address."""

import uuid
from collections.abc import Callable, Mapping
from dataclasses import replace

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from dashboard.analytics import account_traffic, traffic_history
from dashboard.analytics import retention as watching
from dashboard.analytics import traffic as traffic_of
from dashboard.analytics import video_comparison as several_videos
from dashboard.analytics.charts import points
from dashboard.analytics.chooser import Chooser, chooser, titles_of
from dashboard.analytics.date_bar import DateBar, date_bar, wrong_bar
from dashboard.analytics.forms import PriceForm
from dashboard.analytics.models import TrafficList, TrafficPrice
from dashboard.analytics.pages import Page, Panel, Tab
from dashboard.analytics.panels import Desk, column_of
from dashboard.analytics.parameters import Brought, asked_by, brought, fragment
from dashboard.analytics.prices import Price
from dashboard.analytics.reads import dated_asks
from dashboard.analytics.state import State, asked, by_day
from dashboard.analytics.stats import heading, stats
from dashboard.analytics.video_comparison import Several, several
from dashboard.platform_api.errors import Missing
from dashboard.platform_api.vocabulary import Granularity
from dashboard.shared import formats
from dashboard.shared.charts.spark import spark as spark_of
from dashboard.shared.http import OwnerRequest, unchanged
from dashboard.shared.metrics import covered, over_time
from dashboard.upstream.figures import Got, list_ask, read, video_ask
from dashboard.writes import library_refresh

View = Callable[[OwnerRequest, State], HttpResponse]


def with_state(view: View) -> Callable[[OwnerRequest], HttpResponse]:
    """Reads the address; one that names no range is answered with what to mend, everything typed still there."""

    @require_safe
    def checked(request: OwnerRequest) -> HttpResponse:
        parsed_state = asked_by(request)
        if parsed_state.state is None:
            bar = wrong_bar(parsed_state)
            page = Page(_("Analytics"), "", _tabs(request, ""), bar, "", "")
            return render(request, "analytics/wrong.html", {"page": page}, status=400)
        return view(request, parsed_state.state)

    return checked


@with_state
def analytics(request: OwnerRequest, state: State) -> HttpResponse:
    """The overview: key figures, the line over time, browsers, referrers, ranking, places."""
    desk = Desk(request.account.pk, state, brief=True)
    panel_data = brought(request, desk, ("events", "browsers", "referrers", "ranking", "cities"))
    if fragment(request):
        return _part(request, panel_data)
    panels = {panel.name: panel for panel in panel_data.panels}
    answers = panel_data.of("browsers")
    tables = [got.value.table if got and got.value else None for got in (answers.get("now"), answers.get("past"))]
    if state.selection.granularity is Granularity.TOTAL:
        panels["events"] = replace(panels["events"], late=False, body="")
    page = _page(request, state, _("Analytics"), _meta(request, panel_data.answers), "analytics", panel_data.panels)
    context = {"page": page, "panels": panels, "stats": stats(state, panels, *tables), "stats_title": heading(state)}
    return render(request, "analytics/analytics.html", context)


@with_state
def browsers(request: OwnerRequest, state: State) -> HttpResponse:
    """Browsers of the account or of one video, and the line over time."""
    state = replace(state, videos=state.videos[:1])
    desk = Desk(request.account.pk, state, "analytics:browsers")
    names = ("browsers",) if state.selection.granularity is Granularity.TOTAL else ("events", "browsers")
    more = {"listed -": list_ask(state.find), **{f"video {video}": video_ask(video) for video in state.videos}}
    panel_data = brought(request, desk, names, more)
    titles = titles_of(state.videos, panel_data.answers)
    if fragment(request):
        return _part(request, panel_data)
    meta = titles[state.videos[0]] if state.videos else _meta(request, panel_data.answers)
    page = _page(request, state, _("Browsers"), meta, "browsers", panel_data.panels)
    context = {"page": page, "chooser": chooser(state, titles, panel_data.answers["listed -"], many=False)}
    return render(request, "analytics/browsers.html", context)


@with_state
def cities(request: OwnerRequest, state: State) -> HttpResponse:
    """The map, and the way from countries to regions to cities; a region also over time."""
    desk = Desk(request.account.pk, state, "analytics:cities")
    deep = bool(state.region) and state.selection.granularity is not Granularity.TOTAL
    panel_data = brought(request, desk, ("cities", "region") if deep else ("cities",))
    if fragment(request):
        return _part(request, panel_data)
    page = _page(request, state, _("Cities"), _meta(request, panel_data.answers), "cities", panel_data.panels)
    return render(request, "analytics/cities.html", {"page": page, "crumbs": _crumbs(state), "deep": deep})


@with_state
def referrers(request: OwnerRequest, state: State) -> HttpResponse:
    """The sites that sent viewers."""
    return _single(request, state, "referrers", _("Referrers"))


@with_state
def ranking(request: OwnerRequest, state: State) -> HttpResponse:
    """The videos by how often they were played."""
    return _single(request, state, "ranking", _("Ranking"))


@with_state
def traffic(request: OwnerRequest, state: State) -> HttpResponse:
    """Bytes of the chosen videos, or of the most played ones."""
    return _traffic_page(request, state, _price_form(request))


@with_state
def retention(request: OwnerRequest, state: State) -> HttpResponse:
    """How long people watch the chosen videos, or the three most played ones."""
    state = by_day(state)
    desk = Desk(request.account.pk, watching.uncompared(state), "analytics:retention")
    video_answers = several(request, desk, watching.TOP, watching.asks)
    content = watching.page(desk, video_answers)
    if fragment(request):
        return render(request, "analytics/_retention.html", {"content": content})
    bar = date_bar(state, metrics=False, grains=False, compares=False)
    page = _page(request, state, _("Retention"), _several(state, video_answers), "retention", content.panels, bar)
    context = {"page": page, "content": content, "chooser": _chooser(state, video_answers)}
    return render(request, "analytics/retention.html", context)


@require_safe
def spark(request: OwnerRequest, video_id: uuid.UUID) -> HttpResponse:
    """The sparkline of one video, fetched when its row is seen."""
    parsed_state = asked_by(request)
    if parsed_state.state is None:
        return render(request, "analytics/_spark.html", {"line": ""}, status=400)
    state = by_day(replace(parsed_state.state, videos=(str(video_id),)))
    question = dated_asks("browser", state, video_id=str(video_id))["now"]
    got = read(request, {"now": question})["now"]
    if isinstance(got.error, Missing):
        raise got.error
    return render(request, "analytics/_spark.html", {"line": _line(state, got.value)})


@require_POST
def price(request: OwnerRequest) -> HttpResponse:
    """Keep what one GB costs this account, or forget it."""
    form = _price_form(request, request.POST)
    parsed_state = asked_by(request)
    if not form.is_valid():
        state = parsed_state.state or _default_state(request)
        return _traffic_page(request, state, form, status=422)
    values = form.saved()
    if values["per_gigabyte"] is None:
        TrafficPrice.objects.filter(pk=request.account.pk).delete()
        messages.success(request, _("The price is forgotten."))
    else:
        TrafficPrice.objects.update_or_create(pk=request.account.pk, defaults=values)
        messages.success(request, _("The price is kept for this account."))
    query = f"?{parsed_state.state.query()}" if parsed_state.state else ""
    return redirect(f"{reverse('analytics:traffic')}{query}")


def _default_state(request: OwnerRequest) -> State:
    """The state of a bare address, for a form that was sent to a broken one."""
    state = asked(QueryDict(), now=timezone.now(), zone="UTC").state
    assert state is not None  # noqa: S101  (a bare address is always a state)
    return state


def _traffic_page(request: OwnerRequest, state: State, form: PriceForm, status: int = 200) -> HttpResponse:
    """The account's traffic where no video is chosen and all were read; else that of some, which says so."""
    state = by_day(state)
    desk = Desk(request.account.pk, state, "analytics:traffic")
    account_progress = None
    if not state.videos:
        listing = library_refresh.want(TrafficList, request.account)
        account_progress = traffic_history.progress(request.account, listing)
    if account_progress is not None and account_progress.complete and not fragment(request):
        video_answers = several_videos.listed(request, state)
        content = account_traffic.page(request.account, desk, account_progress, price_of(request))
        meta = _meta(request, {})
    else:
        video_answers = several(request, desk, traffic_of.TOP, traffic_of.asks)
        content, meta = traffic_of.page(desk, video_answers, price_of(request)), _several(state, video_answers)
    if fragment(request):
        return render(request, "analytics/_traffic.html", {"content": content})
    bar = date_bar(state, metrics=False, grains=False)
    page = _page(request, state, _("Traffic"), meta, "traffic", content.panels, bar)
    progress = account_traffic.progress_part(account_progress) if account_progress is not None else None
    context = {
        "page": page,
        "content": content,
        "form": form,
        "progress": progress,
        "chooser": _chooser(state, video_answers),
    }
    return render(request, "analytics/traffic.html", context, status=status)


@require_safe
def traffic_progress(request: OwnerRequest) -> HttpResponse:
    """How far the account's traffic is read: the part of the page; nothing where it says the same as `?v=`."""
    progress = account_traffic.progress_part(traffic_history.progress(request.account), new=True)
    if progress.version == request.GET.get("v"):
        return unchanged()
    return render(request, "analytics/_traffic_progress.html", {"progress": progress})


def price_of(request: OwnerRequest) -> Price | None:
    """The account's own price of traffic, where it has told one."""
    stored_price = TrafficPrice.objects.filter(pk=request.account.pk).first()
    return Price(stored_price.per_gigabyte.normalize(), stored_price.currency) if stored_price else None


def _price_form(request: OwnerRequest, data: QueryDict | None = None) -> PriceForm:
    stored_price = price_of(request)
    if stored_price is None:
        return PriceForm(data)
    now = {"per_gigabyte": stored_price.per_gigabyte, "currency": stored_price.currency}
    return PriceForm(data, now=now, initial={"per_gigabyte": f"{stored_price.per_gigabyte:f}"})


def _single(request: OwnerRequest, state: State, name: str, title: str) -> HttpResponse:
    """A page of one panel."""
    panel_data = brought(request, Desk(request.account.pk, state, f"analytics:{name}"), (name,))
    if fragment(request):
        return _part(request, panel_data)
    bar = date_bar(state, metrics=name != "ranking", grains=False)
    page = _page(request, state, title, _meta(request, panel_data.answers), name, panel_data.panels, bar)
    return render(request, "analytics/single.html", {"page": page})


def _part(request: OwnerRequest, panel_data: Brought) -> HttpResponse:
    return render(request, "analytics/_panel.html", {"panel": panel_data.panels[0]})


def _page(
    request: OwnerRequest,
    state: State,
    title: str,
    meta: str,
    name: str,
    panels: tuple[Panel, ...],
    bar: DateBar | None = None,
) -> Page:
    query = state.query()
    address = request.build_absolute_uri(f"{reverse(f'analytics:{name}')}?{query}")
    bundle = f"{reverse('analytics:bundle')}?{query}" if name == "analytics" else ""
    return Page(title, meta, _tabs(request, name, state), bar or date_bar(state), address, bundle, panels)


def _tabs(request: OwnerRequest, current: str, state: State | None = None) -> tuple[Tab, ...]:
    """Links to the pages of analytics: the days go along, what belongs to one page does not."""
    query = f"?{state.query(video=None, country=None, region=None, sort=None, page=None, find=None)}" if state else ""
    names = (
        ("analytics", _("Overview")),
        ("browsers", _("Browsers")),
        ("cities", _("Cities")),
        ("referrers", _("Referrers")),
        ("ranking", _("Ranking")),
        ("traffic", _("Traffic")),
        ("retention", _("Retention")),
    )
    return tuple(Tab(text, f"{reverse(f'analytics:{name}')}{query}", name == current) for name, text in names)


def _meta(request: OwnerRequest, answers: Mapping[str, Got]) -> str:
    """Whose numbers they are, and how old the oldest of them."""
    whose = _("All videos of %(account)s.") % {"account": request.account.name}
    return f"{whose} {_age(answers)}".strip()


def _age(answers: Mapping[str, Got]) -> str:
    read_at = min((got.at for got in answers.values() if got.at and not got.old), default=None)
    return _("Read %(when)s.") % {"when": formats.ago(read_at)} if read_at else ""


def _several(state: State, video_answers: Several) -> str:
    """Which videos the page is about, and how old the oldest of its numbers. The last good ones say their own age."""
    titles = ", ".join(video_answers.titles.values())
    if titles and not state.videos:
        titles = _("Nothing is chosen, so these are the most played: %(titles)s.") % {"titles": titles}
    elif titles:
        titles = f"{titles}."
    return f"{titles} {_age(video_answers.answers)}".strip()


def _chooser(state: State, video_answers: Several) -> Chooser:
    return chooser(state, video_answers.titles, video_answers.listed or Got(None), many=True)


def _crumbs(state: State) -> tuple[Tab, ...]:
    """The way back: world, country, region."""
    crumbs = [Tab(_("World"), f"?{state.query(country=None, region=None, page=None)}", not state.country)]
    if state.country:
        name = formats.country_name(state.country)
        crumbs.append(Tab(name, f"?{state.query(region=None, page=None)}", not state.region))
    if state.region:
        crumbs.append(Tab(state.region, f"?{state.query(page=None)}", True))
    return tuple(crumbs)


def _line(state: State, answer: object) -> str:
    table = getattr(answer, "table", None)
    if table is None:
        return ""
    column = column_of(table, state.metric)
    sums = over_time(table.rows, column, state.selection.zone, Granularity.DAY) if column else None
    if sums is None:
        return ""
    drawn = points(state.selection, sums, None, covered(sums), None)
    return spark_of([point.value for point in drawn if point.whole])
