"""What the platform answers, as frozen dataclasses.

Every `from_json` takes an object in any state: what is absent or of another type becomes "", None, 0 or an empty tuple,
keys that are not known are kept in `.extra`, states that are not known stay as they came. Times are aware and in UTC.
Addresses are http(s) or paths, so that none of another kind ever lands in a link.
"""

from dashboard.platform_api.records.ai_resources import AiResource
from dashboard.platform_api.records.ai_workflow import Job, PackageFile
from dashboard.platform_api.records.analytics import Analytics, Row, Table
from dashboard.platform_api.records.assistants import Assistant
from dashboard.platform_api.records.comparisons import Comparison, Comparisons, Variant
from dashboard.platform_api.records.credits import CreditEntry, Credits
from dashboard.platform_api.records.custom_fields import CustomField
from dashboard.platform_api.records.folders import Folder
from dashboard.platform_api.records.funnels import Funnel, FunnelVideo
from dashboard.platform_api.records.lives import Ingest, Live
from dashboard.platform_api.records.organizations import SubAccount, Usage
from dashboard.platform_api.records.playlists import Playlist, PlaylistVideo
from dashboard.platform_api.records.reviews import Comment, ReviewLink
from dashboard.platform_api.records.subtitles import Subtitle
from dashboard.platform_api.records.videos import Video, VideoPage

__all__ = [
    "AiResource",
    "Analytics",
    "Assistant",
    "Comment",
    "Comparison",
    "Comparisons",
    "CreditEntry",
    "Credits",
    "CustomField",
    "Folder",
    "Funnel",
    "FunnelVideo",
    "Ingest",
    "Job",
    "Live",
    "PackageFile",
    "Playlist",
    "PlaylistVideo",
    "ReviewLink",
    "Row",
    "SubAccount",
    "Subtitle",
    "Table",
    "Usage",
    "Variant",
    "Video",
    "VideoPage",
]
