/** Longest side of a photo that the service keeps. */
const SIDE_PX_MAX = 1600;
const QUALITY = 0.85;
/** Name of every cleaned photo: the original name may hold personal data. */
const NAME = "photo.jpg";

/** True for a file that is named as `redrawn` names its photos. */
export function isPrepared({ name, type }: File): boolean {
  return name === NAME && type === "image/jpeg";
}

/**
 * Redraws a photo upright, no larger than needed, and without metadata such as position, time and camera. Null if this
 * browser cannot show it or distorts what it draws. Not by createImageBitmap, which refuses photos that pages show: in
 * Safari 15 and Chrome 109 upright ones, and everywhere those without an end.
 */
export async function redrawn(file: File): Promise<File | null> {
  if (!isCanvasReliable()) return null;
  const photo = new Image();
  photo.src = URL.createObjectURL(file);
  try {
    await photo.decode();
    const canvas = shrunk(photo);
    if (canvas === null) return null;
    const blob = await new Promise<Blob | null>((done) =>
      canvas.toBlob(done, "image/jpeg", QUALITY),
    );
    return blob && new File([blob], NAME, { type: "image/jpeg" });
  } catch {
    return null;
  } finally {
    URL.revokeObjectURL(photo.src);
  }
}

function shrunk(photo: HTMLImageElement): HTMLCanvasElement | null {
  const { naturalWidth: width, naturalHeight: height } = photo;
  const scale = Math.min(1, SIDE_PX_MAX / Math.max(width, height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext("2d");
  if (context === null) return null;
  // JPEG has no transparency.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = "high";
  context.drawImage(photo, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** False for browsers that add noise to canvas data against fingerprinting. */
function isCanvasReliable(): boolean {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 4;
  const context = canvas.getContext("2d");
  if (context === null) return false;
  context.fillStyle = "rgb(200, 100, 50)";
  context.fillRect(0, 0, 4, 4);
  const { data } = context.getImageData(0, 0, 4, 4);
  return data.every((value, i) => Math.abs(value - [200, 100, 50, 255][i % 4]!) <= NOISE_MAX);
}

/** Largest invisible difference of a colour value. */
const NOISE_MAX = 4;
