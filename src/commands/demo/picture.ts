import { DRAWING_SIZE, drawnAnimal } from "../../core/alerts/drawn-animal.ts";
import type { Species } from "../../core/alerts/alert.ts";
import { type Random, randomFrom } from "./random.ts";

/** Facts about an animal that its pictures show. */
export type PicturedAnimal = {
  readonly species: Species;
  /** Colour in English. */
  readonly color: string;
  readonly breed: string;
  readonly collar: "red" | "blue" | null;
};

/** Side of a picture in pixels. */
const PICTURE_PX = 600;

/**
 * Made-up photo of an animal as SVG: the drawn animal in one of six scenes, each with its own light, colours and framing.
 * Another seed gives another photo of the same animal.
 */
export function demoPicture(animal: PicturedAnimal, isIndoors: boolean, seed: string): string {
  const random = randomFrom(seed);
  const scene = random.of(isIndoors ? INDOORS : OUTDOORS)(random);
  const scale = 0.7 + random.next() * 0.22;
  const tilt = (random.next() - 0.5) * 12;
  const left = (DRAWING_SIZE * (1 - scale)) / 2 + (random.next() - 0.5) * 14;
  const side = random.chance(0.5) ? 1 : -1;
  // The shoulders reach below the edge.
  const top = DRAWING_SIZE * (1.04 - scale);
  const placed = [
    `translate(${round(left)} ${round(top)})`,
    `scale(${round(scale)})`,
    `rotate(${round(tilt)} 50 100)`,
    ...(side === 1 ? [] : [`translate(${DRAWING_SIZE} 0) scale(-1 1)`]),
  ].join(" ");
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="${PICTURE_PX}" height="${PICTURE_PX}">`,
    `<defs>${LIGHT}${scene.defs}</defs>`,
    scene.back,
    `<g transform="${placed}">${drawingOf(animal)}${collarOf(animal)}</g>`,
    scene.front,
    `<path fill="url(#sun)" d="M0 0h100v100H0z"/><path fill="url(#edge)" d="M0 0h100v100H0z"/>`,
    "</svg>",
  ].join("");
}

type Scene = { readonly defs: string; readonly back: string; readonly front: string };

const round = (value: number) => Math.round(value * 100) / 100;
const box = (fill: string, x: number, y: number, width: number, height: number, more = "") =>
  `<rect fill="${fill}" x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" ${more}/>`;
const disc = (fill: string, x: number, y: number, r: number, ry = r) =>
  `<ellipse fill="${fill}" cx="${round(x)}" cy="${round(y)}" rx="${round(r)}" ry="${round(ry)}"/>`;
const path = (fill: string, d: string) => `<path fill="${fill}" d="${d}"/>`;
const many = (count: number, draw: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => draw(at)).join("");
const fade = (id: string, from: string, to: string) =>
  `<linearGradient id="${id}" x2="0" y2="1"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`;

/** Light from the upper left, and darker corners, as a lens makes them. */
const LIGHT =
  '<radialGradient id="sun" cx=".25" cy=".1" r=".9"><stop stop-color="#fff4d6" stop-opacity=".38"/><stop offset="1" stop-color="#fff4d6" stop-opacity="0"/></radialGradient>' +
  '<radialGradient id="edge" cx=".5" cy=".5" r=".75"><stop offset=".55" stop-opacity="0"/><stop offset="1" stop-opacity=".34"/></radialGradient>';

const INDOORS = [livingRoom, livingRoom, kitchen, garden];
const OUTDOORS = [garden, park, street, street, night];

function livingRoom(random: Random): Scene {
  const [wall, trim] = random.of(WALLS);
  const sofa = random.of(["#7a4b52", "#4d6a78", "#6c7a4f", "#a06a3f", "#5a5470"]);
  const x = random.of([6, 58]);
  return {
    defs: fade("wall", wall, trim) + fade("sky", "#a8d2ee", "#e9f4f8"),
    back: [
      box("url(#wall)", 0, 0, 100, 100),
      box("#fbf7ef", x, 8, 36, 40, 'rx="1"'),
      box("url(#sky)", x + 2.5, 10.5, 14.5, 35),
      box("url(#sky)", x + 19, 10.5, 14.5, 35),
      disc("#7da06a", x + 9, 46, 7, 6),
      disc("#6b9160", x + 27, 46, 8, 8),
      box("#fbf7ef", x - 2, 45.5, 40, 3.5, 'rx="1"'),
      box(sofa, -4, 56, 108, 60, 'rx="9"'),
      box("#000", -4, 72, 108, 40, 'rx="7" opacity=".13"'),
      box("#fff", 8, 58.5, 84, 2, 'rx="1" opacity=".16"'),
    ].join(""),
    front: "",
  };
}
const WALLS = [
  ["#ead9c2", "#d8c2a4"],
  ["#cfdcdc", "#b3c6c8"],
  ["#e6cfc8", "#d3b3aa"],
  ["#d9d7c1", "#c2bfa2"],
] as const;

function kitchen(random: Random): Scene {
  const tile = random.of(["#e9efef", "#f3ead8", "#dfe7da"]);
  const blanket = random.of(["#b3564a", "#3f6f86", "#c99b3c", "#6d5a86"]);
  return {
    defs: "",
    back: [
      box("#c6cdcb", 0, 0, 100, 100),
      many(6, (row) =>
        many(8, (column) => box(tile, column * 13 - 1, row * 11 - 1, 12.2, 10.2, 'rx=".6"')),
      ),
      disc(blanket, 50, 104, 62, 34),
      many(9, (at) => disc("#fff", 2 + at * 12, 92 + (at % 2) * 5, 2.2)).replaceAll(
        "/>",
        ' opacity=".35"/>',
      ),
    ].join(""),
    front: "",
  };
}

function garden(random: Random): Scene {
  const flower = random.of(["#f2c14b", "#e5788f", "#ffffff", "#b79be0"]);
  return {
    defs: fade("sky", "#9ccbec", "#eaf5fa") + fade("lawn", "#8fb860", "#5f8f45"),
    back: [
      box("url(#sky)", 0, 0, 100, 70),
      cloud(random.next() * 60, 6 + random.next() * 10),
      many(9, (at) =>
        disc(at % 2 === 0 ? "#5d8a4c" : "#6f9c58", at * 13 - 2, 50 + random.next() * 6, 11, 15),
      ),
      box("url(#lawn)", 0, 54, 100, 46),
      many(14, () => disc(flower, random.next() * 100, 60 + random.next() * 28, 1.1)),
    ].join(""),
    front: blades(random, "#4d7d39"),
  };
}

function park(random: Random): Scene {
  const leaf = random.of(["#6f9a4e", "#c98f3a", "#a9653a", "#5d8f62"]);
  return {
    defs: fade("sky", "#c6dcec", "#f4f1e6") + fade("lawn", "#a7b868", "#7c9350"),
    back: [
      box("url(#sky)", 0, 0, 100, 70),
      many(5, (at) => {
        const x = at * 24 + random.next() * 8;
        return box("#6d5643", x - 1.5, 32, 3, 26) + disc(leaf, x, 25 + random.next() * 6, 13, 16);
      }),
      box("url(#lawn)", 0, 54, 100, 46),
      path("#d9c9a5", "M58 54h7c10 14 24 30 40 46H40C52 84 60 68 58 54z"),
    ].join(""),
    front: blades(random, "#73883f"),
  };
}

function street(random: Random): Scene {
  const brick = random.of(["#b5715a", "#c9b08a", "#8f8a86", "#a4604d"]);
  const door = random.of(["#2f5d62", "#7b2d33", "#35507a", "#4d6b3c"]);
  const x = random.of([4, 66]);
  return {
    defs: fade("road", "#9b9894", "#76736f"),
    back: [
      box("#ded5c8", 0, 0, 100, 70),
      many(11, (row) =>
        many(9, (column) =>
          box(brick, column * 13 - (row % 2) * 6.5, row * 6, 12.3, 5.3, 'rx=".4"'),
        ),
      ),
      box("#efe8da", x - 2, 10, 32, 56),
      box(door, x, 12, 28, 54),
      box("#000", x + 3, 16, 22, 18, 'opacity=".18" rx="1"'),
      disc("#d9b45a", x + 24, 42, 1.2),
      box("url(#road)", 0, 64, 100, 36),
      many(5, (at) => box("#5f5c58", at * 24 - 6, 64, 0.8, 36)),
    ].join(""),
    front: "",
  };
}

function night(random: Random): Scene {
  return {
    defs: fade("dusk", "#27304f", "#6a5d7c") + fade("ground", "#3c4250", "#2a2e38"),
    back: [
      box("url(#dusk)", 0, 0, 100, 100),
      disc("#f6ecc8", 18 + random.next() * 64, 16, 6),
      many(4, (at) => {
        const top = 30 + random.next() * 14;
        const lit = many(4, (window) =>
          random.chance(0.6)
            ? box("#f2cf7c", at * 26 + 3 + (window % 2) * 9, top + 6 + (window >> 1) * 11, 5, 6)
            : "",
        );
        return box("#20263d", at * 26 - 1, top, 22, 60) + lit;
      }),
      box("url(#ground)", 0, 68, 100, 32),
    ].join(""),
    front: "",
  };
}

const cloud = (x: number, y: number) =>
  disc("#fff", x, y + 4, 9, 5) + disc("#fff", x + 10, y, 11, 8) + disc("#fff", x + 22, y + 4, 9, 5);
const blades = (random: Random, fill: string) =>
  many(26, (at) => {
    const x = at * 4 + random.next() * 3 - 2;
    const height = 5 + random.next() * 9;
    return path(
      fill,
      `M${round(x)} 101q1 ${round(-height)} ${round(random.next() * 4 - 2)} ${round(-height)}q3 4 1.5 ${round(height)}z`,
    );
  });

function drawingOf({ species, color, breed }: PicturedAnimal): string {
  if (species !== "other") return drawnAnimal(species, color);
  if (breed === "tortoise") return tortoise();
  return rodent(color, breed === "rabbit");
}

function rodent(color: string, isRabbit: boolean): string {
  const main = /black|sable/.test(color) ? "#4a3f3a" : /grey/.test(color) ? "#9a9a9f" : "#f2ece2";
  const fur = /brown|tricolour/.test(color) && !color.startsWith("white") ? "#9b6b43" : main;
  const belly = fur === "#f2ece2" ? "#fffdf8" : "#efe6d8";
  const ears = isRabbit
    ? disc(fur, 37, 22, 8, 24) +
      disc("#e3a9a0", 37, 24, 4, 17) +
      disc(fur, 63, 22, 8, 24) +
      disc("#e3a9a0", 63, 24, 4, 17)
    : disc(fur, 27, 38, 9) +
      disc("#e3a9a0", 27, 38, 5) +
      disc(fur, 73, 38, 9) +
      disc("#e3a9a0", 73, 38, 5);
  const eye = (x: number) => disc("#2a2320", x, 54, 4.2, 4.8) + disc("#fff", x + 1.4, 52, 1.4);
  return [
    ears,
    path(fur, "M20 100c0-18 13-26 30-26s30 8 30 26z"),
    disc(fur, 50, 58, 29, 26),
    disc(belly, 50, 69, 16, 13),
    disc(belly, 50, 98, 14, 14),
    eye(35),
    eye(65),
    path("#c98a83", "M46 63h8l-4 4z"),
    '<path fill="none" stroke="#2a2320" stroke-width="1.5" stroke-linecap="round" d="M50 67v4m0 0c-1 3-4 3-6 2m6-2c1 3 4 3 6 2"/>',
  ].join("");
}

function tortoise(): string {
  const plate = (x: number, y: number) => path("#a8803f", `M${x} ${y - 8}l8 5v8l-8 5-8-5v-8z`);
  return [
    disc("#8a9a56", 82, 74, 10, 8),
    disc("#2a2320", 85, 72, 1.8),
    disc("#8a9a56", 26, 90, 8, 9),
    disc("#8a9a56", 66, 90, 8, 9),
    path("#6b4f2a", "M10 86c0-26 16-40 36-40s36 14 36 40q-36 8-72 0z"),
    plate(46, 66),
    plate(28, 76),
    plate(64, 76),
  ].join("");
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
