import createClient from "openapi-fetch";
import type { components, paths } from "./dice.js";

type Schemas = components["schemas"];
const api = createClient<paths>({ baseUrl: "http://127.0.0.1:8000" });

const created = await api.POST("/v1/sessions", {
  params: { header: { "Idempotency-Key": crypto.randomUUID() } },
  body: { variant: "dice-poker", players: ["ann", "ben"] },
});
if (created.error) throw new Error(created.error.detail);
const { id, tokens } = created.data;
let { version } = created.data;

async function act(body: Schemas["Action"]) {
  const done = await api.POST("/v1/sessions/{session_id}/actions", {
    params: {
      path: { session_id: id },
      header: { "If-Match": `"${version}"`, "Idempotency-Key": crypto.randomUUID() },
    },
    headers: { Authorization: `Bearer ${tokens.players.ann}` },
    body,
  });
  if (done.data) version = done.data.version;
  return done;
}

const { data: session } = await act({ action: "roll" });
if (session?.variant === "dice-poker") console.log(session.state.turn?.rolls_left);
// 2

const isIllegal = (problem: Schemas["Problem"]): problem is Schemas["IllegalAction"] =>
  "actions" in problem;
const { error } = await act({ action: "bank" });
if (error) console.log(error.detail);
if (error && isIllegal(error)) console.log(error.actions.map((legal) => legal.action).join(" "));
// /action must be roll, score, cross_out or leave now.
// roll score cross_out leave leave
