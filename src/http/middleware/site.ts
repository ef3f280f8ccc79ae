import type { Rate, Rates } from "../../core/limits.ts";
import type { Links } from "../../core/urls.ts";
import type { PageLanguage } from "../../messages/languages.ts";

/** Settings of an instance that its pages and its answers to programs name. */
export type Site = {
  readonly links: Links;
  readonly baseUrl: string;
  readonly siteName: string;
  readonly version: string;
  /** Source of the map tiles, with {z}, {x} and {y}; null turns maps off. */
  readonly tiles: { readonly url: string; readonly attribution: string } | null;
  /** True if there are moderators, who read reports. */
  readonly isModerated: boolean;
  readonly theme: Theme;
  /** Languages that readers can choose. */
  readonly languages: readonly PageLanguage[];
  /** Public key that browsers need for Web Push, as base64url. */
  readonly pushKey: string;
  readonly rates: Rates;
  readonly limitRead: Rate;
};

/** Looks of an instance: its colour and logo, each null for none of its own. */
export type Theme = {
  /** `#rrggbb`, dark enough for white letters. */
  readonly accent: string | null;
  readonly logo: { readonly bytes: Uint8Array<ArrayBuffer>; readonly mediaType: string } | null;
};
