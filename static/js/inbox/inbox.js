// @ts-check
// The inbox: rows open beside the list, single keys, several rows at once, replies that are never lost, the video.
import "./answer.js";
import "./choose.js";
import "./film.js";
import "./keys.js";
import "./rows.js";
