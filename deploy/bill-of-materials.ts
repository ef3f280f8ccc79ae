import { join } from "node:path";
import { dependencies, license, name as programName } from "../package.json" with { type: "json" };

const ROOT = join(import.meta.dir, "..");

/** Package in bun.lock: name and version, registry, what it needs, and its hash. */
type LockedPackage = readonly [
  id: string,
  registry: string,
  needs: {
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly optionalDependencies?: Readonly<Record<string, string>>;
  },
  integrity?: string,
];

/**
 * Software bill of materials (CycloneDX 1.6, JSON): the packages that the program is made of, without those for
 * development, by bun.lock. Source: https://cyclonedx.org/docs/1.6/json/
 */
export async function billOfMaterials(version: string): Promise<string> {
  const packages = await lockedPackages();
  const found = new Map<string, LockedPackage>();
  const collect = (names: Iterable<string>, within: string) => {
    for (const name of names) {
      // A package of its own version lies under the one that needs it.
      const path = [`${within}/${name}`, name].find((one) => packages[one] !== undefined);
      const locked = path === undefined ? undefined : packages[path];
      if (path === undefined || locked === undefined || found.has(path)) continue;
      found.set(path, locked);
      collect(Object.keys(locked[2].dependencies ?? {}), path);
    }
  };
  collect(Object.keys(dependencies), "");
  const components = [...found].map(([path, locked]) => componentOf(path, locked));
  const runtime = {
    type: "platform",
    name: "bun",
    version: Bun.version,
    purl: `pkg:npm/bun@${Bun.version}`,
  };
  const document = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": `${programName}@${version}`,
        name: programName,
        version,
        licenses: [{ license: { id: license } }],
      },
    },
    components: [...(await Promise.all(components)), runtime].toSorted((a, b) =>
      a.purl < b.purl ? -1 : 1,
    ),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

async function lockedPackages(): Promise<Readonly<Record<string, LockedPackage | undefined>>> {
  const text = await Bun.file(join(ROOT, "bun.lock")).text();
  return (Bun.JSONC.parse(text) as { packages: Record<string, LockedPackage> }).packages;
}

async function componentOf(path: string, [id, , , integrity]: LockedPackage) {
  const at = id.lastIndexOf("@");
  const [name, version] = [id.slice(0, at), id.slice(at + 1)];
  const folder = path.replace(name, "");
  const manifest = Bun.file(
    join(ROOT, "node_modules", folder.replaceAll("/", "/node_modules/"), name, "package.json"),
  );
  const stated: unknown = (await manifest.exists()) ? (await manifest.json()).license : undefined;
  return {
    type: "library",
    name,
    version,
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    ...(typeof stated === "string" ? { licenses: [{ expression: stated }] } : {}),
    ...(integrity?.startsWith("sha512-") === true
      ? {
          hashes: [
            { alg: "SHA-512", content: Buffer.from(integrity.slice(7), "base64").toString("hex") },
          ],
        }
      : {}),
  };
}
