import type { BunPlugin } from "bun";
import { version } from "../../package.json" with { type: "json" };

/** Plugin that builds the program as another version. */
export function asVersion(number: string): BunPlugin {
  return {
    name: "another version",
    setup(builder) {
      builder.onLoad({ filter: /\/package\.json$/ }, async ({ path }) => {
        const text = await Bun.file(path).text();
        const isOurs = JSON.parse(text).name === "pet-alert";
        const own = `"version": "${version}"`;
        return {
          contents: isOurs ? text.replace(own, `"version": "${number}"`) : text,
          loader: "json",
        };
      });
    },
  };
}
