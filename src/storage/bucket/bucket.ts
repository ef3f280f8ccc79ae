import { readBytes } from "../../core/byte-limit.ts";
import { Fault } from "../../core/fault.ts";
import { withTimeout } from "../../core/timeout.ts";
import type { BucketAddress, BucketSetting } from "../../settings/bucket-address.ts";

/**
 * Objects in an S3 bucket. Each call ends: it is tried three times, five seconds each by default. Throws `unavailable` when the server
 * does not answer or refuses it; the caller may then try again.
 */
export type Bucket = {
  /** Stores an object, which is durable when this resolves. */
  put(key: string, bytes: Uint8Array, mediaType: string): Promise<void>;
  /** Bytes of an object; null if there is none. */
  get(key: string): Promise<Uint8Array | null>;
  has(key: string): Promise<boolean>;
  /** Deletes an object. Idempotent. */
  drop(key: string): Promise<void>;
  /** Objects whose keys begin with a prefix and come after a key, in ascending order of their keys' bytes. */
  list(prefix: string, after: string | null, limit: number): Promise<readonly StoredObject[]>;
  /** Throws `unavailable` with a sentence for the operator if the bucket cannot be written, read, listed and cleared. */
  refuseUnusable(): Promise<void>;
};

export type StoredObject = {
  readonly key: string;
  /** Time at which it was stored, by the clock of the server. */
  readonly storedAt: number;
};

/** Most objects that S3 lists in one answer. */
export const LISTED_MAX = 1_000;
/** Far more than a photo. */
const OBJECT_BYTES_MAX = 16 * 1024 * 1024;
const TRIES = 3;
const CALL_MS_MAX = 5_000;
const PAUSE_MS = 200;

/** Keys of all objects under a prefix, without it. */
export async function* keysUnder(
  bucket: Pick<Bucket, "list">,
  prefix: string,
): AsyncGenerator<string, void> {
  for (let after: string | null = null; ;) {
    const page = await bucket.list(prefix, after, LISTED_MAX);
    for (const { key } of page) yield key.slice(prefix.length);
    after = page.at(-1)?.key ?? null;
    if (page.length < LISTED_MAX) return;
  }
}

export function openBucket(
  address: BucketAddress,
  options: {
    /** Called with a sentence for the operator whenever a call has failed for good. */
    readonly onFailure?: (sentence: string) => void;
    /** Setting that names the bucket, for these sentences. */
    readonly setting?: BucketSetting;
    /** Sentence of the error that is then thrown: by default one for the public, or the one for the operator. */
    readonly errorsFor?: "public" | "operator";
    /** Longest wait for an answer. */
    readonly callMs?: number;
    /** Pause before the second try; the one before the third is twice as long. */
    readonly pauseMs?: number;
  } = {},
): Bucket {
  const { onFailure = () => {}, callMs = CALL_MS_MAX, pauseMs = PAUSE_MS } = options;
  const { setting = "S3_URL", errorsFor = "public" } = options;
  const sentenceOf = (error: unknown) => sentenceFor(error, { setting, bucket: address.bucket });
  const client = new Bun.S3Client(address);

  /**
   * Request of one object. Of the client it has the signature only: the client's own requests have no time limit, cannot be
   * aborted, and do not tell the status of an answer.
   */
  async function request(
    method: "PUT" | "GET" | "HEAD" | "DELETE",
    key: string,
    body: { readonly bytes: Uint8Array; readonly mediaType: string } | null = null,
  ): Promise<Response> {
    const url = client.presign(key, { method, expiresIn: SIGNATURE_SECONDS });
    const response = await fetch(url, {
      method,
      // The region of the bucket is wrong.
      redirect: "manual",
      signal: AbortSignal.timeout(callMs),
      ...(body === null
        ? {}
        : {
            body: body.bytes as Uint8Array<ArrayBuffer>,
            headers: { "content-type": body.mediaType },
          }),
    });
    if (response.ok) return response;
    const answer = method === "HEAD" ? "" : await textOf(response);
    const code = /<Code>(\w{1,60})<\/Code>/.exec(answer)?.[1] ?? "";
    throw new Refused(response.status, code);
  }

  const raw: Omit<Bucket, "refuseUnusable"> = {
    async put(key, bytes, mediaType) {
      await textOf(await request("PUT", key, { bytes, mediaType }));
    },
    async get(key) {
      const response = await orNull(request("GET", key));
      return response === null ? null : bytesOf(response, OBJECT_BYTES_MAX);
    },
    has: async (key) => (await orNull(request("HEAD", key))) !== null,
    async drop(key) {
      const response = await orNull(request("DELETE", key));
      if (response !== null) await textOf(response);
    },
    async list(prefix, after, limit) {
      // S3 lists by pages of its own; some servers go wrong when they continue one.
      const listing = client.list({
        prefix,
        maxKeys: Math.min(limit, LISTED_MAX),
        ...(after === null ? {} : { startAfter: after }),
      });
      const { contents = [] } = await withTimeout(listing, callMs, () => {
        throw new Refused(0, "TimeoutError");
      });
      return contents.map(({ key, lastModified }) => ({
        key,
        storedAt: Date.parse(`${lastModified}`),
      }));
    },
  };

  async function retrying<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        return await work();
      } catch (error) {
        if (tries === TRIES || !isTransient(error)) throw error;
        await Bun.sleep(tries * pauseMs);
      }
    }
  }

  function guarded<Args extends readonly unknown[], Result>(
    work: (...args: Args) => Promise<Result>,
  ): (...args: Args) => Promise<Result> {
    return async (...args) => {
      try {
        return await retrying(() => work(...args));
      } catch (error) {
        if (!isExpected(error)) throw error;
        const sentence = sentenceOf(error);
        onFailure(sentence);
        throw errorsFor === "operator"
          ? new Fault("unavailable", sentence)
          : new Fault("unavailable", UNAVAILABLE, { retryAfterSeconds: 60 });
      }
    };
  }

  return {
    put: guarded(raw.put),
    get: guarded(raw.get),
    has: guarded(raw.has),
    drop: guarded(raw.drop),
    list: guarded(raw.list),
    async refuseUnusable() {
      try {
        await retrying(async () => {
          await raw.put(
            PROBE,
            new TextEncoder().encode("written to see if it can be"),
            "text/plain",
          );
          await raw.get(PROBE);
          await raw.list(PROBE, null, 1);
          await raw.drop(PROBE);
        });
      } catch (error) {
        if (!isExpected(error)) throw error;
        throw new Fault("unavailable", sentenceOf(error));
      }
    },
  };
}

