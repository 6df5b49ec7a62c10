// Shows the contract of the server that sent this page. A session that is created on the page can be
// played there at once: the page fills in its id, the table's token and its version.
"use strict";

const SESSIONS = "/v1/sessions";
const METHODS = ["get", "post", "delete"];

const ui = SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#contract",
  validatorUrl: null, // the default would ask a third party
  deepLinking: true,
  docExpansion: "none", // drawing the operations of all games would take as long as all the rest
  defaultModelsExpandDepth: -1,
  tryItOutEnabled: true,
  plugins: [
    () => ({
      wrapComponents: { InfoContainer: introduction, FilterContainer: search, DeepLink: plain },
      statePlugins: {
        spec: { wrapActions: { updateJsonSpec: proposeServiceDice } },
        layout: { wrapSelectors: { isShown: shownIfFound } },
      },
      fn: { opsFilter: found },
    }),
  ],
  responseInterceptor: takeOver,
  onComplete: showSessions,
});

/** The contract's introduction up to the end of its list, three beginnings, and the rest to unfold. */
function introduction(_, { React, getComponent, specSelectors }) {
  const element = React.createElement;
  const Markdown = getComponent("Markdown", true);
  return () => {
    const info = specSelectors.info();
    const paragraphs = info.get("description").split("\n\n");
    const end = paragraphs.findIndex((paragraph) => paragraph.startsWith("- ")) + 1;
    return element(
      "section",
      { className: "info", "aria-label": "Introduction" },
      element("h1", { className: "title" }, `${info.get("title")} ${info.get("version")}`),
      element(Markdown, { source: paragraphs.slice(0, end).join("\n\n") }),
      element("ul", { className: "beginnings" }, beginnings(specSelectors.specJson(), element)),
      element(
        "details",
        null,
        element("summary", null, "Errors, methods, caches and other origins"),
        element(Markdown, { source: paragraphs.slice(end).join("\n\n") }),
      ),
    );
  };
}

/** Three ways to begin: each with a heading, a sentence, and what to press. */
function beginnings(spec, element) {
  const code = (text) => element("code", null, text);
  const open = (path, text) =>
    element("button", { className: "btn", type: "button", onClick: () => unfold(path) }, text);
  const link = (name) => element("a", { className: "btn", href: name, key: name }, name);
  const evaluate = [...spec.get("paths").keys()].find((path) => path.endsWith("/evaluate"));
  const ways = [
    [
      "Score a roll",
      ["Send dice, and read what they are worth. An example is filled in."],
      evaluate && open(evaluate, "Open evaluate"),
    ],
    [
      "Play a session",
      [
        "Create one. The page fills its id, token, version and first legal action into the ",
        "operations below it.",
      ],
      open(SESSIONS, "Open sessions"),
    ],
    [
      "Make a client",
      [
        ...["Give a generator ", code("openapi.json"), ", or that of one game: "],
        ...[code("openapi.json?variant=dice-poker"), "."],
      ],
      [link("openapi.json"), link("openapi.yaml")],
    ],
  ];
  return ways.map(([name, sentence, press]) =>
    element(
      "li",
      { key: name },
      element("h2", null, name),
      element("p", null, ...sentence),
      element("p", null, press),
    ),
  );
}

/** Unfolds the operation POST of `path`, and takes the reader there. */
function unfold(path) {
  ui.layoutActions.updateFilter("");
  const operation = ui.specSelectors.specJson().getIn(["paths", path, "post"]);
  const place = [operation.getIn(["tags", 0]), operation.get("operationId")];
  ui.layoutActions.show(["operations-tag", place[0]], true);
  ui.layoutActions.show(["operations", ...place], true);
  requestAnimationFrame(() => {
    const block = document.getElementById(["operations", ...place].join("-"));
    block.scrollIntoView();
    block.querySelector(".opblock-summary-control").focus();
  });
}

/** The field for words that operations are found by. Swagger UI's own finds only tags. */
function search(_, { React, layoutActions, layoutSelectors, specSelectors }) {
  const element = React.createElement;
  return () => {
    const words = layoutSelectors.currentFilter() || "";
    const sizes = specSelectors.taggedOperations().map((tag) => tag.get("operations").size);
    const count = sizes.reduce((all, size) => all + size, 0);
    const result = count ? `${count} found` : "Nothing found: search for other words.";
    const onChange = ({ target }) => layoutActions.updateFilter(target.value);
    return element(
      "search",
      { className: "wrapper" },
      element("h2", null, "Operations"),
      element("label", null, "Search ", element("input", { type: "search", value: words, onChange })),
      element("span", { role: "status" }, words && result),
    );
  };
}

/** The operations with all of `words` in their tag, method, path or summary. */
function found(tags, words) {
  const all = words.toLowerCase().split(/\s+/);
  const fits = (tag) => (each) => {
    const parts = [tag, each.get("method"), each.get("path"), each.getIn(["operation", "summary"])];
    const text = parts.join(" ").toLowerCase();
    return all.every((word) => text.includes(word));
  };
  return tags
    .map((tag, name) => tag.update("operations", (operations) => operations.filter(fits(name))))
    .filter((tag) => tag.get("operations").size);
}

