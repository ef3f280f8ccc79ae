import { scratchFolder, type Served, serve } from "../support/process.ts";
import { lostDog } from "./client.ts";
import type { Fault } from "./fault.ts";

/** Publications an hour for each caller. */
const LIMIT = 5;
const AT_ONCE = 40;
/** As many calls as one request may hold. */
const BATCH = 20;

export const callerLimits: Fault = {
  name: "callers who evade their limits",
  promise:
    "A caller's limit holds over restart and kill, in parallel and in batches, under forged headers, and over all addresses of an IPv6 network",
  async run(say) {
    const { failures, tried } = await dodge();
    say(`${tried} writes by eight ways`);
    return {
      tried: `${tried} writes by eight ways around a limit of ${LIMIT}`,
      lost: `${failures.length} ways led around it`,
      failures,
    };
  },
};

async function dodge() {
  const folder = scratchFolder();
  const direct = scratchFolder();
  const failures: string[] = [];
  let number = 0;
  const next = (count: number) => Array.from({ length: count }, () => (number += 1));
  const expect = (what: string, accepted: number, wanted: number) => {
    if (accepted !== wanted) failures.push(`${what}: ${accepted} accepted instead of ${wanted}`);
  };
  const behind = { TRUST_PROXY: "1" };

  let served = await serve(folder.path, behind);
  const inParallel = (from: (at: number) => Record<string, string>, count = AT_ONCE) =>
    sum(next(count).map((one, at) => publish(served, [one], from(at))));
  expect("at once", await inParallel(() => via("198.51.100.1")), LIMIT);
  expect("in a batch", await publish(served, next(BATCH), via("198.51.100.2")), LIMIT);
  expect(
    "in batches at once",
    await sum(next(4).map(() => publish(served, next(BATCH / 4), via("198.51.100.3")))),
    LIMIT,
  );
  expect(
    "behind a forged header",
    await inParallel((at) => via(`203.0.113.${at}, 198.51.100.4`)),
    LIMIT,
  );
  expect(
    "from one IPv6 network",
    await inParallel((at) => via(`2001:db8:0:1:${at.toString(16)}::${at + 1}`)),
    LIMIT,
  );
  expect("from another IPv6 network", await inParallel(() => via("2001:db8:0:2::1"), 3), 3);
  expect(
    "as IPv4 written as IPv6",
    await inParallel((at) => via(at % 2 === 0 ? "198.51.100.5" : "::ffff:198.51.100.5")),
    LIMIT,
  );
  served.child.kill("SIGKILL");
  await served.child.exited;
  served = await serve(folder.path, behind);
  expect("after a kill", await inParallel(() => via("198.51.100.1"), LIMIT), 0);
  await served.stop();
  served = await serve(folder.path, behind);
  expect("after a restart", await inParallel(() => via("198.51.100.2"), LIMIT), 0);
  await served.stop();

  served = await serve(direct.path, {});
  expect(
    "under a header that nobody trusts",
    await inParallel((at) => ({
      ...via(`198.51.100.${at}`),
      Forwarded: `for=198.51.100.${at}`,
      "X-Real-IP": `198.51.100.${at}`,
      "CF-Connecting-IP": `198.51.100.${at}`,
    })),
    LIMIT,
  );
  await served.stop();
  folder.forget();
  direct.forget();
  return { failures, tried: number };
}

function via(addresses: string): Record<string, string> {
  return { "X-Forwarded-For": addresses };
}

/** Asks for so many publications in one request; gives how many were accepted. */
async function publish(
  served: Served,
  numbers: readonly number[],
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  const calls = numbers.map((number) => ({
    jsonrpc: "2.0",
    id: number,
    method: "tools/call",
    params: { name: "publish_alert", arguments: lostDog(number) },
  }));
  const answer = await served.fetch("/api/mcp", {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(calls.length === 1 ? calls[0] : calls),
  });
  const answers: any = await answer.json();
  return [answers].flat().filter(({ result }) => result !== undefined && result.isError !== true)
    .length;
}

async function sum(numbers: readonly Promise<number>[]): Promise<number> {
  return (await Promise.all(numbers)).reduce((total, one) => total + one, 0);
}
