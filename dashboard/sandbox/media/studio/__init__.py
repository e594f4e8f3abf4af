"""What it takes to make the demo film again: painting, scenes, sound. Needs the `media` dependency group."""
