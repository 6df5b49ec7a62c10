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
      wrapComponents: { InfoContainer: introduction },
      statePlugins: { spec: { wrapActions: { updateJsonSpec: proposeServiceDice } } },
    }),
  ],
  responseInterceptor: takeOver,
  onComplete: showSessions,
});

/** The introduction of the contract up to the end of its first list, and the rest to unfold. */
function introduction(_, { React, getComponent, specSelectors }) {
  const element = React.createElement;
  const Markdown = getComponent("Markdown", true);
  return () => {
    const info = specSelectors.info();
    const paragraphs = info.get("description").split("\n\n");
    const end = paragraphs.findIndex((paragraph) => paragraph.startsWith("- ")) + 1;
    return element(
      "div",
      { className: "info" },
      element("h1", { className: "title" }, `${info.get("title")} ${info.get("version")}`),
      element(Markdown, { source: paragraphs.slice(0, end).join("\n\n") }),
      element(
        "p",
        null,
        "To try a game, execute ",
        element("code", null, `POST ${SESSIONS}`),
        ": the page fills the session’s id, the table’s token, the version and the first legal action ",
        "into the operations below it. The contract: ",
        element("a", { href: "openapi.yaml" }, "openapi.yaml"),
        ", ",
        element("a", { href: "openapi.json" }, "openapi.json"),
        ".",
      ),
      element(
        "details",
        null,
        element("summary", null, "Errors, methods, caches and other origins"),
        element(Markdown, { source: paragraphs.slice(end).join("\n\n") }),
      ),
    );
  };
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

const dark = matchMedia("(prefers-color-scheme: dark)");
const paint = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", paint);
paint();
