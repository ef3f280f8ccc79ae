import { PNG } from "pngjs";

const SIDE = 1200;

/** JPEG that compresses as a photo of an animal does: soft shapes, edges, and the grain of fur. */
export async function naturalPhoto(seed: number): Promise<Uint8Array> {
  const picture = new PNG({ width: SIDE, height: SIDE });
  let state = seed + 1;
  const grain = () => (state = (state * 16807) % 2147483647) / 2147483647 - 0.5;
  for (let y = 0; y < SIDE; y++)
    for (let x = 0; x < SIDE; x++) {
      const isFur = (x - 600) ** 2 + (y - 700) ** 2 < 380 ** 2;
      const soft = 40 * Math.sin(x / 90 + seed) * Math.cos(y / 130);
      const hair = isFur ? 22 * Math.sin((x * 3 + y * 7) / 9) : 0;
      const light = (isFur ? 120 : 175) + soft + hair + grain() * (isFur ? 60 : 12);
      picture.data.set([light, light * 0.9, light * 0.78, 255], (y * SIDE + x) * 4);
    }
  return new Bun.Image(PNG.sync.write(picture)).jpeg({ quality: 85 }).bytes();
}
