import type { Context } from "hono";
import { LRUCache } from "lru-cache";
import { type Caller, type Limit, type Rate, tooMany } from "../../core/limits.ts";
import { type Cap, FACTORS, formatRate } from "../../core/caps.ts";
import type { HttpEnv } from "./env.ts";
import type { RateLimitHeaders } from "./response-headers.ts";
import {
  callerBucket,
  callerHousehold,
  callerNetwork,
  forwardedAddress,
  inNetworks,
  type Network,
} from "../../core/ip-address.ts";
import type { Clock } from "../../core/instance.ts";

/**
 * Sets `caller` to the address of the client. Behind `trustProxy` reverse proxies it is the entry that many steps from
 * the right of X-Forwarded-For; entries further left are written by the client and prove nothing. Without such an entry
 * it is the address of the peer, and `onUnreadAddress` is called.
 */
export function clientIp({
  trustProxy,
  onUnreadAddress,
}: {
  readonly trustProxy: number;
  readonly onUnreadAddress: () => void;
}): (c: Context<HttpEnv>) => void {
  return (c) => {
    if (trustProxy === 0) return c.set("caller", { address: c.env.address });
    const entry = c.req.header("X-Forwarded-For")?.split(",").at(-trustProxy) ?? "";
    const address = forwardedAddress(entry);
    if (address === null) onUnreadAddress();
    c.set("caller", { address: address ?? c.env.address });
  };
}

/** Paths of the files that pages load: style sheets, scripts, icons, the logo and photos. */
const FILES =
  /^\/(?:(?:style|embed|theme)\.css|scripts\/[\w-]+\.(?:css|js)|worker\.js|logo|favicon\.ico|icon[\w-]*\.(?:svg|png)|(?:manifest|page)\.webmanifest|(?:[\w%.~-]+\/){0,3}photos\/[\w-]+\.webp)$/;

/** True if a path is that of a file, which costs far less than a page. */
export function isFile(path: string): boolean {
  return FILES.test(path);
}

/** Limit on reads per client. */
export type ReadLimit = {
  readonly limitRead: Rate;
  /** Networks of hosted assistants, which stand for many people. */
  readonly sharedNetworks: readonly Network[];
  readonly clock: Clock;
  readonly onRateLimited: (limit: Limit) => void;
};

/** Windows kept at once. Dropping one can only let a client through too early. */
const WINDOWS_MAX = 50_000;
/** Addresses whose quotas are cached: parsing an address takes longer than counting its request. */
const QUOTAS_MAX = 1_000;

type Window = { readonly startedAt: number; count: number };

/** Reads of one client in memory. */
export type ReadCounter = {
  /** Counts reads; none only checks. Throws `too_many` beyond the limit, with the seconds until the window ends. */
  readonly count: (caller: Caller, reads: number) => void;
  /** Counts a refused write or a missing file, which is answered in any case. */
  readonly noteRefused: (caller: Caller) => void;
  /** Values of the headers that tell a client what is left of its own limit, not of its neighbours'; null without one. */
  readonly headers: (caller: Caller) => RateLimitHeaders | null;
};

const POLICY = '"reads"';

/** Limits reads per client. */
export function limitReads(limit: ReadLimit): ReadCounter {
  return limitRequests(limit, limit.limitRead, FACTORS.readsPerRefusedWrite);
}

/** Limits requests for files, apart from reads: whoever is beyond that limit still sees a page with its style. */
export function limitFiles(limit: ReadLimit): ReadCounter {
  const { limitRead } = limit;
  const max = (limitRead?.max ?? 0) * FACTORS.filesPerRead;
  return limitRequests(limit, limitRead && { ...limitRead, max }, FACTORS.filesPerRead);
}

