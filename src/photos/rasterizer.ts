import { initWasm, Resvg } from "@resvg/resvg-wasm";
import fontFile from "@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf" with { type: "file" };
import wasmFile from "@resvg/resvg-wasm/index_bg.wasm" with { type: "file" };

let font: Promise<Uint8Array> | null = null;

/** PNG of an SVG picture at its own size, with text in Noto Sans Bold. Blocks its thread for some 50 ms. */
export async function rasterize(svg: string): Promise<Uint8Array> {
  // A thread can load the rasteriser only once.
  font ??= Bun.file(wasmFile)
    .arrayBuffer()
    .then(initWasm)
    .then(() => Bun.file(fontFile).bytes());
  const resvg = new Resvg(svg, {
    font: {
      fontBuffers: [await font],
      defaultFontFamily: "Noto Sans",
      loadSystemFonts: false,
    },
  });
  const png = resvg.render().asPng();
  resvg.free();
  return png;
}
