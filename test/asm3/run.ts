import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { csvLine } from "../../src/text/csv.ts";
import { FROM_SOURCES, freePort, run, scratchFolder, serve, until } from "../support/process.ts";
import { installPackages } from "../support/debian-packages.ts";

/**
 * A real Animal Shelter Manager whose strays are kept in step: published, changed, gone, and its failures. Takes the
 * folder of a checkout of https://github.com/sheltermanager/asm3, which runs on Debian's Python with SQLite and is filled
 * by its own CSV import. Installs the Debian packages that it needs, as root: `bun test/asm3/run.ts FOLDER`. Exits with 1 if something is not as it should be.
 */
const PACKAGES = ["python3-cheroot", "python3-pil", "python3-lxml", "python3-requests"];
const PYTHON = "/usr/bin/python3";
/** The user that a new database has. */
const LOGIN = { username: "user", password: "letmein" };
const PLACE = "Lyon";

const TODAY = new Date().toISOString().slice(0, 10);
const CANARY = "canary-7310";
/** A stray as asm3's import takes it; its finder's name and address must never come out. */
const STRAY = {
  ANIMALENTRYDATE: TODAY,
  ANIMALENTRYTYPE: "Stray",
  ANIMALSPECIES: "Dog",
  ANIMALSEX: "Male",
  ANIMALDOB: "2020-05-01",
  ORIGINALOWNERLASTNAME: CANARY,
  ORIGINALOWNERADDRESS: `${CANARY} Street 1`,
  ORIGINALOWNEREMAIL: `${CANARY}@example.org`,
};
const STRAYS = [
  { ...STRAY, ANIMALCODE: "S1", ANIMALNAME: "Rex", ANIMALBREED1: "Beagle", ANIMALCOLOR: "Brown" },
  { ...STRAY, ANIMALCODE: "S2", ANIMALNAME: "Tom", ANIMALBREED1: "Boxer", ANIMALCOLOR: "Black" },
  { ...STRAY, ANIMALCODE: "S3", ANIMALNAME: "Ann", ANIMALBREED1: "Poodle", ANIMALCOLOR: "White" },
];

const failures: string[] = [];
function check(what: string, isTrue: boolean, seen: unknown): void {
  console.log(`${isTrue ? "ok  " : "FAIL"} ${what}`);
  if (isTrue) return;
  console.log(`     ${Bun.inspect(seen)}`);
  failures.push(what);
}

async function main(checkout: string): Promise<number> {
  const sources = join(resolve(checkout), "src");
  if (!existsSync(join(sources, "asm3"))) throw new Error(`${checkout} is no checkout of asm3.`);
  console.log(`Installing ${PACKAGES.join(" ")}.`);
  installPackages(PACKAGES);
  const scratch = scratchFolder();
  const asm = await openAsm(sources, scratch.path);
  const served = await serve(join(scratch.path, "data"));
  try {
    await replay(asm, served, scratch.path);
  } finally {
    await served.stop();
    await asm.stop();
    scratch.forget();
  }
  console.log(failures.length === 0 ? "All as it should be." : `${failures.length} failed.`);
  return failures.length === 0 ? 0 : 1;
}

type Asm = Awaited<ReturnType<typeof openAsm>>;
type Served = Awaited<ReturnType<typeof serve>>;

