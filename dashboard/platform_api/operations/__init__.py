"""The operations of the specification, one class per group and one method per operation."""

from dashboard.platform_api.operations.ai_workflow import AiWorkflow
from dashboard.platform_api.operations.analytics import AnalyticsQueries
from dashboard.platform_api.operations.assistants import Assistants
from dashboard.platform_api.operations.comparisons import Comparisons
from dashboard.platform_api.operations.credits import Credits
from dashboard.platform_api.operations.custom_fields import CustomFields
from dashboard.platform_api.operations.folders import Folders
from dashboard.platform_api.operations.funnels import Funnels
from dashboard.platform_api.operations.lives import Lives
from dashboard.platform_api.operations.organizations import Organizations
from dashboard.platform_api.operations.playlists import Playlists
from dashboard.platform_api.operations.public_files import PublicFiles
from dashboard.platform_api.operations.public_review import PublicReview
from dashboard.platform_api.operations.review_links import ReviewLinks
from dashboard.platform_api.operations.videos import Videos
from dashboard.platform_api.sending import Send


class Operations:
    """Every group, over one way of sending.

    `review_reads`: whether the assumed reads of review links and comments may leave (see `assumptions`).
    """

    def __init__(self, send: Send, *, review_reads: bool) -> None:
        self.videos = Videos(send)
        self.ai_workflow = AiWorkflow(send)
        self.organizations = Organizations(send)
        self.review_links = ReviewLinks(send, review_reads)
        self.public_files = PublicFiles(send)
        self.public_review = PublicReview(send, review_reads)
        self.comparisons = Comparisons(send)
        self.credits = Credits(send)
        self.custom_fields = CustomFields(send)
        self.lives = Lives(send)
        self.funnels = Funnels(send)
        self.folders = Folders(send)
        self.playlists = Playlists(send)
        self.assistants = Assistants(send)
        self.analytics = AnalyticsQueries(send)
