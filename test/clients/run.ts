import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scratchFolder, type Served, serve } from "../support/process.ts";

// `bun run test:clients`: real MCP clients go through the main loop with the real program, each by its address alone: they
// search, publish, match, write and subscribe, and a person confirms by the links of the emails. Their packages, some 340
// MB, are installed into a scratch folder, which is kept for the next run.

const PACKAGES = [
  "@modelcontextprotocol/sdk@1.32.2",
  "@modelcontextprotocol/client@2.4.0",
  "mcp-remote@0.15.1",
  "@ai-sdk/mcp@2.0.99",
  "@langchain/mcp-adapters@1.1.4",
  "@mastra/mcp@2.0.0",
  "@modelcontextprotocol/inspector@2.12.0",
];
const TOOLS = "search_alerts get_alert find_matches publish_alert send_message subscribe_zone";
const LYON = { lat: 45.7712, lng: 4.8333 };

type Client = {
  list(): Promise<string[]>;
  call(name: string, args: object): Promise<any>;
};

const tools = join(tmpdir(), "pet-alert-clients");
await install();
const { CLIENTS }: { CLIENTS: Record<string, (url: string) => Promise<Client>> } = await import(
  join(tools, "clients.js")
);
process.chdir(tools);
const failures: string[] = [];
for (const [name, connect] of Object.entries(CLIENTS)) {
  const problem = await problemOf(connect);
  console.log(`${name}: ${problem ?? "passed"}`);
  if (problem !== null) failures.push(name);
}
const all = Object.keys(CLIENTS).length;
console.log(`${all - failures.length} passed, ${failures.length} failed`);
// Clients leave connections and processes behind.
process.exit(failures.length === 0 ? 0 : 1);

async function install(): Promise<void> {
  mkdirSync(tools, { recursive: true });
  cpSync(join(import.meta.dir, "clients.js"), join(tools, "clients.js"));
  const list = join(tools, "installed.json");
  const wanted = JSON.stringify(PACKAGES);
  if (existsSync(list) && readFileSync(list, "utf8") === wanted) return;
  await Bun.write(join(tools, "package.json"), "{}");
  const child = Bun.spawn([process.execPath, "add", "--exact", "--silent", ...PACKAGES], {
    cwd: tools,
    stderr: "inherit",
  });
  if ((await child.exited) !== 0) throw new Error("The clients could not be installed.");
  await Bun.write(list, wanted);
}

/** Goes through the main loop on an instance of its own; the first problem, or null. */
async function problemOf(connect: (url: string) => Promise<Client>): Promise<string | null> {
  const folder = scratchFolder();
  const served = await serve(folder.path);
  try {
    await mainLoop(await connect(`${served.baseUrl}/api/mcp`), served, join(folder.path, "mail"));
    return null;
  } catch (error) {
    return String(error);
  } finally {
    await served.stop();
    folder.forget();
  }
}

async function mainLoop(client: Client, served: Served, mail: string): Promise<void> {
  const emails = (to: string) =>
    readdirSync(mail)
      .filter((name) => name.endsWith(".eml"))
      .toSorted()
      .map((name) => readFileSync(join(mail, name), "utf8").replaceAll("=\r\n", ""))
      .filter((email) => email.includes(`To: ${to}`));
  const confirm = async (to: string) => {
    const token = /\/confirm\/([\w-]{43})/.exec(emails(to).at(-1) ?? "")?.[1];
    const answer = await served.fetch(`/confirm/${token}`, { method: "POST" });
    check(`the link to ${to}`, answer.status, 200);
  };
  const publish = async (more: { type: string; email: string }) => {
    const cat = { species: "cat", color: "grey tabby", name: "Mimi", ...LYON };
    const receipt = await client.call("publish_alert", { ...cat, ...more });
    check("status", receipt.status, "pending_confirmation");
    check(
      "alerts before",
      (await client.call("search_alerts", { type: more.type })).alerts.length,
      0,
    );
    await confirm(more.email);
    return receipt;
  };

  check("tools", (await client.list()).join(" "), TOOLS);
  const lost = await publish({ type: "lost", email: "owner@example.org" });
  const found = await publish({ type: "found", email: "finder@example.org" });
  // As models write them: a number as text, an empty text for what they have nothing to say about.
  const written = { place: "Lyon", radius_km: "10", limit: "5", species: "", since: "yesterday" };
  const { alerts } = await client.call("search_alerts", written);
  check("found by place", alerts.map(({ id }: any) => id).join(), [found.id, lost.id].join());
  const { alert } = await client.call("get_alert", { alert: lost.short_code });
  check("alert", `${alert.slug} ${alert.status}`, `${lost.slug} active`);
  const { matches } = await client.call("find_matches", { alert: lost.id });
  check("match", matches[0]?.alert.id, found.id);

  const message = {
    alert: lost.id,
    message: "I saw her at the station.",
    email: "eve@example.org",
  };
  await client.call("send_message", message);
  await confirm(message.email);
  const delivered = emails("owner@example.org").join("");
  check("delivered", delivered.includes(message.message), true);
  check("address shown", delivered.includes(message.email), false);

  const zone = await client.call("subscribe_zone", { place: "Lyon", email: "zoe@example.org" });
  check("radius", zone.area.radius_km, 5);
  await confirm("zoe@example.org");
}

function check(what: string, is: unknown, wanted: unknown): void {
  if (is !== wanted) throw new Error(`${what}: ${String(is)} instead of ${String(wanted)}`);
}
