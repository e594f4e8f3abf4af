// @ts-check
// Turns nested lists of links into a tree (WAI-ARIA pattern): one tab stop, arrows, Home, End, typing jumps to a name.
// Levels are fetched when they are opened. What cannot be fetched is opened as the page it is without script.
const TYPING = 700;

for (const tree of document.querySelectorAll("[data-tree]")) grow(tree);

/** @param {HTMLElement} tree */
function grow(tree) {
  const list = tree.querySelector("ul");
  let typed = "";
  let typedAt = 0;
  list.setAttribute("role", "tree");
  list.setAttribute("aria-labelledby", tree.getAttribute("aria-labelledby"));
  tree.setAttribute("role", "presentation");
  tree.removeAttribute("aria-labelledby");
  dress(list, 1);
  rove(tree, tree.querySelector("[aria-current=page]") ?? items(tree)[0]);
  tree.parentElement.querySelector("[data-tree-hint]")?.removeAttribute("hidden");

  tree.addEventListener("click", (event) => {
    const link = event.target.closest("[role=treeitem]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if ("treeMore" in link.dataset) {
      event.preventDefault();
      more(link);
    } else if (event.target.closest(".tree__toggle") && "treeChildren" in link.dataset) {
      event.preventDefault();
      rove(tree, link);
      link.focus();
      toggle(link);
    }
  });

  tree.addEventListener("focusin", (event) => {
    const link = event.target.closest("[role=treeitem]");
    if (link) rove(tree, link);
  });

  tree.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const link = event.target.closest("[role=treeitem]");
    if (!link) return;
    const all = items(tree);
    const at = all.indexOf(link);
    /** @type {Record<string, HTMLElement | undefined>} */
    const moves = { ArrowDown: all[at + 1], ArrowUp: all[at - 1], Home: all[0], End: all.at(-1) };
    if (event.key in moves) go(event, moves[event.key]);
    else if (event.key === "ArrowRight") {
      if (link.getAttribute("aria-expanded") === "true") go(event, level(link)?.querySelector("[role=treeitem]"));
      else if ("treeChildren" in link.dataset) act(event, () => open(link));
    } else if (event.key === "ArrowLeft") {
      if (link.getAttribute("aria-expanded") === "true") act(event, () => link.setAttribute("aria-expanded", "false"));
      else go(event, link.closest("ul[role=group]")?.previousElementSibling);
    } else if (event.key === " " && event.timeStamp - typedAt >= TYPING) act(event, () => link.click());
    else if (event.key === "*") {
      const siblings = link.closest("ul").querySelectorAll(":scope > li > [data-tree-children]");
      act(event, () =>
        [...siblings].slice(0, 20).forEach((sibling) => open(/** @type {HTMLAnchorElement} */ (sibling))),
      );
    } else if (event.key.length === 1) {
      typed = event.timeStamp - typedAt < TYPING ? typed + event.key : event.key;
      typedAt = event.timeStamp;
      const from = typed.length > 1 ? at : at + 1;
      go(
        event,
        [...all.slice(from), ...all.slice(0, from)].find((item) => begins(item, typed)),
      );
    }
  });
}

/**
 * @param {HTMLElement} link
 * @param {string} typed
 */
function begins(link, typed) {
  const name = link.querySelector(".tree__name")?.textContent ?? "";
  return fold(name).startsWith(fold(typed));
}

/** @param {string} text */
function fold(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/**
 * @param {KeyboardEvent} event
 * @param {() => void} deed
 */
function act(event, deed) {
  event.preventDefault();
  deed();
}

/**
 * @param {KeyboardEvent} event
 * @param {Element | null | undefined} link
 */
function go(event, link) {
  event.preventDefault();
  link?.focus();
}

/**
 * Visible items, in the order of the page.
 * @param {HTMLElement} tree
 */
function items(tree) {
  return [...tree.querySelectorAll("[role=treeitem]")].filter((link) => !link.closest("[aria-expanded=false] + ul"));
}

/**
 * @param {HTMLElement} tree
 * @param {Element | null | undefined} link
 */
function rove(tree, link) {
  for (const other of tree.querySelectorAll("[role=treeitem][tabindex='0']")) other.tabIndex = -1;
  if (link) link.tabIndex = 0;
}

/** @param {HTMLAnchorElement} link */
function level(link) {
  const next = link.nextElementSibling;
  return next?.matches("ul") ? next : null;
}

/**
 * Roles and places of one level and of what is open below it.
 * @param {Element} list
 * @param {number} depth
 */
function dress(list, depth) {
  const rows = [...list.children];
  rows.forEach((row, at) => {
    row.setAttribute("role", "none");
    const link = row.querySelector(":scope > a");
    link.setAttribute("role", "treeitem");
    link.setAttribute("aria-level", depth);
    link.setAttribute("aria-posinset", at + 1);
    link.setAttribute("aria-setsize", rows.length);
    if (!link.hasAttribute("tabindex")) link.tabIndex = -1;
    const below = level(link);
    if (below) {
      below.setAttribute("role", "group");
      own(link, below);
      dress(below, depth + 1);
    }
    if ("treeChildren" in link.dataset && !link.hasAttribute("aria-expanded")) {
      link.setAttribute("aria-expanded", below ? "true" : "false");
    }
  });
}

/**
 * @param {HTMLElement} link
 * @param {Element} below
 */
function own(link, below) {
  below.id ||= `below-${link.dataset.treeId}`;
  link.setAttribute("aria-owns", below.id);
}

/** @param {HTMLAnchorElement} link */
function toggle(link) {
  if (link.getAttribute("aria-expanded") === "true") link.setAttribute("aria-expanded", "false");
  else open(link);
}

/** @param {HTMLAnchorElement} link */
async function open(link) {
  if (!level(link)) {
    const list = await fetched(link, link.dataset.treeChildren);
    if (!list || level(link)) return;
    if (!list.children.length) {
      // Nothing below: it is a leaf, and says so.
      link.removeAttribute("aria-expanded");
      link.querySelector(".tree__toggle").replaceChildren();
      delete link.dataset.treeChildren;
      return;
    }
    list.setAttribute("role", "group");
    link.after(list);
    own(link, list);
    dress(list, Number(link.getAttribute("aria-level")) + 1);
  }
  link.setAttribute("aria-expanded", "true");
}

/** @param {HTMLAnchorElement} link */
async function more(link) {
  const list = await fetched(link, link.dataset.treeMore);
  if (!list) return;
  const branch = link.closest("ul");
  const first = list.querySelector("a");
  const ids = new Set([...branch.querySelectorAll(":scope > li > [data-tree-id]")].map((item) => item.dataset.treeId));
  const rows = [...list.children].filter((row) => !ids.has(row.querySelector("a").dataset.treeId));
  const waited = document.activeElement === link; // whoever went on meanwhile is not called back
  link.closest("li").replaceWith(...rows);
  dress(branch, Number(link.getAttribute("aria-level")));
  if (waited) first?.focus();
}

/**
 * @param {HTMLAnchorElement} link
 * @param {string} address
 */
async function fetched(link, address) {
  if (link.getAttribute("aria-busy") === "true") return null;
  link.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(address, { headers: { "HX-Request": "true" } });
    if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return page.querySelector("ul");
  } catch {
    location.assign(link.href);
    return null;
  } finally {
    link.removeAttribute("aria-busy");
  }
}
