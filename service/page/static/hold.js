/** Dice that only their owner may see: shown as long as a button is held. */

import {el, fill} from "./dom.js";

const SHOWN = 4000;

/** `<hold-to-look>` reads what is hidden only once somebody looks. */
export class HoldToLook extends HTMLElement {
  #read;
  #place = el("div", {class: "dice", "aria-live": "polite"});
  #covered;
  #looking = 0;

  /**
   * @param {string} label of the button
   * @param {Element} covered what is shown while nobody looks
   * @param {() => Promise<Element>} read what is shown to who looks
   * @param {string} key of the button, by which it keeps the focus
   */
  constructor(label, covered, read, key) {
    super();
    this.#read = read;
    this.#covered = covered;
    let held = false;
    const release = () => this.#hide();
    const button = el("button", {
      type: "button", class: "hold", "data-key": key,
      onpointerdown: (event) => {
        event.target.setPointerCapture(event.pointerId);
        held = true;
        this.#show();
      },
      onpointerup: release, onpointercancel: release, onblur: release,
      oncontextmenu: (event) => event.preventDefault(),
      onkeydown: (event) => {
        if (![" ", "Enter"].includes(event.key)) return;
        if (event.repeat) return event.preventDefault(); // or Enter clicks again and again
        held = true;
        this.#show();
      },
      onkeyup: release,
      onclick: () => {
        if (!held) this.#glance();
        held = false;
      },
    }, label);
    this.append(this.#place, button);
    fill(this.#place, covered);
  }

  async #show() {
    const look = ++this.#looking;
    let seen;
    try {
      seen = await this.#read();
    } catch (problem) {
      seen = el("p", null, problem.message);
    }
    if (look === this.#looking) fill(this.#place, seen);
  }

  #hide() {
    this.#looking++;
    fill(this.#place, this.#covered);
  }

  /** For assistive technology, which clicks and can't hold. */
  async #glance() {
    await this.#show();
    setTimeout(() => this.#hide(), SHOWN);
  }
}

customElements.define("hold-to-look", HoldToLook);