/** `perRefused`: requests that a refused one counts as. */
function limitRequests(limit: ReadLimit, rate: Rate, perRefused: number): ReadCounter {
  const { clock } = limit;
  if (rate === null) return { count() {}, noteRefused() {}, headers: () => null };
  const { quotaAfter, ownQuota } = clientWindows(rate, limit);
  const windowSeconds = rate.windowMs / 1000;
  const secondsUntil = (endsAt: number, now: number) =>
    Math.max(1, Math.ceil((endsAt - now) / 1000));
  return {
    count(caller, reads) {
      const { left, endsAt } = quotaAfter(caller, reads);
      if (left >= 0) return;
      const now = clock();
      const seconds = secondsUntil(endsAt, now);
      const reason = { reason: "too_often_just_now", seconds, rate: formatRate(rate) } as const;
      throw tooMany(limit, "read", endsAt, now, reason);
    },
    // Its request was counted as one already.
    noteRefused: (caller) => void quotaAfter(caller, perRefused - 1),
    headers(caller) {
      const { left, max, endsAt } = ownQuota(caller);
      return {
        "RateLimit-Policy": `${POLICY};q=${max};w=${windowSeconds}`,
        RateLimit: `${POLICY};r=${Math.max(0, left)};t=${secondsUntil(endsAt, clock())}`,
      };
    },
  };
}

type Quota = { readonly key: string; readonly max: number };
/** Rest of a limit, negative beyond it, and the end of its window. */
type QuotaLeft = { readonly left: number; readonly max: number; readonly endsAt: number };
type ClientWindows = {
  /** Counts requests; gives the tightest limit of the client. */
  readonly quotaAfter: (caller: Caller, requests: number) => QuotaLeft;
  /** Gives the limit of the client alone. */
  readonly ownQuota: (caller: Caller) => QuotaLeft;
};

/**
 * Counter per client in fixed windows, in memory. IPv6 clients share a /64, and the /56 and /48 around it have bounds of
 * their own, in which what a narrower one refuses does not count. An address in a network of hosted assistants gets
 * `assistantClients` times the limit.
 */
export function clientWindows(
  { max, windowMs }: Cap,
  { sharedNetworks, clock }: Pick<ReadLimit, "sharedNetworks" | "clock">,
): ClientWindows {
  const windows = new LRUCache<string, Window>({ max: WINDOWS_MAX });
  const quotas = new LRUCache<string, readonly Quota[]>({ max: QUOTAS_MAX });

  function quotasOf(address: string | null): readonly Quota[] {
    const cached = quotas.get(address ?? "");
    if (cached !== undefined) return cached;
    const [client, household] = [callerBucket(address), callerHousehold(address)];
    const times = (factor: number, key: string): Quota => ({ key, max: max * factor });
    const around = [
      times(FACTORS.readsPer56, household),
      times(FACTORS.readsPer48, callerNetwork(address)),
    ];
    const fresh = inNetworks(sharedNetworks, address)
      ? [times(FACTORS.assistantClients, client)]
      : [times(1, client), ...(household === client ? [] : around)];
    quotas.set(address ?? "", fresh);
    return fresh;
  }

  /** Current window of a key, or a new one. A window that starts in the future (clock set back) is replaced. */
  function windowOf(key: string, now: number): Window {
    const current = windows.get(key);
    if (current !== undefined && now >= current.startedAt && now - current.startedAt < windowMs)
      return current;
    const window = { startedAt: now, count: 0 };
    windows.set(key, window);
    return window;
  }

  function count(quota: Quota, requests: number): QuotaLeft {
    const window = windowOf(quota.key, clock());
    window.count += requests;
    return {
      left: quota.max - window.count,
      max: quota.max,
      endsAt: window.startedAt + windowMs,
    };
  }

  return {
    quotaAfter({ address }, requests) {
      let tightest: QuotaLeft | undefined;
      for (const quota of quotasOf(address)) {
        const after = count(quota, requests);
        if (tightest === undefined || after.left < tightest.left) tightest = after;
        if (after.left < 0) break;
      }
      return tightest!;
    },
    ownQuota: ({ address }) => count(quotasOf(address)[0]!, 0),
  };
}
