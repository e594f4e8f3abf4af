"""The pages of analytics and their files. All state is in the address; a panel that is late fetches itself from it."""

import io
import uuid
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, ClassVar

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from dashboard.analytics import tasks, traffic_history, traffic_pages, video_comparison
from dashboard.analytics.charts import build_points, build_stats, format_heading
from dashboard.analytics.date_bar import (
    AnalyticsPage,
    DateBar,
    Tab,
    begin_date_bar,
    build_date_bar,
    build_tabs,
    build_wrong_bar,
    describe_chooser,
    format_problem,
    get_titles,
)
from dashboard.analytics.models import TrafficPrice
from dashboard.analytics.panels import (
    PANEL_KINDS,
    AnalyticsPanel,
    PanelContext,
    PanelData,
    format_file_name,
    get_column,
    get_panel_name,
    load_panels,
    parse_request,
)
from dashboard.analytics.state import AnalyticsState, ParsedState, build_dated_asks, group_by_day, parse_state
from dashboard.analytics.traffic_pages import Price
from dashboard.analytics.video_comparison import VideoAnswers, load_videos
from dashboard.platform_api.errors import Missing
from dashboard.platform_api.vocabulary import Granularity
from dashboard.shared import formats
from dashboard.shared.addresses import path_of
from dashboard.shared.charts.drawing import build_sparkline
from dashboard.shared.charts.prepared import Chart
from dashboard.shared.csv import download
from dashboard.shared.http import OwnerRequest, unchanged
from dashboard.shared.metrics import Metric, get_covered, sum_over_time
from dashboard.shared.ranges import Compare
from dashboard.shared.record_form import RecordForm
from dashboard.upstream.figures import (
    FigureAnswer,
    build_video_list_query,
    build_video_query,
    get_full_timeout,
    read_figures,
)


class CommaDecimal(forms.DecimalField):
    """A number with a point or a comma: half of our readers write decimals with one."""

    def clean(self, value: object) -> Decimal | None:
        number: Decimal | None = super().clean(value.strip().replace(",", ".") if isinstance(value, str) else value)
        return number


class PriceForm(RecordForm):
    """The owner's price of traffic. An empty price deletes it."""

    record: ClassVar[Sequence[str]] = ("per_gigabyte", "currency")
    per_gigabyte = CommaDecimal(
        label=gettext_lazy("Price per GB"),
        required=False,
        min_value=Decimal(0),
        max_digits=12,
        decimal_places=6,
        error_messages={
            "invalid": gettext_lazy("Write the price as a number, like 0.12."),
            "min_value": gettext_lazy("Write a price of zero or more."),
            "max_digits": gettext_lazy("Write a price with at most 12 digits."),
            "max_decimal_places": gettext_lazy("Write a price with at most 6 decimals."),
            "max_whole_digits": gettext_lazy("Write a price below one million."),
        },
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off", "class": "input--short"}),
    )
    currency = forms.ChoiceField(
        label=gettext_lazy("Currency"), choices=[(code, code) for code in ("BRL", "USD", "EUR")]
    )

    def saved(self) -> dict[str, Any]:
        """The price to store: the changed fields and the current rest."""
        return {"per_gigabyte": None, "currency": self.cleaned_data["currency"], **self.there, **self.changed}


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
            page = AnalyticsPage(_("Analytics"), "", build_tabs(""), bar=bar, address="", zip_address="")
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
        "stats": build_stats(state, {name: panel.chart for name, panel in panels.items()}, *tables),
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
    context = {"page": page, "chooser": describe_chooser(state, titles, panel_data.answers["listed -"], many=False)}
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
    video_answers, content = _load_retention(request, state)
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
    state, price = group_by_day(state), load_price(request)
    panel_context, progress = PanelContext(request.account.pk, state, "analytics:traffic"), None
    if state.videos:
        video_answers = load_videos(request, panel_context, len(state.videos), traffic_pages.build_asks)
        content = traffic_pages.build_traffic(panel_context, video_answers, price)
        meta = _format_videos(state, video_answers)
    else:
        read = traffic_history.get_progress(request.account, tasks.want_traffic(request.account))
        video_answers = video_comparison.load_video_list(request, state)
        content = traffic_pages.build_account_traffic(request.account, panel_context, read, price)
        meta, progress = _format_meta(request, {}), traffic_pages.describe_progress(read)
    if get_panel_name(request):
        return render(request, "analytics/_traffic.html", {"content": content})
    bar = build_date_bar(state, metrics=(), grains=False)
    page = _build_page(request, state, _("Traffic"), meta, "traffic", content.panels, bar)
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
    progress = traffic_pages.describe_progress(traffic_history.get_progress(request.account), new=True)
    if progress["version"] == request.GET.get("v"):
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
        title=title,
        meta=meta,
        tabs=build_tabs(name, state.query(video=None, country=None, region=None, sort=None, page=None, find=None)),
        bar=bar,
        address=address,
        zip_address=bundle,
        panels=panels,
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


def _build_chooser(state: AnalyticsState, video_answers: VideoAnswers) -> dict[str, object]:
    return describe_chooser(state, video_answers.titles, video_answers.listed or FigureAnswer(None), many=True)


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


BUNDLED = ("events", "browsers", "referrers", "ranking", "cities")


