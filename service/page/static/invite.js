/** Invitations to a session: a link and a QR code for each player, which hold the token in the fragment. */

import {BASE} from "./api.js";
import {el, svg} from "./dom.js";
import {copies} from "./teach.js";
import {t} from "./texts.js";
import {generate} from "./vendor/lean-qr.js";

const LOCAL = /^(localhost|127\.|0\.0|\[::1?\])/;
const QUIET = 4;

/**
 * The invitations of a session for all players but the one at this device.
 * @param {string} id
 * @param {import("./stored.js").Seat} seat
 * @param {Record<string, string>} computers whom nobody invites
 * @param {boolean} open
 * @returns {Element | null} null if this device has no tokens to give away
 */
export function invitations(id, {players, me, one, tokens}, computers, open) {
  const others = players.filter((name) => name !== me && !Object.hasOwn(computers, name) && Object.hasOwn(tokens.players, name));
  if (one || !others.length) return null;
  return el("details", {class: "card invite", open},
    el("summary", null, t("invite.title")),
    el("p", null, t("invite.lead")),
    LOCAL.test(location.hostname) && el("p", {class: "hint"}, t("invite.local", {host: location.host})),
    el("ul", {class: "list invitations"}, others.map((name) => {
      const link = linkOf(id, name, tokens.players[name]);
      const button = copies(t("invite.copy"), () => link, {"aria-label": `${t("invite.copy")}: ${name}`});
      return el("li", {"data-key": name}, el("h2", null, name, " ", el("span", {class: "there good"})), code(link, t("invite.code", {name})),
        el("p", {class: "row"}, el("a", {href: link, target: "_blank", rel: "noreferrer"}, t("invite.link")), button));
    })));
}

/** Marks the invitations of those who have played. @param {Element} root @param {(string | null)[]} players */
export function greet(root, players) {
  for (const {dataset, firstChild} of root.querySelectorAll(".invitations > li")) {
    if (players.includes(dataset.key)) firstChild.lastChild.textContent = t("invite.there");
  }
}

/** The link that opens the session as one player. Nothing after # is sent to any server. */
function linkOf(id, player, token) {
  const page = new URL("play", BASE);
  page.hash = `/session/${id}?${new URLSearchParams({player, token})}`;
  return page.href;
}

function code(text, label) {
  const qr = generate(text);
  let path = "";
  for (let y = 0; y < qr.size; y++) {
    for (let x = 0; x < qr.size; x++) if (qr.get(x, y)) path += `M${x} ${y}h1v1h-1z`;
  }
  const side = qr.size + 2 * QUIET;
  return svg("svg", {class: "qr", viewBox: `${-QUIET} ${-QUIET} ${side} ${side}`, role: "img", "aria-label": label},
    svg("rect", {x: -QUIET, y: -QUIET, width: side, height: side, fill: "#fff"}), svg("path", {d: path, fill: "#000"}));
}
