import { expect } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { build, TARGETS, thisMachine } from "../../deploy/build.ts";
import { generatePrivateKey, publicKeyOf } from "../../deploy/signature.ts";
import { version } from "../../package.json" with { type: "json" };
import { asVersion, writeSignedRelease } from "../support/signed-release.ts";
import { scratchFolder } from "../support/process.ts";
import { bootMachine, type Machine, systemdTests } from "../support/systemd.ts";

// Updates the program as deploy/README.md says, under the unchanged deploy/pet-alert.service and the systemd of this machine.

const { afterAll, beforeAll, describe, test } = systemdTests;
const MINUTES_MS = 180_000;
const NEWER = "99.0.0";
const PORT = 38561;

describe("an update by root of a program that serves", () => {
  const scratch = scratchFolder();
  let machine: Machine;
  beforeAll(async () => {
    const made = (name: string) => join(scratch.path, name);
    const deploy = join(import.meta.dir, "../../deploy");
    const privateKey = generatePrivateKey();
    const releases = { url: `http://127.0.0.1:${PORT}`, publicKey: publicKeyOf(privateKey) };
    const file = TARGETS[thisMachine()];
    mkdirSync(made("release"));
    await build(made("pet-alert"), "this machine", { releases });
    await build(made(`release/${file}`), "this machine", {
      releases,
      plugins: [asVersion(NEWER)],
    });
    await writeSignedRelease(made("release"), privateKey, { releases, versionOfRelease: NEWER });
    await Bun.write(made("env"), "BASE_URL=https://pets.example.org\nHOST=127.0.0.1\nPORT=3000\n");
    await Bun.write(
      made("server.ts"),
      `Bun.serve({ hostname: "127.0.0.1", port: ${PORT}, fetch: ({ url }) => new Response(Bun.file("/root" + new URL(url).pathname)) });`,
    );
    machine = await bootMachine({
      // Where this program lies, that machine may have a folder of its own.
      "/usr/local/bin/bun": { from: process.execPath, mode: "755" },
      "/usr/local/bin/pet-alert": { from: made("pet-alert"), mode: "755" },
      "/etc/systemd/system/pet-alert.service": {
        from: join(deploy, "pet-alert.service"),
        mode: "644",
      },
      "/etc/pet-alert.env": { from: made("env"), mode: "600" },
      "/root/server.ts": { from: made("server.ts"), mode: "600" },
      ...Object.fromEntries(
        ["SHA256SUMS", "SHA256SUMS.sig", "VERSION", file].map((name) => [
          `/root/${name}`,
          { from: made(`release/${name}`), mode: "600" },
        ]),
      ),
    });
  }, MINUTES_MS);
  afterAll(async () => {
    await machine?.end();
    scratch.forget();
  });

  const served = async () => {
    const { said } = await machine.sh(
      "for try in $(seq 200); do curl --silent --fail http://127.0.0.1:3000/healthz && exit 0; sleep 0.1; done; exit 1",
    );
    return said;
  };

  test(
    "leaves the data to the service's user, and the new version serves after a restart",
    async () => {
      await machine.sh("systemctl start pet-alert");
      expect(await served()).toContain(`"version":"${version}"`);
      await machine.sh(`systemd-run --quiet --unit=releases bun /root/server.ts; sleep 1`);
      // The service may make its first daily backup meanwhile.
      const owners = "stat --format '%U %n' /var/lib/pet-alert/* | grep -v /backups$ | sort";
      const before = await machine.sh(owners);

      const updated = await machine.sh("pet-alert update");
      const after = await machine.sh(owners);
      await machine.sh("systemctl restart pet-alert");

      expect(updated.errors).toBe("");
      expect(updated.said).toContain(`Version ${NEWER} is installed`);
      expect(before.said).toContain("pet-alert.sqlite");
      expect(after.said).toBe(before.said);
      expect(await served()).toContain(`"version":"${NEWER}"`);
    },
    MINUTES_MS,
  );
});
