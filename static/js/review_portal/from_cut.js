// @ts-check
// What was open on the cut before, beside this cut's video: times in the list lead to their moment.
import "../commands.js";
import "../language.js";
import "../menu.js";
import "../theme.js";
import "../toast.js";
import "../zone.js";
import "./countdown.js";
import "./sheet.js";
import * as checks from "./checks.js";
import { player } from "./player.js";

const stage = document.querySelector("[data-player]");
const button = stage?.querySelector(".stage__play");

// The browser's own controls are enough here.
const video = stage?.querySelector("video");
if (video) video.controls = true;
if (button) button.hidden = true;

checks.start((seconds) => player.seek(seconds));
