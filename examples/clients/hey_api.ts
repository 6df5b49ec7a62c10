import { type Action, actInSession, createSession } from "./dice/index.js";
import { client } from "./dice/client.gen.js";

client.setConfig({ baseUrl: "http://127.0.0.1:8000" });

const created = await createSession({
  headers: { "Idempotency-Key": crypto.randomUUID() },
  body: { variant: "dice-poker", players: ["ann", "ben"] },
});
if (!created.data) throw new Error(created.error.detail);
const { id, tokens } = created.data;
let { version } = created.data;

async function act(body: Action) {
  const done = await actInSession({
    path: { session_id: id },
    headers: { "If-Match": `"${version}"`, "Idempotency-Key": crypto.randomUUID() },
    auth: tokens.players.ann,
    body,
  });
  if (done.data) version = done.data.version;
  return done;
}

const { data: session } = await act({ action: "roll" });
if (session?.variant === "dice-poker") console.log(session.state.turn?.rolls_left);
// 2

const { error } = await act({ action: "bank" });
if (error) console.log(error.detail);
if (error && "actions" in error) console.log(error.actions.map((legal) => legal.action).join(" "));
// /action must be roll, score, cross_out or leave now.
// roll score cross_out leave leave
