import jsQR from "jsqr";
import { PNG } from "pngjs";

/** What a QR image says, read by a decoder as a phone would. */
export async function readQr(
  answer: Response,
): Promise<{ width: number; height: number; said: string | null }> {
  const { width, height, data } = PNG.sync.read(Buffer.from(await answer.arrayBuffer()));
  return { width, height, said: jsQR(new Uint8ClampedArray(data), width, height)?.data ?? null };
}
