// @ts-check
// Keeps what is arranged: in this browser at once, on the server after a moment, and once more when the page is left.
const SOON = 900;
const LATER = 8000;

/** @param {Board} board */
export function keeper(board) {
  const name = `board.${board.root.dataset.key}`;
  const restore = document.querySelector("[data-restore]");
  /** @type {number | undefined} */
  let timer;

  /** @returns {StoredBoard | null} */
  const stored = () => {
    try {
      return JSON.parse(localStorage.getItem(name));
    } catch {
      return null; // private windows, or somebody else's words under our name
    }
  };
  /** @param {StoredBoard | null} value */
  const store = (value) => {
    try {
      if (value) localStorage.setItem(name, JSON.stringify(value));
      else localStorage.removeItem(name);
    } catch {
      // Full or forbidden: the server's copy is the one that counts.
    }
  };

  function body() {
    const data = new FormData(board.form);
    data.set("act", "keep");
    return data;
  }

  // Nothing to send: the review would show nothing. Without script the button stays, because what is typed is not kept
  // yet.
  const review = board.form.querySelector("[data-review]");
  const offer = () => {
    review.disabled = document.getElementById("unsent").hasAttribute("data-nothing");
  };
  addEventListener("input", (event) => {
    if (event.target.form === board.form) review.disabled = false;
  });
  offer();

  async function send() {
    const sent = board.last;
    try {
      const answer = await fetch(board.form.action, {
        method: "POST",
        body: body(),
        headers: { "HX-Request": "true" },
      });
      if (answer.headers.get("HX-Redirect")) return location.assign(answer.headers.get("HX-Redirect"));
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("unsent");
      if (!answer.ok || !fresh) throw new Error("not kept");
      document.getElementById("unsent").replaceWith(fresh);
      if (board.last === sent) offer();
      if (board.last === sent) store(null);
    } catch {
      document.getElementById("unsent").textContent = board.words.failed;
      timer = setTimeout(send, LATER);
    }
  }

  board.keep = () => {
    review.disabled = false;
    const { entry, places } = board.last;
    store({ entry, places: [...places] });
    clearTimeout(timer);
    timer = setTimeout(send, SOON);
  };

  addEventListener("pagehide", () => {
    if (!stored()) return;
    const data = body();
    fetch(board.form.action, { method: "POST", body: data, headers: { "HX-Request": "true" }, keepalive: true }).catch(
      () => {},
    );
  });
  board.form.addEventListener("submit", () => {
    clearTimeout(timer);
    store(null);
  });

  const storedBoard = stored();
  const differs = storedBoard?.places?.some(([id, place]) => {
    const card = board.cards.get(id);
    return card && (card.x !== place.x || card.y !== place.y);
  });
  if (!storedBoard || !(differs || (storedBoard.entry && storedBoard.entry !== board.entry))) return store(null);
  restore.hidden = false;
  restore.querySelector("[data-restore-yes]").addEventListener("click", () => {
    board.put(storedBoard.places.filter(([id]) => board.cards.has(id)));
    if (board.cards.has(storedBoard.entry)) board.setEntry(storedBoard.entry);
    board.commit();
    restore.hidden = true;
    board.scroller.focus();
  });
  restore.querySelector("[data-restore-no]").addEventListener("click", () => {
    store(null);
    restore.hidden = true;
    board.scroller.focus();
  });
}
