import { type BaseColor, type Coat, readCoat } from "../matching/matching.ts";
import type { Species } from "../values/animal.ts";

/** Side of the square that the drawings fill. */
export const DRAWING_SIZE = 100;

/**
 * Drawing of an animal for an alert without a photo: SVG elements in a view box of `DRAWING_SIZE`. The fur has the colours
 * and the pattern that the alert tells; without any it is a pale neutral one, which claims nothing.
 */
export function drawnAnimal(species: Species, color: string): string {
  const coat = readCoat(color, species);
  const [main = NEUTRAL, second = paler(main), third = second] = coat.colors.map(
    (name) => HEX[name],
  );
  return SHAPES[species]({ main, second, third, coat });
}

/** The same as a file of its own. */
export function drawnAnimalFile(species: Species, color: string, ground: string): string {
  const size = DRAWING_SIZE;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}"><path fill="${ground}" d="M0 0h${size}v${size}H0z"/>${drawnAnimal(species, color)}</svg>`;
}

const HEX: Readonly<Record<BaseColor, string>> = {
  black: "#34323a",
  white: "#f7f3ec",
  grey: "#92959c",
  brown: "#7d5233",
  orange: "#dc8a3f",
  tan: "#d9b382",
  green: "#4f9a55",
  blue: "#5a8fcf",
  yellow: "#ecc64d",
  red: "#b9483c",
  pink: "#e8b5ae",
};
const NEUTRAL = "#cdbfae";
const CREAM = "#efe3cd";
const DARK = "#2a2320";
const NOSE = "#c98a83";

/** Second colour of an animal of one colour: the same, lighter. */
function paler(hex: string): string {
  const channels = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  const lighter = channels.map((value) => Math.round(value + (255 - value) * 0.22));
  return `#${lighter.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

type Look = { main: string; second: string; third: string; coat: Coat };

const path = (fill: string, d: string) => `<path fill="${fill}" d="${d}"/>`;
const oval = (fill: string, cx: number, cy: number, rx: number, ry: number) =>
  `<ellipse fill="${fill}" cx="${cx}" cy="${cy}" rx="${rx}" ry="${ry}"/>`;
const line = (d: string, width: number, stroke = DARK) =>
  `<path fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" d="${d}"/>`;
/** Two eyes, at the same height on both sides of the middle, which show on any fur. */
const eyes = (apart: number, y: number, r: number) =>
  [50 - apart, 50 + apart]
    .map(
      (x) =>
        oval("#e3bb62", x, y, r + 1.4, (r + 1.4) * 1.1) +
        oval(DARK, x, y, r, r * 1.15) +
        oval("#fff", x + r / 3, y - r / 2.5, r / 3, r / 3),
    )
    .join("");

const SHAPES: Readonly<Record<Species, (look: Look) => string>> = { cat, dog, bird, other: paw };

function cat({ main: first, second, third, coat }: Look): string {
  const isPatched = coat.pattern === "calico" || coat.pattern === "tortie";
  const isPointed = coat.pattern === "pointed";
  const main = isPointed ? CREAM : first;
  const ears = isPointed ? first : isPatched ? third : main;
  return [
    path(main, "M20 100c0-17 13-26 30-26s30 9 30 26z"),
    path(isPointed ? main : second, "M38 100c0-13 5-20 12-20s12 7 12 20z"),
    path(ears, "M18 47 19 15q0-4 3-2l22 17zM82 47 81 15q0-4-3-2L56 30z"),
    path(NOSE, "M25 37l1-14 11 9zM75 37l-1-14-11 9z"),
    oval(main, 50, 54, 35, 29),
    isPatched ? path(third, "M50 25c17 0 33 10 34 27-12 4-24 1-28-9-2-6-4-12-6-18z") : "",
    isPointed ? oval(first, 50, 62, 19, 17) : "",
    isPointed
      ? ""
      : path(second, "M50 44c4 8 17 13 17 24 0 8-8 14-17 14s-17-6-17-14c0-11 13-16 17-24z"),
    coat.pattern === "tabby"
      ? line("M50 28v10M41 29l2 8M59 29l-2 8M19 55l8 1M19 62l8-1M81 55l-8 1M81 62l-8-1", 2.4, DARK)
      : "",
    eyes(15, 53, 4.6),
    path(NOSE, "M46 62h8l-4 5z"),
    line("M50 67c0 4-3 6-7 5M50 67c0 4 3 6 7 5", 1.6),
    line("M31 66 14 63M31 70l-16 3M69 66l17-3M69 70l16 3", 1, "#8b7f76"),
  ].join("");
}

function dog({ main, second, third, coat }: Look): string {
  return [
    path(main, "M17 100c0-18 14-27 33-27s33 9 33 27z"),
    path(second, "M37 100c0-14 5-21 13-21s13 7 13 21z"),
    oval(main, 50, 50, 30, 31),
    path(second, "M50 24c5 12 18 22 18 38 0 11-8 18-18 18s-18-7-18-18c0-16 13-26 18-38z"),
    path(
      third === second ? main : third,
      "M27 24c-12-2-20 12-20 29 0 10 5 17 10 15 7-3 8-14 11-22 2-8 6-20-1-22zM73 24c12-2 20 12 20 29 0 10-5 17-10 15-7-3-8-14-11-22-2-8-6-20 1-22z",
    ),
    line("M27 25c6 1 3 14 0 23M73 25c-6 1-3 14 0 23", 1.4, DARK),
    coat.pattern === "brindle" ? line("M38 28l4 7M62 28l-4 7M30 60l6-2M70 60l-6-2", 2.2, DARK) : "",
    eyes(13, 48, 4),
    oval(DARK, 50, 62, 7, 5),
    line("M50 67v4c0 3-4 5-8 4M50 71c0 3 4 5 8 4", 1.8, DARK),
    path("#d9746b", "M46 76h8v5a4 4 0 0 1-8 0z"),
  ].join("");
}

function bird({ main, second, third }: Look): string {
  return [
    path(third, "M62 70 93 84 88 92 55 80z"),
    path(
      main,
      "M20 40c0-15 11-25 25-25s24 10 25 24c1 10 12 16 12 29 0 14-14 22-30 22-18 0-32-12-32-30z",
    ),
    path(second, "M46 52c14-2 30 4 36 20-10 8-26 8-34-2-4-5-6-12-2-18z"),
    line("M53 62c8-1 15 2 20 8M54 70c6 0 10 2 14 5", 1.6, DARK),
    path("#e39a3b", "M21 35 6 42q-1 2 2 3l13 3z"),
    oval("#fff", 36, 34, 6, 6) + oval(DARK, 36, 34, 4, 4.4),
    line("M44 89v8M54 89v8", 2.4, "#c07c2d"),
  ].join("");
}

/** Print of a paw: the animal can be any other. */
function paw({ main }: Look): string {
  return [
    oval(main, 26, 46, 9, 12),
    oval(main, 41, 29, 9, 12),
    oval(main, 59, 29, 9, 12),
    oval(main, 74, 46, 9, 12),
    path(
      main,
      "M50 47c13 0 25 13 25 26 0 8-6 11-12 11-5 0-8-2-13-2s-8 2-13 2c-6 0-12-3-12-11 0-13 12-26 25-26z",
    ),
  ].join("");
}
