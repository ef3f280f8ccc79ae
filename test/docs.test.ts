import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { COMMANDS } from "../src/commands/all.ts";
import { SETTINGS } from "../src/settings/setting-list.ts";
import { TOOLS } from "../src/http/mcp/tools.ts";
import { missingProgram, PROGRAMS, testsUnlessMissing } from "./support/system-programs.ts";
import { scratchFolder, serve, until } from "./support/process.ts";

// The documents are part of the product: what they say is executed and compared.

const readme = await Bun.file("README.md").text();
const operations = await Bun.file("docs/operations.md").text();
const architecture = await Bun.file("docs/architecture.md").text();
const section = (document: string, title: string) =>
  document.split(`\n## ${title}\n`)[1]?.split("\n## ")[0] ?? "";
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
  expect(rows(section(operations, "Settings"))).toEqual(
    SETTINGS.map((setting) => [setting.name, setting.default, setting.meaning]),
  );
});

test("the tools table names every tool", () => {
  expect(rows(section(readme, "Connect an assistant")).map(([name]) => name)).toEqual(
    TOOLS.map((tool) => tool.name).toSorted(byTable),
  );

  function byTable(a: string, b: string): number {
    const order = rows(section(readme, "Connect an assistant")).map(([name]) => name);
    return order.indexOf(a) - order.indexOf(b);
  }
});

test("the commands table names every command", () => {
  const named = rows(section(operations, "Commands")).flatMap(([words = ""]) =>
    [...words.matchAll(/(?:pet-alert|,) (?!pet-)([a-z]+)/g)].map(([, name]) => name ?? ""),
  );

  expect(named.toSorted()).toEqual(COMMANDS.map(({ name }) => name).toSorted());
});

test("the files for running it name settings that there are", async () => {
  const files = [
    "pet-alert.env",
    "compose.yaml",
    "compose.production.yaml",
    "Dockerfile",
    "Caddyfile",
    "pet-alert.service",
    "cluster/haproxy.cfg",
    "cluster/patroni.yml",
    "cluster/pet-alert-cluster.conf",
  ];
  const texts = await Promise.all(files.map((file) => Bun.file(`deploy/${file}`).text()));
  const named = texts.flatMap((text) => text.match(/\b[A-Z]+_[A-Z_]+\b/g) ?? []);
  const known = new Set<string>([
    ...SETTINGS.map(({ name }) => name),
    "SITE_ADDRESS",
    "NET_BIND_SERVICE",
  ]);

  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !known.has(name) && !/^(?:AF|CAP)_/.test(name))).toEqual([]);
});

const DOCUMENTS = [
  ...new Bun.Glob("*.md").scanSync("."),
  ...new Bun.Glob("{docs,deploy,deploy/cluster}/*.md").scanSync("."),
];

test("the README is short", () => {
  expect(readme.split("\n").length).toBeLessThanOrEqual(150);
});

test.each(DOCUMENTS)("every section of %s has its text", async (file) => {
  const document = await Bun.file(file).text();
  for (const part of document.split("\n## ").slice(1)) {
    const [title, ...text] = part.split("\n");
    expect([title, text.join(" ").trim().split(" ").length > 2]).toEqual([title ?? "", true]);
  }
});

test.each(DOCUMENTS)("every file that %s links to is there", async (file) => {
  const links = (await Bun.file(file).text()).matchAll(/\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)/g);
  for (const [, link = ""] of links) {
    const path = normalize(join(dirname(file), link));
    expect([path, existsSync(path)]).toEqual([path, true]);
  }
});

test("every path that the architecture names exists", () => {
  const named = architecture.match(/\b(?:src|db|test|deploy|docs)\/[\w./-]*\w/g) ?? [];
  expect(named.length).toBeGreaterThan(20);
  for (const path of named) expect([path, existsSync(path)]).toEqual([path, true]);
});

testsUnlessMissing(missingProgram(PROGRAMS.curl)).test(
  "the first alert goes live by the four lines as they are written",
  async () => {
    const folder = scratchFolder();
    const served = await serve(folder.path);
    const [publish = "", link = "", press = "", search = ""] = (
      /```sh\n([\s\S]*?)\n```/.exec(section(readme, "A first alert"))?.[1] ?? ""
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
    await until(() => /\/confirm\/\S+\s/.test(served.said()));
    const LINK = /http\S*\/confirm\/\S+/.exec(served.said())?.[0] ?? "";
    await shell(press, { LINK });
    expect(await Bun.file(`${folder.path}/page.html`).text()).toContain("Mimi");
    expect(JSON.parse(await shell(search)).alerts).toMatchObject([
      { pet_name: "Mimi", city: "Lyon" },
    ]);

    expect(await served.stop()).toBe(0);
    folder.forget();
  },
  600_000,
);