@require_safe
def file(request: OwnerRequest, name: str, extension: str) -> HttpResponse:
    """Download one panel, with the same numbers as the page of the same address."""
    parsed_state = parse_request(request)
    if parsed_state.state is None:
        return _respond_to_problems(parsed_state)
    chart, trouble = _build_chart(request, parsed_state.state, name)
    if chart is None:
        return HttpResponse(trouble, content_type="text/plain; charset=utf-8", status=502)
    state = parsed_state.state.with_compare(Compare.NONE) if name == "retention" else parsed_state.state
    target = format_file_name(name, state, extension)
    if extension == "csv":
        return download(chart.csv(), target)
    response = HttpResponse(chart.svg(), content_type="image/svg+xml")
    response["Content-Disposition"] = f'inline; filename="{target}"'
    return response


@require_safe
def bundle(request: OwnerRequest) -> HttpResponse:
    """Download all panels of the overview as ZIP; it lists those that could not be read."""
    parsed_state = parse_request(request)
    if parsed_state.state is None:
        return _respond_to_problems(parsed_state)
    state = parsed_state.state
    panel_context = PanelContext(request.account.pk, state, brief=True)
    files: dict[str, tuple[str, str]] = {}

    def write(panel: AnalyticsPanel) -> None:
        if panel.chart is not None:
            files[panel.name] = panel.chart.csv(), panel.chart.svg()

    panels = load_panels(request, panel_context, BUNDLED, patience=get_full_timeout(), draw=write).panels
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in [panel.name for panel in panels if panel.name in files]:
            for extension, text in zip(("csv", "svg"), files[name], strict=True):
                archive.writestr(format_file_name(name, state, extension), text)
        missing = [f"{panel.title}: {_format_reason(panel)}\n" for panel in panels if panel.chart is None]
        if missing:
            archive.writestr("missing.txt", "".join(missing))
    return download(target.getvalue(), format_file_name("analytics", state, "zip"), "application/zip")


def _respond_to_problems(parsed_state: ParsedState) -> HttpResponse:
    sentences = [format_problem(problem, parsed_state.typed) for problem in parsed_state.problems]
    return HttpResponse("\n".join(sentences), content_type="text/plain; charset=utf-8", status=400)


def _build_chart(request: OwnerRequest, state: AnalyticsState, name: str) -> tuple[Chart | None, str]:
    if name in PANEL_KINDS:
        if name == "days" or (name == "region" and not state.region):
            raise Http404
        panel_context = PanelContext(request.account.pk, state)
        panel = load_panels(request, panel_context, (name,), patience=get_full_timeout()).panels[0]
        return panel.chart, _format_reason(panel)
    state = group_by_day(state)
    if name == "retention":
        return _build_retention_chart(request, state)
    if name in ("traffic", "videos", "shares") and state.videos:
        return _build_traffic_chart(request, state, name)
    if name in ("traffic", "consumers"):
        return _build_account_chart(request, state, name)
    raise Http404


def _format_reason(panel: AnalyticsPanel) -> str:
    if panel.trouble:
        return f"{panel.trouble.sentence} {panel.trouble.next_step}"
    return _("The platform did not answer in time, or not with this figure. Try again in a minute.")


def _build_traffic_chart(request: OwnerRequest, state: AnalyticsState, name: str) -> tuple[Chart | None, str]:
    """A chart of the chosen videos."""
    panel_context = PanelContext(request.account.pk, state, "analytics:traffic")
    video_answers = load_videos(
        request, panel_context, len(state.videos), traffic_pages.build_asks, patience=get_full_timeout()
    )
    content = traffic_pages.build_traffic(panel_context, video_answers, None)
    return _find_chart(content.panels, name), _format_problems(content.problems)


def _build_account_chart(request: OwnerRequest, state: AnalyticsState, name: str) -> tuple[Chart | None, str]:
    """A chart of the whole account, once every video is read."""
    progress = traffic_history.get_progress(request.account)
    if not progress.complete:
        return None, _("The traffic of the account is shown once all of its videos are read.")
    panel_context = PanelContext(request.account.pk, state, "analytics:traffic")
    content = traffic_pages.build_account_traffic(request.account, panel_context, progress, None)
    return _find_chart(content.panels, name), ""


def _build_retention_chart(request: OwnerRequest, state: AnalyticsState) -> tuple[Chart | None, str]:
    content = _load_retention(request, state, get_full_timeout())[1]
    problems = (_format_problems(content.problems), *content.notes)
    return _find_chart(content.panels, "retention"), " ".join(problems).strip()


def _load_retention(
    request: OwnerRequest, state: AnalyticsState, patience: float | None = None
) -> tuple[VideoAnswers, video_comparison.Retention]:
    """Curves are compared with each other and not with earlier days."""
    panel_context = PanelContext(request.account.pk, state.with_compare(Compare.NONE), "analytics:retention")
    asks, top = video_comparison.build_retention_asks, video_comparison.TOP
    video_answers = load_videos(request, panel_context, top, asks, patience=patience)
    return video_answers, video_comparison.build_retention(panel_context, video_answers)


def _format_problems(problems: Sequence[video_comparison.VideoProblem]) -> str:
    return " ".join(
        f"{problem.title}: {problem.trouble.sentence} {problem.trouble.next_step}".strip() for problem in problems
    )


def _find_chart(panels: tuple[AnalyticsPanel, ...], name: str) -> Chart | None:
    return next((panel.chart for panel in panels if panel.name == name), None)
