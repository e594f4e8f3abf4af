// @ts-check
// A form sent with htmx after the session had ended: the browser takes it to sign-in as a whole page, with everything
// typed.
document.addEventListener("htmx:beforeOnLoad", (event) => {
  const to = event.detail.xhr.getResponseHeader("HX-Redirect") ?? "";
  if (!to.startsWith("/sign-in/") || !new URL(to, location.href).searchParams.has("form")) return;
  if (event.target.matches?.("form[data-keep], #pulse")) return; // keeps what is typed itself
  event.preventDefault();
  const { formData, headers } = event.detail.requestConfig;
  const form = document.createElement("form");
  form.method = "post";
  form.action = to;
  form.hidden = true;
  const fields = /** @type {[string, string][]} */ ([...formData]).filter(
    ([name, value]) => name !== "csrfmiddlewaretoken" && typeof value === "string",
  );
  const token = /** @type {string} */ (headers["X-CSRFToken"] ?? formData.get("csrfmiddlewaretoken"));
  for (const [name, value] of [...fields, ["csrfmiddlewaretoken", token]]) {
    const field = document.createElement("textarea");
    field.name = name;
    field.value = value;
    form.append(field);
  }
  document.body.append(form);
  HTMLFormElement.prototype.submit.call(form);
});
