"""The platform's refusals about subtitles as sentences [7]."""

from django.utils.translation import gettext_noop

from dashboard.platform_api.vocabulary import Message
from dashboard.shared.refusals import Refusal, register

MESSAGES = {
    Message.FROM_LANG_REQUIRED: Refusal(gettext_noop("Choose the source language."), "", "from_lang"),
    Message.TO_LANG_REQUIRED: Refusal(gettext_noop("Choose at least one target language."), "", "to_lang"),
    Message.TIER_REQUIRED: Refusal(gettext_noop("Choose a tier."), "", "tier"),
    Message.SOURCE_SUBTITLE_MISSING: Refusal(
        gettext_noop("The video has no subtitles in the source language yet."),
        gettext_noop("Transcribe the video first, then translate."),
        "from_lang",
    ),
    Message.TARGET_SUBTITLE_EXISTS: Refusal(
        gettext_noop("The video already has subtitles in that language."),
        gettext_noop("Delete them on the platform first if they must be made again."),
        "to_lang",
    ),
    Message.SUBTITLE_EXISTS: Refusal(
        gettext_noop("The video already has subtitles in its source language."),
        gettext_noop("Translate them, or delete them on the platform first."),
        "from_lang",
    ),
    Message.TRANSCRIPTION_RUNNING: Refusal(
        gettext_noop("This video is being transcribed already."), gettext_noop("Wait until that job has ended.")
    ),
    Message.TRANSLATION_RUNNING: Refusal(
        gettext_noop("This video is being translated into that language already."),
        gettext_noop("Wait until that job has ended."),
        "to_lang",
    ),
    Message.AUTO_NOT_ON_ESSENTIAL: Refusal(
        gettext_noop("Tier Essential cannot detect the language."),
        gettext_noop("Name the source language, or choose Pro or Advanced."),
        "from_lang",
    ),
}

register(messages=MESSAGES)
