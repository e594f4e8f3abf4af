// @ts-check
// The embedded player: tells the page around it what the film does, and does what that page says.
// The messages are those of the platform's player; the page around it checks origin and source, and so does this one.
const PREFIX = "panda_";
const video = /** @type {HTMLVideoElement} */ (document.querySelector("[data-player]"));

/**
 * @param {string} what
 * @param {object} [more]
 */
function tell(what, more = {}) {
  if (window.parent === window) return;
  const message = { message: PREFIX + what, video: video.dataset.player, currentTime: video.currentTime, ...more };
  window.parent.postMessage(message, "*"); // nothing in it is secret, and any page may embed the player
}

function everything() {
  tell("allData", { playerData: { duration: video.duration, paused: video.paused, volume: video.volume } });
}

/** @type {Record<string, (value?: number) => void>} */
const commands = {
  play: () => video.play().catch(() => tell("pause")), // refused without a gesture: say that nothing plays
  pause: () => video.pause(),
  currentTime: (seconds) => {
    video.currentTime = Math.min(Math.max(seconds, 0), video.duration || seconds);
  },
  volume: (level) => {
    video.volume = Math.min(Math.max(level, 0), 1);
  },
};

window.addEventListener("message", (event) => {
  if (event.source !== window.parent || typeof event.data !== "object" || event.data === null) return;
  const { type, parameter } = event.data;
  const needsNumber = type === "currentTime" || type === "volume";
  if (Object.hasOwn(commands, type) && (!needsNumber || Number.isFinite(parameter))) commands[type](parameter);
});

function ready() {
  const start = Number.parseFloat(video.dataset.start);
  if (Number.isFinite(start) && start > 0) video.currentTime = Math.min(start, video.duration);
  tell("ready");
  everything();
}

if (video) {
  if (video.readyState >= HTMLMediaElement.HAVE_METADATA) ready();
  else video.addEventListener("loadedmetadata", ready, { once: true });
  for (const name of ["canplay", "play", "pause", "timeupdate", "progress", "seeking", "seeked", "ended", "error"]) {
    video.addEventListener(name, () => tell(name));
  }
  video.addEventListener("ratechange", () => tell("speed_update", { speed: video.playbackRate }));
  document.addEventListener("fullscreenchange", () =>
    tell(document.fullscreenElement ? "enterfullscreen" : "exitfullscreen"),
  );
}
