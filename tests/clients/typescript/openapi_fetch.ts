// The calls of play.ts, by openapi-fetch.
import createClient from "openapi-fetch";
import type { components, paths } from "./dice.js";

type Schemas = components["schemas"];
export type Action = Schemas["Action"];
export type Session = Schemas["Session"];

export const api = createClient<paths>({ baseUrl: "http://127.0.0.1:8000" });

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

export async function create(body: Schemas["SessionRequest"], key: string) {
  const header = { "Idempotency-Key": key };
  const { data, error } = await api.POST("/v1/sessions", { params: { header }, body });
  if (error) throw new Error(error.detail);
  return data;
}

export async function act(id: string, token: string, version: number, key: string, body: Action) {
  const { data, error, response } = await api.POST("/v1/sessions/{session_id}/actions", {
    params: {
      path: { session_id: id },
      header: { "If-Match": `"${version}"`, "Idempotency-Key": key },
    },
    headers: bearer(token),
    body,
  });
  return { session: data, error, status: response.status };
}

export async function read(id: string, token: string) {
  const { data, error } = await api.GET("/v1/sessions/{session_id}", {
    params: { path: { session_id: id } },
    headers: bearer(token),
  });
  if (!data) throw new Error(error?.detail);
  return data;
}

export async function history(id: string, token: string) {
  const { data, error } = await api.GET("/v1/sessions/{session_id}/events", {
    params: { path: { session_id: id } },
    headers: bearer(token),
  });
  if (!data) throw new Error(error?.detail);
  return data;
}

export async function remove(id: string, token: string) {
  const { response } = await api.DELETE("/v1/sessions/{session_id}", {
    params: { path: { session_id: id } },
    headers: bearer(token),
  });
  return response.status;
}
