import {el, number, read, write} from "./dom.js";
import {chips} from "./draw.js";

const STORED = "dice-table-sound";
const still = matchMedia("(prefers-reduced-motion: reduce)");
const TUMBLE = [
  {transform: "translate(-90%, 130%) rotate(-540deg) scale(0.7)", opacity: 0},
  {transform: "translate(12%, -28%) rotate(35deg) scale(1.08)", opacity: 1, offset: 0.55},
  {transform: "translate(-4%, 6%) rotate(-12deg)", offset: 0.8},
  {transform: "none"},
];
const ROLLS = 480, LATER = 55;

let audio;
let rattle;

export const sounds = () => read(STORED) === true;

export function setSound(on) {
  write(STORED, on);
  if (on) tones(660);
}

export function roll(dice, decided) {
  dice.forEach((die, at) => {
    if (!still.matches) die.animate(TUMBLE, {duration: ROLLS + 30 * at, delay: LATER * at, easing: "ease-out", fill: "backwards"});
    for (const hit of [0.25, 0.38, 0.44]) knock(hit + (at * LATER) / 1000);
  });
  if (!dice.length) return;
  shake(30, 40, 20);
  for (const part of still.matches ? [] : decided ?? []) part.animate({opacity: [0, 0]}, ROLLS + LATER * dice.length);
}

export function slide(place, x, y) {
  if (!still.matches && (x || y)) place.animate({translate: [`${x}px ${y}px`, "none"]}, 250);
}

export function glow(cell, then) {
  cell.animate(still.matches ? [] : [{backgroundColor: "#f2cf63", boxShadow: "0 0 0 3px #f2cf63"}, {}], {duration: 800, easing: "ease-out"}).onfinish = then;
}

export function pay(pot, seats, before, now) {
  for (const {id, chips, stack = chips} of pot ? before.players : []) {
    const {chips: had, stack: has = had} = now.players.find((each) => each.id === id);
    const seat = seats.querySelector(`[data-key="${CSS.escape(`seat ${id}`)}"]`);
    const won = pot.matches("h2");
    if (seat && has !== stack && won === has > stack) fly(...(won ? [pot, seat] : [seat, pot]));
  }
}

/** @param {Element} place */
export function celebrate(place) {
  tones(520, 660, 780, 1040);
  if (still.matches) return;
  place.querySelectorAll(".standings strong").forEach(count);
  const {left, top, width} = place.getBoundingClientRect();
  for (let at = 0; at < 48; at++) {
    const bit = el("i", {class: `bit line-${at % 6}`, style: {left: `${left + width / 2}px`, top: `${top + 40}px`}});
    document.body.append(bit);
    const [x, y] = [(Math.random() - 0.5) * width, Math.random() * 400];
    const flown = (part) => `translate(${part * x}px, ${y + 600 * (part - 0.9)}px) rotate(${4 * part * x}deg)`;
    bit.animate({transform: ["none", flown(0.5), flown(1)], opacity: [1, 1, 0]}, {duration: 1400 + 2 * y, easing: "ease-out"}).onfinish = () => bit.remove();
  }
}

function count(place) {
  const whole = place.textContent;
  const from = performance.now();
  requestAnimationFrame(function step(now) {
    const part = (now - from) / 1200;
    place.textContent = part < 1 ? number(Math.round(whole.replace(/\D/g, "") * part)) : whole;
    if (part < 1) requestAnimationFrame(step);
  });
}

function fly(from, to) {
  knock(0.35);
  if (still.matches) return;
  const chip = chips(0);
  chip.classList.add("flying");
  document.body.append(chip);
  const [transform, there] = [from, to].map((each) => {
    const {left, top, width, height} = each.getBoundingClientRect();
    return `translate(${left + width / 2}px, ${top + height / 2}px)`;
  });
  chip.animate([{transform}, {transform: there}], {duration: 550, easing: "ease-in-out"}).onfinish = () => chip.remove();
}

export function turn() {
  tones(520, 780);
  shake(60);
}

export function hurry() {
  tones(880, 880, 880);
  shake(40, 80, 40);
}

/** Not before the page was touched. */
const {userActivation} = navigator;

function shake(...pattern) {
  if (!still.matches && userActivation.hasBeenActive) navigator.vibrate?.(pattern);
}

const output = () => (sounds() && userActivation.hasBeenActive ? audio ??= new AudioContext() : null);

/** Noise that fades fast. */
function knock(later) {
  const out = output();
  if (!out) return;
  if (!rattle) {
    const length = out.sampleRate / 20;
    rattle = out.createBuffer(1, length, out.sampleRate);
    const samples = rattle.getChannelData(0);
    for (let each = 0; each < length; each++) samples[each] = (2 * Math.random() - 1) * Math.exp((-9 * each) / length);
  }
  const source = new AudioBufferSourceNode(out, {buffer: rattle, playbackRate: 0.8 + 0.4 * Math.random()});
  source.connect(new BiquadFilterNode(out, {type: "bandpass", frequency: 1700})).connect(new GainNode(out, {gain: 0.7})).connect(out.destination);
  source.start(out.currentTime + later);
}

function tones(...frequencies) {
  const out = output();
  if (!out) return;
  frequencies.forEach((frequency, at) => {
    const from = out.currentTime + at * 0.15;
    const gain = new GainNode(out, {gain: 0.15});
    gain.gain.setTargetAtTime(0, from + 0.05, 0.04);
    const source = new OscillatorNode(out, {frequency});
    source.connect(gain).connect(out.destination);
    source.start(from);
    source.stop(from + 0.3);
  });
}
