import jsQR from "jsqr";
import { PNG } from "pngjs";

/** Text of a QR code image. */
export async function readQr(
  answer: Response,
): Promise<{ width: number; height: number; said: string | null }> {
  const { width, height, data } = PNG.sync.read(Buffer.from(await answer.arrayBuffer()));
  return { width, height, said: jsQR(new Uint8ClampedArray(data), width, height)?.data ?? null };
}
