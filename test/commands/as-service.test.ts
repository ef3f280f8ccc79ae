import { expect } from "bun:test";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { build } from "../../deploy/build.ts";
import { scratchFolder } from "../support/process.ts";
import { bootMachine, type Machine, systemdTests } from "../support/systemd.ts";
import { csv, FOUND_CAT, LOST_DOG } from "./shelter.ts";

// Runs the unchanged deploy/pet-alert-as-service and deploy/pet-alert.service under the systemd of this machine.

const { afterAll, beforeAll, describe, test } = systemdTests;
const MINUTES_MS = 180_000;

describe("a command run as the service", () => {
  const scratch = scratchFolder();
  let machine: Machine;
  beforeAll(async () => {
    const made = (name: string) => join(scratch.path, name);
    const deploy = join(import.meta.dir, "../../deploy");
    await build(made("pet-alert"), "this machine");
    await Bun.write(made("env"), "BASE_URL=https://pets.example.org\nHOST=127.0.0.1\nPORT=3000\n");
    await Bun.write(made("table.csv"), csv([LOST_DOG, FOUND_CAT]));
    machine = await bootMachine({
      "/usr/local/bin/pet-alert": { from: made("pet-alert"), mode: "755" },
      "/usr/local/sbin/pet-alert-as-service": {
        from: join(deploy, "pet-alert-as-service"),
        mode: "755",
      },
      "/etc/systemd/system/pet-alert.service": {
        from: join(deploy, "pet-alert.service"),
        mode: "644",
      },
      "/etc/pet-alert.env": { from: made("env"), mode: "600" },
      "/root/table.csv": { from: made("table.csv"), mode: "600" },
    });
  }, MINUTES_MS);
  afterAll(async () => {
    await machine?.end();
    scratch.forget();
  });

  const rows = (text: string): Record<string, string>[] => parse(text, { columns: true });
  const served = async () => {
    await machine.sh("systemctl start pet-alert");
    const { code } = await machine.sh(
      "for try in $(seq 100); do curl --silent --fail http://127.0.0.1:3000/readyz >/dev/null && exit 0; sleep 0.1; done; exit 1",
    );
    expect(code).toBe(0);
  };

  test(
    "reads and writes its caller's files over standard input and output, beside the service and without it",
    async () => {
      const imported = await machine.sh(
        "pet-alert-as-service import - --email shelter@example.org --yes --links - < table.csv > links.csv",
      );
      expect(imported).toEqual({
        code: 0,
        said: "",
        errors: expect.stringContaining("Published: 1 lost, 1 found."),
      });
      const links = (await machine.sh("cat links.csv")).said;
      expect(rows(links).map((row) => row["external_id"])).toEqual(["X1", "X2"]);

      await served();
      for (const line of [
        "pet-alert-as-service export - > out.csv",
        "pet-alert-as-service links --email shelter@example.org - > again.csv",
        "pet-alert-as-service backup - > copy.tar",
      ])
        expect(await machine.sh(line)).toMatchObject({ code: 0, said: "" });

      expect(rows((await machine.sh("cat out.csv")).said)).toHaveLength(2);
      expect((await machine.sh("cat again.csv")).said).toBe(links);
      expect((await machine.sh("pet-alert-as-service moderate list")).code).toBe(0);
      expect((await machine.sh("pet-alert-as-service restore - < copy.tar")).errors).toContain(
        "Another Pet Alert process is using the data folder",
      );

      await machine.sh("systemctl stop pet-alert");
      const restored = await machine.sh("pet-alert-as-service restore - < copy.tar");
      expect(restored).toMatchObject({
        code: 0,
        said: expect.stringContaining("Restored into /var/lib/pet-alert."),
      });
      await served();
      expect(
        (await machine.sh("curl --silent http://127.0.0.1:3000/api/v1/alerts")).said,
      ).toContain("Rover");
      expect(
        (await machine.sh("pet-alert-as-service backup && ls /var/lib/pet-alert/backups | wc -l"))
          .code,
      ).toBe(0);
    },
    MINUTES_MS,
  );

  test.each([
    ["export /tmp/out.csv", "/tmp/out.csv is not the file you see there"],
    ["backup /tmp/copy", "/tmp/copy is not the file you see there"],
    [
      "import table.csv --email a@example.org --yes --links /tmp/out.csv",
      "There is no file table.csv.",
    ],
    ["export out2.csv", "The file out2.csv cannot be created: / is read-only."],
    [
      "export /root/out2.csv",
      "The file /root/out2.csv cannot be created: this user may not write to /root.",
    ],
    [
      "import /root/table.csv --email a@example.org --yes",
      "/root/table.csv cannot be read: permission denied.",
    ],
    ["backup copy", "The backup to copy failed: the disk can only be read there."],
  ])(
    "refuses what its caller would not find, in a sentence: %s",
    async (words, sentence) => {
      const { code, said, errors } = await machine.sh(`pet-alert-as-service ${words}`);

      expect({ code, said }).toEqual({ code: 1, said: "" });
      expect(errors).toContain(sentence);
      expect(errors.trim().split("\n")).toHaveLength(1);
      const left = await machine.sh(
        "ls -d /tmp/out* /var/tmp/out* /tmp/copy* /root/out2* /root/copy",
      );
      expect(left.said).toBe("");
    },
    MINUTES_MS,
  );

  test(
    "has the secret key on a node of a cluster",
    async () => {
      const asNode =
        "printf '%s\\n' DATABASE_URL=postgres://a:b@127.0.0.1:1/c S3_URL=s3://a:b@127.0.0.1:1/photos SMTP_URL=smtp://127.0.0.1:1 >> /etc/pet-alert.env";
      await machine.sh("systemctl stop pet-alert; pet-alert-as-service demo Lyon --count 5");
      await machine.sh(
        `cp /etc/pet-alert.env before.env && ${asNode} && mkdir -m 700 /etc/pet-alert`,
      );
      const move = async () => (await machine.sh("pet-alert-as-service move")).errors;

      expect(await move()).toContain("The setting SECRET_KEY_FILE is missing");

      const install = "install -m 600 /dev/stdin /etc/pet-alert/secret.key";
      await machine.sh(`head -c 32 /dev/zero | ${install}`);
      expect(await move()).toContain("the file of SECRET_KEY_FILE, is not the key of");
      await machine.sh(`cat /var/lib/pet-alert/secret.key | ${install}`);
      expect(await move()).toContain("The server of DATABASE_URL does not answer.");

      await machine.sh("rm -r /etc/pet-alert && mv before.env /etc/pet-alert.env");
    },
    MINUTES_MS,
  );

  test(
    "that fills the disk says so, and leaves no half file under the name",
    async () => {
      await machine.sh("pet-alert-as-service demo Lyon --count 5");
      await machine.sh(
        "mount -t tmpfs -o size=4k tmpfs /mnt && head -c 4096 /dev/zero > /mnt/full",
      );

      const { code, errors } = await machine.sh(
        "DATA_DIR=/var/lib/pet-alert pet-alert export /mnt/out.csv",
      );

      expect({ code, errors }).toEqual({
        code: 1,
        errors: "/mnt/out.csv could not be written: the disk is full.\n",
      });
      expect((await machine.sh("ls /mnt")).said).toBe("full\n");
    },
    MINUTES_MS,
  );
});