/** Unfolds each tag while it has operations that were found. */
function shownIfFound(shown) {
  return (state, thing, ...rest) =>
    (thing[0] === "operations-tag" && Boolean(state.get("filter"))) || shown(thing, ...rest);
}

/** The name of a tag or a path. Swagger UI makes a link of it, but it lies within a button. */
function plain(_, { React }) {
  return ({ text }) => React.createElement("span", null, text);
}

/** Leaves `dice` out of the example sessions, so that their games go on without typing dice in. */
function proposeServiceDice(update) {
  return (spec) => {
    const body = spec.paths?.[SESSIONS].post.requestBody.content["application/json"];
    for (const example of Object.values(body?.examples ?? {})) delete example.value.dice;
    return update(spec);
  };
}

/** Unfolds the operations of sessions. */
function showSessions() {
  const create = ui.specSelectors.specJson().getIn(["paths", SESSIONS, "post"]);
  if (location.hash) return; // of an operation, which Swagger UI unfolds
  ui.layoutActions.show(["operations-tag", create.getIn(["tags", 0])], true);
}

/** Fills what a response says of a session into the other operations; returns the response. */
function takeOver(response) {
  const path = new URL(response.url, location).pathname;
  const at = path.lastIndexOf(SESSIONS);
  if (at < 0 || !response.ok || !response.headers.etag) return response;
  const [id] = path.slice(at + SESSIONS.length + 1).split("/");
  const session = response.body || JSON.parse(response.text);
  if (!session.actions) return response; // a history, advice or reviews
  if (session.tokens) authorize(session.tokens.table);
  fillIn(id || session.id, session.version);
  propose(session);
  return response;
}

/** Uses `token` in all operations that need one. */
function authorize(token) {
  const schemes = ui.specSelectors.specJson().getIn(["components", "securitySchemes"]);
  const name = schemes.findKey((scheme) => scheme.get("scheme") === "bearer");
  ui.preauthorizeApiKey(name, token);
}

/** Fills the id of a session and its version into the parameters of its operations. */
function fillIn(id, version) {
  for (const [operation, parameters] of operationsOfASession()) {
    for (const parameter of parameters) {
      const [place, name] = [parameter.get("in"), parameter.get("name")];
      const value = place === "path" ? id : name === "If-Match" ? `"${version}"` : null;
      if (value !== null) ui.specActions.changeParam(operation, name, place, value, false);
    }
  }
}

/** Makes the first legal action of `session` the body of the next one. */
function propose(session) {
  const move = session.actions[0];
  if (!move) return;
  const action = {};
  for (const [name, bound] of Object.entries(move)) {
    if (name === "action" || name === "player") action[name] = bound;
    else if (!("default" in bound)) action[name] = sample(bound);
  }
  const operations = operationsOfASession().map(([operation]) => operation);
  const pathMethod = operations.find(([path]) => path.endsWith("/actions"));
  ui.oas3Actions.setRetainRequestBodyValueFlag({ value: true, pathMethod }); // not the example
  ui.oas3Actions.setRequestBodyValue({ value: JSON.stringify(action, null, 2), pathMethod });
}

/** A value that `bound`, a JSON Schema of the session's `actions`, allows. */
function sample(bound) {
  if (bound.enum) return bound.enum[0];
  if (bound.type !== "array") return bound.minimum;
  return Array.from({ length: bound.minItems || 0 }, (_, place) => {
    const first = sample(bound.items);
    return bound.uniqueItems ? first + place : first;
  });
}

/** Each operation of one session as its path and method, with its parameters. */
function operationsOfASession() {
  const spec = ui.specSelectors.specJson();
  const found = [];
  for (const [path, item] of spec.get("paths")) {
    if (!path.startsWith(`${SESSIONS}/{`)) continue;
    for (const method of METHODS) {
      if (item.has(method)) found.push([[path, method], parametersOf(spec, item.get(method))]);
    }
  }
  return found;
}

/** The parameters of an operation, with those that it refers to. */
function parametersOf(spec, operation) {
  return operation.get("parameters").map((parameter) => {
    const reference = parameter.get("$ref");
    return reference ? spec.getIn(reference.slice(2).split("/")) : parameter;
  });
}

const contract = document.getElementById("contract");

/** Names the fields that Swagger UI doesn't name, and lets keys scroll what is too long. */
function label() {
  for (const field of contract.querySelectorAll(":is(select, textarea):not([aria-label])")) {
    const parameter = field.closest("[data-param-name]")?.dataset.paramName;
    field.ariaLabel = field.closest(".examples-select") ? "Example" : parameter || "Body";
  }
  for (const long of contract.querySelectorAll("pre:not([tabindex])")) long.tabIndex = 0;
}
new MutationObserver(label).observe(contract, { childList: true, subtree: true });

const dark = matchMedia("(prefers-color-scheme: dark)");
const paint = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", paint);
paint();
