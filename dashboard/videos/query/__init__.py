"""The query of the list of videos: its grammar, and which videos match. Pure."""
