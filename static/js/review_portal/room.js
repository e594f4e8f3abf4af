// @ts-check
// The room. Each module looks for its own hooks; this one only starts them, in order.
import "../commands.js";
import "../language.js";
import "../menu.js";
import "../place.js";
import "../summary.js";
import "../theme.js";
import "../toast.js";
import "../zone.js";
import "./countdown.js";
import "./fold.js";
import "./timeline.js";
import "./transport.js";
import * as composer from "./composer.js";
import * as drafts from "./drafts.js";
import * as drawings from "./drawings.js";
import * as keys from "./keys.js";
import * as later from "./later.js";
import * as live from "./live.js";
import * as markers from "./markers.js";
import * as posting from "./posting.js";
import * as rest from "./rest.js";
import * as tabs from "./tabs.js";
import * as threads from "./threads.js";

drafts.onChange(markers.showDrafts);
composer.start();
drawings.start();
threads.start();
rest.start();
posting.start();
keys.start();
tabs.start();
later.start();
live.start(() => import("./patch.js"));
markers.showDrafts(drafts.list());
