import { expect, test } from "bun:test";
import { COMMANDS } from "../src/commands/all.ts";
import { SETTINGS } from "../src/config.ts";
import { TOOLS } from "../src/http/mcp/tools.ts";
import { scratchFolder, serve } from "./support/process.ts";

// The README is part of the product: what it says is executed and compared.

const readme = await Bun.file("README.md").text();
const section = (title: string) => readme.split(`\n## ${title}\n`)[1]?.split("\n## ")[0] ?? "";
const rows = (text: string) =>
  text
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2)
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll("`", "")),
    );

test("the settings table names every setting with its default and meaning", () => {
  expect(rows(section("Settings"))).toEqual(
    SETTINGS.map((setting) => [setting.name, setting.default, setting.meaning]),
  );
});

test("the tools table names every tool", () => {
  expect(rows(section("Connect an assistant")).map(([name]) => name)).toEqual(
    TOOLS.map((tool) => tool.name).toSorted(byTable),
  );

  function byTable(a: string, b: string): number {
    const order = rows(section("Connect an assistant")).map(([name]) => name);
    return order.indexOf(a) - order.indexOf(b);
  }
});

test("the commands table names every command", () => {
  const named = rows(section("Run it for others")).flatMap(([words = ""]) =>
    [...words.matchAll(/(?:pet-alert|,) (?!pet-)([a-z]+)/g)].map(([, name]) => name ?? ""),
  );

  expect(named.toSorted()).toEqual(COMMANDS.map(({ name }) => name).toSorted());
});

test("the files for running it name settings that there are", async () => {
  const files = ["pet-alert.env", "compose.yaml", "Dockerfile", "Caddyfile", "pet-alert.service"];
  const texts = await Promise.all(files.map((file) => Bun.file(`deploy/${file}`).text()));
  const named = texts.flatMap((text) => text.match(/\b[A-Z]+_[A-Z_]+\b/g) ?? []);
  const known = new Set<string>([...SETTINGS.map(({ name }) => name), "SITE_ADDRESS"]);

  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !known.has(name) && !/^(?:AF|CAP)_/.test(name))).toEqual([]);
});

test("every section has its text", () => {
  for (const part of readme.split("\n## ").slice(1)) {
    const [title, ...text] = part.split("\n");
    expect([title, text.join(" ").trim().split(" ").length > 8]).toEqual([title ?? "", true]);
  }
});

test("every path the house map names exists", async () => {
  const named = section("The house").match(/\b(?:src|db|test)\/[\w./-]+/g) ?? [];
  expect(named.length).toBeGreaterThan(10);
  for (const path of named) {
    const isThere =
      (await Bun.file(path).exists()) ||
      (await Array.fromAsync(new Bun.Glob(`${path.replace(/\/$/, "")}/**`).scan("."))).length > 0;
    expect([path, isThere]).toEqual([path, true]);
  }
});

test("the first alert goes live by the four lines as they are written", async () => {
  const folder = scratchFolder();
  const served = await serve(folder.path);
  const [publish = "", link = "", press = "", search = ""] = (
    /```sh\n([\s\S]*?)\n```/.exec(section("A first alert"))?.[1] ?? ""
  ).split("\n");
  const shell = async (line: string, env: Record<string, string> = {}) => {
    const here = line.replaceAll("localhost:3000", served.baseUrl.slice("http://".length));
    const child = Bun.spawn(["sh", "-c", here], {
      cwd: folder.path,
      env: { PATH: process.env["PATH"] ?? "", ...env },
      stdout: "pipe",
    });
    return new Response(child.stdout).text();
  };

  expect(await shell(publish)).toContain("pending_confirmation");
  expect(link).toStartWith("LINK=http://localhost:3000/confirm/");
  while (!served.said().includes("/confirm/")) await Bun.sleep(10);
  const LINK = /http\S*\/confirm\/\S+/.exec(served.said())?.[0] ?? "";
  await shell(press, { LINK });
  expect(await Bun.file(`${folder.path}/page.html`).text()).toContain("Mimi");
  expect(JSON.parse(await shell(search)).alerts).toMatchObject([
    { pet_name: "Mimi", city: "Lyon" },
  ]);

  expect(await served.stop()).toBe(0);
  folder.forget();
}, 30_000);
