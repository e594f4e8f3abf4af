// @ts-check
// Turns a moment into the time that is left. The server prints the same words first.
import { say } from "./words.js";

const clock = document.querySelector("[data-countdown]");

function left() {
  const minutes = Math.floor((Date.parse(clock.dateTime) - Date.now()) / 60000);
  if (minutes < 0) return;
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  clock.textContent = days
    ? `${days} ${say("day")} ${hours} ${say("hour")}`
    : `${hours} ${say("hour")} ${minutes % 60} ${say("minute")}`;
  clock.closest(".expiry")?.classList.toggle("expiry--soon", minutes < 1440);
}

if (clock && source()) setInterval(left, 30000);
function source() {
  return document.getElementById("words");
}
