/** The longest side the service keeps; more would only travel. */
const SIDE_PX_MAX = 1600;
const QUALITY = 0.85;
/** Every cleaned picture has this name: names too tell more than the picture should. */
const NAME = "photo.jpg";

/**
 * Draws a picture anew: upright, no larger than needed, and with nothing in it but what is seen: no place, no time, no
 * camera. Null where this browser cannot decode it or cannot be trusted to draw it.
 */
export async function cleanPicture(file: File): Promise<File | null> {
  if (!drawsTruly()) return null;
  let picture: ImageBitmap;
  try {
    picture = await createImageBitmap(file, { imageOrientation: "from-image" });
  } catch {
    return null;
  }
  const canvas = shrunk(picture);
  // A decoded photograph takes 50 MB and more: given back before the next one comes.
  picture.close();
  if (canvas === null) return null;
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
  return blob === null ? null : new File([blob], NAME, { type: "image/jpeg" });
}

function shrunk(picture: ImageBitmap): HTMLCanvasElement | null {
  const scale = Math.min(1, SIDE_PX_MAX / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const context = canvas.getContext("2d");
  if (context === null) return null;
  // JPEG knows no transparency.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** Some browsers answer with noise when a canvas is read, so that nobody is known again by it. */
function drawsTruly(): boolean {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 4;
  const context = canvas.getContext("2d");
  if (context === null) return false;
  context.fillStyle = "rgb(200, 100, 50)";
  context.fillRect(0, 0, 4, 4);
  const { data } = context.getImageData(0, 0, 4, 4);
  return data.every((value, i) => Math.abs(value - [200, 100, 50, 255][i % 4]!) <= NOISE_MAX);
}

/** As much noise in a colour nobody sees. */
const NOISE_MAX = 4;
