/** The clock of a turn, by the time of the service. */

import {el, fill} from "./dom.js";
import {t} from "./texts.js";

/** How many seconds are few. */
const LOW = 10;

/** `<turn-clock>`, which sends `low` once little time is left, and `up` once it is up. It is read out only when it gets low. */
export class Clock extends HTMLElement {
  #timer;
  #ends = null;
  #ahead = 0;
  #said = el("span", {class: "offscreen", role: "status"});
  #shown = el("span", {class: "clock", role: "timer"});

  connectedCallback() {
    if (!this.firstChild) this.append(this.#shown, this.#said);
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
  }

  /** @param {number | null | undefined} ends in ms since 1970, by a clock that is `ahead` ms ahead */
  show(ends, ahead) {
    clearInterval(this.#timer);
    this.#ahead = ahead;
    if (ends !== this.#ends) fill(this.#said);
    this.#ends = ends ?? null;
    this.hidden = this.#ends === null;
    if (this.hidden) return;
    this.#timer = setInterval(() => this.#tick(), 250);
    this.#tick();
  }

  #tick() {
    const left = Math.ceil((this.#ends - Date.now() - this.#ahead) / 1000);
    const [minutes, seconds] = [Math.floor(Math.max(left, 0) / 60), Math.max(left, 0) % 60];
    this.#shown.textContent = `${minutes}:${String(seconds).padStart(2, "0")}`;
    this.#shown.classList.toggle("low", left <= LOW);
    if (left <= LOW && !this.#said.textContent) {
      this.#said.textContent = t("clock.low", {count: Math.max(left, 0)});
      this.dispatchEvent(new Event("low"));
    }
    if (left < 0) {
      clearInterval(this.#timer);
      this.dispatchEvent(new Event("up"));
    }
  }
}

customElements.define("turn-clock", Clock);
