// @ts-check
// Tells the server the reader's time zone, so that the next page shows times in it; on the first one, what matters is
// said in it here, as the server will say it.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone && !document.cookie.split("; ").includes(`zone=${zone}`)) {
  document.cookie = `zone=${zone}; path=/; max-age=31536000; samesite=lax`;
  if (zone !== "UTC")
    for (const time of document.querySelectorAll("time[data-moment]")) {
      const at = new Date(time.dateTime);
      const text = new Intl.DateTimeFormat(document.documentElement.lang, {
        dateStyle: "medium",
        timeStyle: "short",
        hourCycle: "h23",
      }).format(at);
      time.textContent = `${text} ${zone.replaceAll("_", " ")}, ${at.toISOString().slice(11, 16)} UTC`;
    }
}