async function replay(asm: Asm, served: Served, folder: string): Promise<void> {
  const dataDir = join(folder, "data");
  const petAlert = (...words: readonly string[]) => run(FROM_SOURCES, words, { DATA_DIR: dataDir });
  /** Password by which the service asks for the table. */
  async function setPassword(password: string): Promise<void> {
    await Bun.write(join(dataDir, "asm3.secret"), `${password}\n`);
    await petAlert("sources", "reload");
  }
  const pull = () => petAlert("sources", "pull", "asm3-stray", "--json");

  async function shown(): Promise<any[]> {
    const answer = await served.fetch("/api/v1/alerts?lat=45.76&lng=4.84&radius_km=50&limit=50");
    return ((await answer.json()) as { alerts: any[] }).alerts;
  }
  const breeds = async () => (await shown()).map((alert) => alert.breed).sort();

  await setPassword(LOGIN.password);
  const address = `${asm.url}/service?method=json_stray_animals&username=${LOGIN.username}&password={secret}`;
  const entry = ["--mapping", "asm3-stray", "--owner", "desk@shelter.example", "--place", PLACE];
  const secret = ["--secret", "asm3.secret", "--private"];
  await petAlert("sources", "add", "--table", address, ...entry, ...secret);
  await petAlert("sources", "reload");

  await asm.load(STRAYS);
  const first = await pull();
  check("three strays are published", (await breeds()).join() === "Beagle,Boxer,Poodle", first);
  const texts = JSON.stringify(await shown()) + JSON.stringify(first);
  check(
    "no person and no name given by staff comes out",
    !/canary-7310|Rex|Tom|Ann/.test(texts),
    texts,
  );

  await asm.mark("S2", "White socks");
  const second = await pull();
  const boxer = (await shown()).find((alert) => alert.breed === "Boxer");
  check("a change is followed by the next pull", boxer?.description === "White socks", [
    boxer,
    second,
  ]);

  await asm.load([
    {
      ANIMALCODE: "S3",
      ANIMALNAME: "Ann",
      MOVEMENTTYPE: "1",
      MOVEMENTDATE: TODAY,
      PERSONLASTNAME: CANARY,
    },
  ]);
  await pull();
  check("an adopted animal is still shown after one pull", (await breeds()).includes("Poodle"), "");
  await pull();
  check("and ended by the second", (await breeds()).join() === "Beagle,Boxer", await breeds());

  await setPassword("wrong");
  for (let nth = 1; nth <= 3; nth++) {
    const { code, said } = await pull();
    check(`a wrong password is told (pull ${nth})`, code === 1 && said.includes("password"), said);
  }
  check("and changes nothing", (await breeds()).join() === "Beagle,Boxer", await breeds());
  await setPassword(LOGIN.password);

  await asm.stop();
  for (let nth = 1; nth <= 3; nth++) {
    const { code, said } = await pull();
    check(`a server that is down is told (pull ${nth})`, code === 1, said);
  }
  check("and changes nothing", (await breeds()).join() === "Beagle,Boxer", await breeds());

  await asm.start();
  await asm.load([{ ...STRAYS[0]!, ANIMALCODE: "S4", ANIMALBREED1: "Akita" }]);
  await pull();
  check("once it is back, new strays follow", (await breeds()).join() === "Akita,Beagle,Boxer", "");
}

/** Animal Shelter Manager on a new database in this folder. */
async function openAsm(sources: string, folder: string) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const cache = join(folder, "cache");
  mkdirSync(cache);
  const settings = {
    base_url: url,
    service_url: `${url}/service`,
    db_type: "SQLITE",
    db_name: join(folder, "asm.db"),
    disk_cache: cache,
    log_location: join(folder, "asm.log"),
    memcached_server: "",
    smtp_server: '{ "sendmail": false }',
  };
  const config = join(folder, "asm3.conf");
  await Bun.write(
    config,
    Object.entries(settings)
      .map(([key, value]) => `${key} = ${value}\n`)
      .join(""),
  );
  // Python leaves nothing in the checkout.
  const env = { ASM3_CONF: config, PYTHONDONTWRITEBYTECODE: "1", PATH: process.env["PATH"] ?? "" };
  const script = join(import.meta.dir, "shelter.py");

  async function python(words: readonly string[], input = ""): Promise<string> {
    const child = Bun.spawn([PYTHON, script, ...words], {
      cwd: sources,
      env,
      stdin: Buffer.from(input),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [said, errors, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    if (code !== 0) throw new Error(`asm3's ${words.join(" ")} ended with ${code}: ${errors}`);
    return said;
  }

  let child: Bun.Subprocess | null = null;
  async function start(): Promise<void> {
    child = Bun.spawn([PYTHON, script, "serve", `127.0.0.1:${port}`], {
      cwd: sources,
      env,
      stdout: "ignore",
      stderr: "ignore",
    });
    await until(async () => (await fetch(url, { redirect: "manual" }).catch(() => null)) !== null);
  }
  async function stop(): Promise<void> {
    child?.kill("SIGKILL");
    await child?.exited;
    child = null;
  }

  await python(["install"]);
  await start();
  return {
    url,
    start,
    stop,
    mark: (code: string, markings: string) => python(["mark", code], markings),
    /** Reads rows by asm3's own CSV import, which knows animals by their code. */
    async load(rows: readonly Readonly<Record<string, string>>[]): Promise<void> {
      const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
      const lines = rows.map((row) => csvLine(columns.map((column) => row[column] ?? "")));
      const said = await python(["load"], csvLine(columns) + lines.join(""));
      const { errors } = JSON.parse(said) as { errors: unknown[] };
      if (errors.length > 0) throw new Error(`asm3 refused rows: ${said}`);
    },
  };
}

const [, , checkout] = process.argv;
if (checkout === undefined) {
  console.error("Usage: bun test/asm3/run.ts FOLDER (of a checkout of sheltermanager/asm3)");
  process.exit(2);
}
process.exit(await main(checkout));
