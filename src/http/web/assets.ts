/** Placeholder until the scripts are there. */
export type ScriptName = "map" | "town" | "near-me" | "photos" | "page";

export function scriptAddress(name: ScriptName): string {
  return `/scripts/${name}.js`;
}
