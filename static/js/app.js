// Every page's behaviours. Each is a small module that looks for its own hook and does nothing without it.
import "./place.js";
import "./theme.js";
import "./commands.js";
import "./toast.js";
import "./menu.js";
import "./zone.js";
import "./once.js";
import "./typed.js";
import "./poll.js";
import "./summary.js";
import "./language.js";
import "./palette.js";
import "./cursor.js";
import "./atlas.js";
import "./again.js";
import "./picture.js";
import "./shortcuts.js";
