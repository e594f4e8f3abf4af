"""What the templates of subtitles get: every decision is already a boolean or a sentence."""
