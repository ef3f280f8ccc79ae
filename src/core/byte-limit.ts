/** Passes bytes through; throws the error of `tooMany` once there are more than `max`. */
export async function* limitBytes(
  bytes: AsyncIterable<Uint8Array>,
  max: number,
  tooMany: () => Error,
): AsyncGenerator<Uint8Array, void> {
  let length = 0;
  for await (const piece of bytes) {
    length += piece.length;
    if (length > max) throw tooMany();
    yield piece;
  }
}

/** All of the bytes, if there are no more than `max`. */
export async function readBytes(...limited: Parameters<typeof limitBytes>): Promise<Uint8Array> {
  return Buffer.concat(await Array.fromAsync(limitBytes(...limited)));
}
