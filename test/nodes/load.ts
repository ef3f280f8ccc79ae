import type { Random } from "../../src/commands/demo/random.ts";
import { callTool, type Fetch, lostDog, submit } from "../chaos/client.ts";
import type { ReceivedEmail } from "../support/mail.ts";
import { linkWith } from "../support/world.ts";
import { type History, slugIn } from "./history.ts";
import { SUBSCRIBE_MAX, type Service } from "./service.ts";

// People who publish, confirm, write, subscribe, resolve and remove, each step on any node. What a node answered goes into
// the history. An answer that failed or never came says nothing: it may have been done or not.

const WRITERS = 8;
const PAUSE_MS = 20;
/** Time after which a person tries again, maybe on another node. */
const PATIENCE_MS = 3_000;
/** Requests for zones by one visitor at once, of which SUBSCRIBE_MAX are to be accepted. */
const REQUESTS_AT_ONCE = SUBSCRIBE_MAX + 4;
/** Requests in the name of one mailbox, by as many visitors. */
const STRANGERS = 8;

type Task =
  | { readonly do: "confirm"; readonly to: string; readonly link: string }
  | { readonly do: "manage"; readonly to: string; readonly link: string; readonly slug: string };

export type Load = ReturnType<typeof startLoad>;

/** Starts the people. `receive` gets the emails that the nodes send. */
export function startLoad(history: History, random: Random, service: () => Service) {
  const tasks: Task[] = [];
  const messages = new Map<string, { readonly text: string; readonly owner: string }>();
  const end = new AbortController();
  let made = 0;

  const visitor = () =>
    `${20 + random.below(100)}.${random.below(250)}.${random.below(250)}.${1 + random.below(250)}`;
  const anyNode = (from = visitor()): Fetch => {
    const nodes = service().inRotation();
    const node = nodes[random.below(nodes.length)];
    if (node === undefined) throw new Error("no node is ready");
    const fetch = service().fetchOf(node, from);
    return (address, init) => fetch(address, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) });
  };

  async function step(): Promise<void> {
    const task = tasks.shift();
    if (task === undefined) return begin();
    try {
      if (task.do === "confirm") await confirm(task.to, task.link);
      else await manage(task.to, task.link, task.slug);
    } catch (error) {
      // A person whose click led nowhere clicks again.
      tasks.push(task);
      throw error;
    }
  }

  function begin(): Promise<void> {
    const choice = random.next();
    if (choice < 0.02) return askAtOnce();
    if (choice < 0.04) return askForOneMailbox();
    if (choice < 0.3) return look();
    return publish();
  }

  async function publish(): Promise<void> {
    const place = { lat: 45 + random.next(), lng: 4 + random.next() };
    const dog = lostDog(made++, place);
    history.places.set(dog.email, place);
    const result = await callTool(anyNode(), "publish_alert", dog);
    if (result.kind === "done") history.asked.set(result.content.short_code, dog.email);
    else throw new Error(result.why);
  }

  /** The newest alerts, which every node then has in memory. */
  async function look(): Promise<void> {
    await Promise.all(
      service()
        .inRotation()
        .map(async (node) => {
          const signal = AbortSignal.timeout(PATIENCE_MS);
          const fetch = service().fetchOf(node, visitor());
          await (await fetch("/api/v1/alerts?limit=100", { signal })).bytes();
        }),
    );
  }

  /** One visitor asks for more zones than a visitor may, on all nodes at once. */
  async function askAtOnce(): Promise<void> {
    const [from, group] = [visitor(), made++];
    const point = { lat: 45 + random.next(), lng: 4 + random.next() };
    await Promise.allSettled(
      Array.from({ length: REQUESTS_AT_ONCE }, (_, nth) =>
        callTool(anyNode(from), "subscribe_zone", {
          ...point,
          radius_km: 5,
          email: `reader-${nth}@group-${group}.example.net`,
        }),
      ),
    );
  }

  /** Strangers publish in the name of one mailbox, on all nodes at once. */
  async function askForOneMailbox(): Promise<void> {
    const email = `victim-${made++}@example.org`;
    await Promise.allSettled(
      Array.from({ length: STRANGERS }, () =>
        callTool(anyNode(), "publish_alert", { ...lostDog(made++), email }),
      ),
    );
  }

  async function confirm(to: string, link: string): Promise<void> {
    const { status, text } = await submit(anyNode(), link);
    if (status !== 200) throw new Error(`confirming answered ${status}`);
    const message = messages.get(to);
    const slug = slugIn(text);
    if (message !== undefined) history.said.set(message.text, message.owner);
    else if (to.startsWith("reader-")) history.watching.add(to);
    else if (slug !== null) history.live.set(slug, to);
  }

  async function manage(to: string, link: string, slug: string): Promise<void> {
    const choice = random.next();
    if (choice < 0.5) return write(to, slug);
    const move = choice < 0.75 ? "resolve" : "remove";
    if (move === "remove") history.removing.add(slug);
    const { status } = await submit(anyNode(), `${link}/${move}`);
    if (status >= 500) throw new Error(`to ${move} answered ${status}`);
    // A removed alert has no private page any more: a repetition of what was done finds none.
    if (status >= 400) return;
    history.ended.set(slug, { move, at: performance.now() });
  }

  async function write(owner: string, slug: string): Promise<void> {
    const finder = `finder-${made++}@example.net`;
    const message = `This is what ${finder.split("@")[0]} saw.`;
    messages.set(finder, { text: message, owner });
    const result = await callTool(anyNode(), "send_message", {
      alert: slug,
      message,
      email: finder,
    });
    if (result.kind === "refused") throw new Error(result.why);
  }

  async function person(): Promise<void> {
    while (!end.signal.aborted) {
      const before = performance.now();
      try {
        await step();
      } catch {
        history.unanswered += 1;
        await Bun.sleep(PAUSE_MS);
      }
      history.slowestMs = Math.max(history.slowestMs, performance.now() - before);
      await Bun.sleep(PAUSE_MS);
    }
  }

  const people = Array.from({ length: WRITERS }, person);

  return {
    receive({ to, text = "", messageId = "" }: ReceivedEmail): void {
      const seen = history.emails.get(messageId);
      if (seen !== undefined) {
        seen.arrivedAt.push(Date.now());
        return;
      }
      const confirmLink = linkWith("/confirm/", text);
      history.emails.set(messageId, { to, text, arrivedAt: [Date.now()] });
      const manageLink = linkWith("/manage/", text);
      const slug = slugIn(text);
      // Who never answers gets no more than the budget of a mailbox; an answer would free it.
      if (to.startsWith("victim-")) return;
      if (confirmLink !== null) tasks.push({ do: "confirm", to, link: confirmLink });
      else if (manageLink !== null && slug !== null)
        tasks.push({ do: "manage", to, link: manageLink, slug });
    },
    async stop(): Promise<void> {
      end.abort();
      await Promise.all(people);
    },
  };
}
