"""The public files of the platform's player [2.8; gaps 15]: asked for without a token, each on the host that serves it."""

from dashboard.platform_api.answers import Answer
from dashboard.platform_api.records.public_files import ComparisonFile, LiveFile, VideoConfig
from dashboard.platform_api.records.subtitles import read_web_vtt
from dashboard.platform_api.request import Auth, Host, Identifier, Request
from dashboard.platform_api.sending import Send
from dashboard.platform_api.values import JSON, Unreadable


class PublicFiles:
    """Files by the zone name of an account and the external id of a video, a live or an A/B test.

    `Missing` where there is no such file, and where the host of such files is not set.
    """

    def __init__(self, send: Send) -> None:
        self._send = send

    def video(self, pullzone: str, external_id: Identifier) -> VideoConfig:
        """GET {config_url}/{pullzone}/{external_id}.json [gaps 15, A6]."""
        name = f"{external_id}.json" if external_id else ""
        return self._send(
            _request("public_files.video", Host.CONFIG, pullzone, name),
            lambda answer: VideoConfig.from_json(_object(answer)),
        )

    def comparison(self, pullzone: str, comparison_id: Identifier) -> ComparisonFile:
        """GET {config_url}/{pullzone}/comparison/{comparison_id}.json [gaps 15, A7]."""
        name = f"{comparison_id}.json" if comparison_id else ""
        return self._send(
            _request("public_files.comparison", Host.CONFIG, pullzone, "comparison", name),
            lambda answer: ComparisonFile.from_json(_object(answer)),
        )

    def live(self, pullzone: str, external_id: Identifier) -> LiveFile:
        """GET {live_config_url}/{pullzone}/{external_id}-live.json [gaps 15, A8]."""
        name = f"{external_id}-live.json" if external_id else ""
        return self._send(
            _request("public_files.live", Host.LIVE_CONFIG, pullzone, name),
            lambda answer: LiveFile.from_json(_object(answer)),
        )

    def subtitle(self, pullzone: str, external_id: Identifier, lang: str) -> str:
        """GET {subtitles_url}/{pullzone}/{external_id}/{lang}.vtt [gaps 15, A9]: the WebVTT text."""
        name = f"{lang}.vtt" if lang else ""
        return self._send(_request("public_files.subtitle", Host.SUBTITLES, pullzone, external_id, name), read_web_vtt)


def _request(operation: str, host: Host, *path: Identifier) -> Request:
    return Request(operation, "GET", path, host=host, auth=Auth.NONE)


def _object(answer: Answer) -> dict[str, JSON]:
    value = answer.json()
    if not isinstance(value, dict):
        raise Unreadable("a public file is an object")
    return value
