import type { Species } from "../values/animal.ts";

/** Size that Facebook, WhatsApp and the others show whole: 1.91 to 1. */
export const PREVIEW_PX = { width: 1200, height: 630 } as const;

/** Picture of an alert for link previews. */
export type Preview = {
  /** Changes with everything that the picture shows. */
  readonly key: string;
  readonly state: "lost" | "found" | "home";
  /** "LOST", in the language of the alert. */
  readonly band: string;
  readonly title: string;
  readonly lines: readonly string[];
  readonly species: Species;
  readonly color: string;
  /** The first photo as WebP; null if the alert has none. */
  readonly photo: Uint8Array | null;
};

/** Draws a preview as JPEG; `client` is who asks. Throws `unavailable` when too many wait. */
export type DrawPreview = (preview: Preview, client: string) => Promise<Uint8Array<ArrayBuffer>>;
