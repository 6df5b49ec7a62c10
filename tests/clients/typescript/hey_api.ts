// The calls of play.ts, by hey-api.
import * as sdk from "./dice/index.js";
import { client } from "./dice/client.gen.js";

export type { Action, Session } from "./dice/index.js";

client.setConfig({ baseUrl: "http://127.0.0.1:8000" });

export async function create(body: sdk.SessionRequest, key: string) {
  const { data, error } = await sdk.createSession({
    headers: { "Idempotency-Key": key },
    body,
  });
  if (!data) throw new Error(error.detail);
  return data;
}

export async function act(
  id: string,
  token: string,
  version: number,
  key: string,
  body: sdk.Action,
) {
  const { data, error, response } = await sdk.actInSession({
    path: { session_id: id },
    headers: { "If-Match": `"${version}"`, "Idempotency-Key": key },
    auth: token,
    body,
  });
  return { session: data, error, status: response?.status };
}

export async function read(id: string, token: string) {
  const { data, error } = await sdk.readSession({ path: { session_id: id }, auth: token });
  if (!data) throw new Error(error?.detail);
  return data;
}

export async function history(id: string, token: string) {
  const { data, error } = await sdk.listSessionEvents({ path: { session_id: id }, auth: token });
  if (!data) throw new Error(error?.detail);
  return data;
}

export async function remove(id: string, token: string) {
  const { response } = await sdk.deleteSession({ path: { session_id: id }, auth: token });
  return response?.status;
}