/** Object that is stored and deleted to try a bucket. Nodes may do so at the same time. */
const PROBE = "check";
const SIGNATURE_SECONDS = 60;
const UNAVAILABLE = "A part of the service does not answer just now. Please try again in a minute.";

/** Answer that is of no use; `code` is that of S3, empty if it gave none. */
class Refused extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(`S3 answered ${status} ${code}`);
    this.status = status;
    this.code = code;
  }
}

/** Null for an object that does not exist. That its bucket does not exist is another error, which HEAD cannot tell apart. */
async function orNull(response: Promise<Response>): Promise<Response | null> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof Refused && error.status === 404 && error.code !== NO_BUCKET) return null;
    throw error;
  }
}

/** Bytes of an answer. Throws if there are more than that. */
async function bytesOf({ body, status }: Response, max: number): Promise<Uint8Array> {
  return body === null
    ? new Uint8Array()
    : readBytes(body, max, () => new Refused(status, "EntityTooLarge"));
}

/** Far more than an error. */
const ANSWER_BYTES_MAX = 64 * 1024;

async function textOf(response: Response): Promise<string> {
  return new TextDecoder().decode(await bytesOf(response, ANSWER_BYTES_MAX));
}

const NO_BUCKET = "NoSuchBucket";

type Where = { readonly setting: BucketSetting; readonly bucket: string };

/** Refusals that another try does not change, and the sentence for each, by the code or the status of the answer. */
const SENTENCES: readonly (readonly [code: RegExp, sentence: (where: Where) => string])[] = [
  [
    /^(NoSuchBucket|404)$/,
    ({ setting, bucket }) =>
      `${setting} names the bucket ${bucket}, which does not exist. Create it first.`,
  ],
  [
    /^(InvalidAccessKeyId|SignatureDoesNotMatch|401)$/,
    ({ setting }) => `The server of ${setting} refuses the key or the secret.`,
  ],
  [
    /^RequestTimeTooSkewed$/,
    ({ setting }) => `The server of ${setting} says that the clock of this machine is wrong.`,
  ],
  [
    /^(AuthorizationHeaderMalformed|AuthorizationQueryParametersError|PermanentRedirect|TemporaryRedirect|30.)$/,
    ({ setting, bucket }) =>
      `The server of ${setting} has the bucket ${bucket} in another region. ${setting} ends with ?region= and the region of the bucket.`,
  ],
  [
    /^(AccessDenied|AllAccessDisabled|403|405)$/,
    ({ setting, bucket }) =>
      `The key of ${setting} may not do everything in the bucket ${bucket}: it must be allowed to put, get, list and delete objects.`,
  ],
];

function sentenceFor(error: unknown, where: Where): string {
  const known = knownRefusal(error);
  if (known !== null) return known(where);
  const [code = ""] = codesOf(error).filter((one) => one !== "");
  return `The server of ${where.setting} does not answer as it should (${code}). Is it running, and is the address right?`;
}

/** True for an error of the network or an answer of the server, which is no bug. */
function isExpected(error: unknown): boolean {
  return codesOf(error).length > 0;
}

function isTransient(error: unknown): boolean {
  return isExpected(error) && knownRefusal(error) === null;
}

function knownRefusal(error: unknown): ((where: Where) => string) | null {
  for (const code of codesOf(error))
    for (const [pattern, sentence] of SENTENCES) if (pattern.test(code)) return sentence;
  return null;
}

/** Code of S3 and status of an answer, or the code of an error of the network. */
function codesOf(error: unknown): string[] {
  if (error instanceof Refused) return [error.code, `${error.status}`];
  if (!(error instanceof Error)) return [];
  // Its code is a number without meaning.
  if (error.name === "TimeoutError") return [error.name];
  return "code" in error ? [`${error.code}`] : [];
}
