import type { Rate, Rates } from "../core/limits.ts";
import type { Links } from "../core/urls.ts";
import type { PageLanguage } from "../messages/languages.ts";
import type { Theme } from "./web/assets/theme.ts";

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
