// @ts-check
// The editor of AI content. Each part looks for its own hooks and does nothing without them.
import "./keep.js";
import "./quiz.js";
import "./outline.js";
import "./markdown.js";
import "./paste.js";
import "./clock.js";
