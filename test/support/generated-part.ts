import { join } from "node:path";

const REPOSITORY = join(import.meta.dir, "../..");
const END = "<!-- end of the generated part -->";

/**
 * Replaces the part of a document that a command generates. The part lies between a comment that names the command,
 * which the document must hold exactly once, and one that ends it.
 *
 * @param file relative to the repository
 * @param command such as `bun run bench --write`
 */
export async function writeGeneratedPart(
  file: string,
  command: string,
  markdown: string,
): Promise<void> {
  const path = join(REPOSITORY, file);
  const begin = `<!-- written by \`${command}\` -->`;
  const text = await Bun.file(path).text();
  const [before = "", rest, more] = text.split(begin);
  const end = rest?.indexOf(END) ?? -1;
  if (rest === undefined || end < 0 || more !== undefined)
    throw new Error(`${file} must hold "${begin}" exactly once, with "${END}" after it`);
  const after = rest.slice(end + END.length);
  await Bun.write(path, `${before}${begin}\n\n${markdown}\n\n${END}${after}`);
  await Bun.spawn([process.execPath, "fmt", path], { stdio: ["ignore", "ignore", "inherit"] })
    .exited;
}
