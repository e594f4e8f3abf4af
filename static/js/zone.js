// Tells the server the reader's time zone, so that the next page shows times in it.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone && !document.cookie.split("; ").includes(`zone=${zone}`)) {
  document.cookie = `zone=${zone}; path=/; max-age=31536000; samesite=lax`;
}
