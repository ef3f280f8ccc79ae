import { DRAWING_SIZE, drawnAnimal } from "../../photos/drawn-animal.ts";
import { type Random, randomFrom } from "./random.ts";
import type { Species } from "../../values/animal.ts";

/** Facts about an animal that its pictures show. */
export type PicturedAnimal = {
  readonly species: Species;
  /** Colour in English. */
  readonly color: string;
  readonly collar: "red" | "blue" | null;
};

/** Side of a picture in pixels. */
const PICTURE_PX = 600;

/**
 * Made-up photo of an animal as SVG: the drawn animal in a room, a garden or a street, each with its own colours and
 * framing. Another seed gives another photo of the same animal.
 */
export function demoPicture(animal: PicturedAnimal, isIndoors: boolean, seed: string): string {
  const random = randomFrom(seed);
  const scene = random.of(isIndoors ? [room, room, garden] : [garden, street, street])(random);
  const scale = 0.7 + random.next() * 0.22;
  const left = (DRAWING_SIZE * (1 - scale)) / 2 + (random.next() - 0.5) * 14;
  // The shoulders reach below the edge.
  const top = DRAWING_SIZE * (1.04 - scale);
  const tilt = (random.next() - 0.5) * 12;
  const mirrored = random.chance(0.5) ? "" : `translate(${DRAWING_SIZE} 0) scale(-1 1)`;
  const placed = `translate(${round(left)} ${round(top)}) scale(${round(scale)}) rotate(${round(tilt)} 50 100) ${mirrored}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="${PICTURE_PX}" height="${PICTURE_PX}">`,
    `<defs>${LIGHT}</defs>${scene.join("")}`,
    `<g transform="${placed}">${drawnAnimal(animal.species, animal.color)}${collarOf(animal)}</g>`,
    `<path fill="url(#sun)" d="M0 0h100v100H0z"/><path fill="url(#edge)" d="M0 0h100v100H0z"/>`,
    "</svg>",
  ].join("");
}

const round = (value: number) => Math.round(value * 100) / 100;
const box = (fill: string, x: number, y: number, width: number, height: number, more = "") =>
  `<rect fill="${fill}" x="${round(x)}" y="${round(y)}" width="${width}" height="${height}" ${more}/>`;
const disc = (fill: string, x: number, y: number, r: number, ry = r) =>
  `<ellipse fill="${fill}" cx="${round(x)}" cy="${round(y)}" rx="${r}" ry="${ry}"/>`;
const many = (count: number, draw: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => draw(at)).join("");

/** Light from the upper left, and darker corners, as a lens makes them. */
const LIGHT =
  '<radialGradient id="sun" cx=".25" cy=".1" r=".9"><stop stop-color="#fff4d6" stop-opacity=".38"/><stop offset="1" stop-color="#fff4d6" stop-opacity="0"/></radialGradient>' +
  '<radialGradient id="edge" cx=".5" cy=".5" r=".75"><stop offset=".55" stop-opacity="0"/><stop offset="1" stop-opacity=".34"/></radialGradient>';

/** Sofa before a wall with a window. */
function room(random: Random): string[] {
  const sofa = random.of(["#7a4b52", "#4d6a78", "#6c7a4f", "#a06a3f", "#5a5470"]);
  const x = random.of([6, 58]);
  return [
    box(random.of(["#ead9c2", "#cfdcdc", "#e6cfc8", "#d9d7c1"]), 0, 0, 100, 100),
    box("#fbf7ef", x, 8, 36, 40, 'rx="1"'),
    box("#c4e0f0", x + 2.5, 10.5, 14.5, 35),
    box("#c4e0f0", x + 19, 10.5, 14.5, 35),
    disc("#7da06a", x + 9, 46, 7, 6),
    disc("#6b9160", x + 27, 46, 8),
    box("#fbf7ef", x - 2, 45.5, 40, 3.5, 'rx="1"'),
    box(sofa, -4, 56, 108, 60, 'rx="9"'),
    box("#000", -4, 72, 108, 40, 'rx="7" opacity=".13"'),
  ];
}

/** Lawn with flowers before a hedge. */
function garden(random: Random): string[] {
  const flower = random.of(["#f2c14b", "#e5788f", "#ffffff", "#b79be0"]);
  return [
    box("#b5daf0", 0, 0, 100, 70),
    many(9, (at) =>
      disc(at % 2 === 0 ? "#5d8a4c" : "#6f9c58", at * 13 - 2, 50 + random.next() * 6, 11, 15),
    ),
    box("#7aa653", 0, 54, 100, 46),
    many(14, () => disc(flower, random.next() * 100, 60 + random.next() * 28, 1.1)),
  ];
}

/** Door in a brick wall. */
function street(random: Random): string[] {
  const brick = random.of(["#b5715a", "#c9b08a", "#8f8a86", "#a4604d"]);
  const door = random.of(["#2f5d62", "#7b2d33", "#35507a", "#4d6b3c"]);
  const x = random.of([4, 66]);
  return [
    box("#ded5c8", 0, 0, 100, 70),
    many(11, (row) =>
      many(9, (column) => box(brick, column * 13 - (row % 2) * 6.5, row * 6, 12.3, 5.3, 'rx=".4"')),
    ),
    box("#efe8da", x - 2, 10, 32, 56),
    box(door, x, 12, 28, 54),
    box("#8a8783", 0, 64, 100, 36),
  ];
}

/** Collar of a cat or a dog, between head and shoulders. */
function collarOf({ species, collar }: PicturedAnimal): string {
  if (collar === null || (species !== "cat" && species !== "dog")) return "";
  const color = collar === "red" ? "#c0392f" : "#2f62b5";
  return (
    `<path fill="none" stroke="${color}" stroke-width="4.2" stroke-linecap="round" d="M31 80q19 11 38 0"/>` +
    disc("#e8c65a", 50, 88, 3)
  );
}
