import { afterAll, expect, test } from "bun:test";
import { createPublicKey, verify } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generatePrivateKey, publicKeyOf } from "../deploy/signature.ts";
import packageJson from "../package.json" with { type: "json" };
import { run, scratchFolder } from "./support/process.ts";
import { missingProgram, PROGRAMS, testsUnlessMissing } from "./support/system-programs.ts";

const ROOT = join(import.meta.dir, "..");

type Step = {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
};
type Job = {
  readonly env?: Readonly<Record<string, string>>;
  readonly container?: { readonly image: string };
  readonly steps: readonly Step[];
};
type Workflow = {
  readonly env?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
};

const folder = join(ROOT, ".github/workflows");
const workflows = readdirSync(folder).map((name) => ({
  name,
  workflow: Bun.YAML.parse(readFileSync(join(folder, name), "utf8")) as Workflow,
}));
const jobs = workflows.flatMap(({ name, workflow }) =>
  Object.entries(workflow.jobs).map(([job, content]) => ({ name: `${name} ${job}`, ...content })),
);

test("CI and releases name the commit of every action and the digest of every image", () => {
  const actions = jobs.flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
  const dockerfile = readFileSync(join(ROOT, "deploy/Dockerfile"), "utf8");
  const images = [
    ...jobs.flatMap(({ container }) => container?.image ?? []),
    ...[...dockerfile.matchAll(/^FROM (?:--\S+ )?(\S+)/gm)].map(([, image = ""]) => image),
  ];

  expect(actions.length).toBeGreaterThan(4);
  for (const action of actions) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
  expect(images.length).toBeGreaterThan(2);
  for (const image of images) expect(image).toMatch(/@sha256:[0-9a-f]{64}$/);
});

test("the key of releases is known to the step that signs the checksums alone", () => {
  const holdsKey = (part: unknown) => JSON.stringify(part ?? {}).includes("RELEASE_KEY");
  const steps = jobs.flatMap(({ name, steps }) => steps.map((step) => ({ name, ...step })));

  for (const { workflow } of workflows) expect(holdsKey(workflow.env)).toBe(false);
  for (const { env } of jobs) expect(holdsKey(env)).toBe(false);
  const [signing, ...others] = steps.filter(holdsKey);
  expect(others).toEqual([]);
  expect(signing?.run).toBe("sh deploy/sign.sh dist");
  // No program of a dependency has run on that machine before.
  const beside = steps.filter(({ name }) => name === signing?.name);
  for (const { run = "" } of beside) expect(run).not.toMatch(/\b(?:bun|bunx|node|npm|npx)\b/);
});

test("no dependency runs a script when it is installed", () => {
  expect(packageJson.trustedDependencies).toEqual([]);
});

const { describe: describeSigning } = testsUnlessMissing(missingProgram(PROGRAMS.openssl));

describeSigning("deploy/sign.sh", () => {
  const scratch = scratchFolder();
  afterAll(() => scratch.forget());
  const file = join(scratch.path, "SHA256SUMS");
  const signed = `${file}.sig`;
  const sign = (env: Readonly<Record<string, string>>) =>
    run({ command: ["sh", join(ROOT, "deploy/sign.sh"), scratch.path], cwd: scratch.path }, [], {
      PATH: process.env["PATH"] ?? "",
      ...env,
    });
  const key = generatePrivateKey();

  test("signs the checksums of a release, and only with the key that belongs to it", async () => {
    writeFileSync(file, `${"0".repeat(64)}  pet-alert-linux-x64\n`);
    const other = publicKeyOf(generatePrivateKey());

    const refused = await sign({ RELEASE_KEY: key, RELEASE_PUBLIC_KEY: other });
    expect([refused.code, existsSync(signed)]).toEqual([1, false]);
    expect(refused.errors).toContain("RELEASE_KEY does not belong to RELEASE_PUBLIC_KEY.");
    expect((await sign({ RELEASE_PUBLIC_KEY: other })).code).not.toBe(0);
    expect(existsSync(signed)).toBe(false);

    const publicKey = publicKeyOf(key);
    const { code, errors } = await sign({ RELEASE_KEY: key, RELEASE_PUBLIC_KEY: publicKey });
    expect({ code, errors }).toEqual({ code: 0, errors: "" });
    const der = createPublicKey({
      key: Buffer.from(publicKey, "base64"),
      format: "der",
      type: "spki",
    });
    expect(verify(null, readFileSync(file), der, readFileSync(signed))).toBe(true);
  });
});
