import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type FauxqsServer, startFauxqs } from "fauxqs";
import type { BucketAddress } from "../../src/settings/bucket-address.ts";

/**
 * Trouble of a server. `hung`: it takes requests and never answers. `failing`: it answers 500. `cut`: it ends the connection
 * in the middle of the answer. `read-only`: it refuses every change.
 */
export type BucketTrouble = "hung" | "failing" | "cut" | "read-only";

const KEY = { accessKeyId: "tests", secretAccessKey: "secret/of+tests" };
const REGION = "eu-test-1";

export type TestBucket = Awaited<ReturnType<typeof createBucket>>;

let server: Promise<FauxqsServer> | undefined;
let buckets = 0;

/**
 * Empty bucket on an S3 server that the tests of one run share, behind a relay that checks signatures, which the server does
 * not, and makes trouble.
 */
export async function createBucket() {
  const { port, createBucket: create } = await (server ??= startFauxqs({
    port: 0,
    host: "127.0.0.1",
    logger: false,
  }));
  const bucket = `bucket-${(buckets += 1)}`;
  create(bucket);
  const trouble: { kind: BucketTrouble | null; left: number } = { kind: null, left: 0 };
  const requests: string[] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "" } = request;
    requests.push(`${method} ${url.split("?")[0]}`);
    if (trouble.kind !== null && trouble.left > 0) {
      trouble.left -= 1;
      if (trouble.kind === "hung") return;
      if (trouble.kind === "failing") return refuse(response, 500, "InternalError");
      if (trouble.kind === "cut") {
        if (method !== "HEAD") response.writeHead(200, { "content-length": 1_000 }).write("begun");
        setImmediate(() => request.socket.destroy());
        return;
      }
      if (method === "PUT" || method === "DELETE") return refuse(response, 403, "AccessDenied");
    }
    const code = refusedSignature(request);
    if (code !== null) return refuse(response, 403, code);
    const content =
      method === "PUT"
        ? {
            body: Buffer.concat(await Array.fromAsync(request)),
            headers: { "content-type": request.headers["content-type"] ?? "" },
          }
        : {};
    const answered = await fetch(`http://127.0.0.1:${port}${url}`, { method, ...content });
    response.writeHead(answered.status, { "content-type": "application/xml" });
    response.end(await answered.bytes());
  }

  const relay = createServer((request, response) => void answer(request, response));
  const listening = Promise.withResolvers<void>();
  relay.listen(0, "127.0.0.1", listening.resolve);
  await listening.promise;
  const relayAddress = relay.address();
  if (relayAddress === null || typeof relayAddress === "string") throw new Error("no port");
  const host = `127.0.0.1:${relayAddress.port}`;

  const address: BucketAddress = {
    endpoint: `http://${host}`,
    bucket,
    region: REGION,
    ...KEY,
  };
  return {
    address,
    /** The same as a setting. */
    url: `s3://${KEY.accessKeyId}:${encodeURIComponent(KEY.secretAccessKey)}@${host}/${bucket}?region=${REGION}`,
    /** Methods and paths of all requests. */
    requests,
    /** Makes trouble for so many requests. */
    trouble(kind: BucketTrouble, requests = Number.POSITIVE_INFINITY): void {
      trouble.kind = kind;
      trouble.left = requests;
    },
    recover(): void {
      trouble.kind = null;
    },
    stop(): void {
      relay.closeAllConnections();
      relay.close();
    },
  };
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { "content-type": "application/xml" });
  response.end(
    `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`,
  );
}

/**
 * Code of S3 for a request whose signature does not fit; null for a good one
 * (<https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html>).
 */
function refusedSignature(request: IncomingMessage): string | null {
  const url = new URL(request.url ?? "", "http://relay");
  const header = (name: string) => `${request.headers[name] ?? ""}`;
  const query = new Map(
    url.search
      .slice(1)
      .split("&")
      .filter((pair) => pair !== "")
      .map((pair) => [pair.split("=")[0] ?? "", pair.split("=")[1] ?? ""]),
  );
  const signed = query.get("X-Amz-Signature");
  const authorization = /Credential=(\S+), ?SignedHeaders=(\S+), ?Signature=(\w+)/.exec(
    header("authorization"),
  );
  query.delete("X-Amz-Signature");
  const credential =
    signed === undefined ? authorization?.[1] : decode(query.get("X-Amz-Credential"));
  const headers =
    signed === undefined ? authorization?.[2] : decode(query.get("X-Amz-SignedHeaders"));
  const signature = signed ?? authorization?.[3];
  if (credential === undefined || headers === undefined) return "AccessDenied";
  const [id, day = "", region = "", ...service] = credential.split("/");
  if (id !== KEY.accessKeyId) return "InvalidAccessKeyId";
  if (region !== REGION) return "AuthorizationHeaderMalformed";
  const canonical = [
    request.method,
    url.pathname,
    [...query]
      .map(([name, value]) => `${name}=${value}`)
      .sort()
      .join("&"),
    ...headers.split(";").map((name) => `${name}:${header(name)}`),
    "",
    headers,
    header("x-amz-content-sha256") || "UNSIGNED-PAYLOAD",
  ].join("\n");
  const text = [
    "AWS4-HMAC-SHA256",
    header("x-amz-date") || query.get("X-Amz-Date"),
    [day, region, ...service].join("/"),
    createHash("sha256").update(canonical).digest("hex"),
  ].join("\n");
  const key = [day, region, ...service].reduce<string | Buffer>(
    (last, part) => createHmac("sha256", last).update(part).digest(),
    `AWS4${KEY.secretAccessKey}`,
  );
  const expected = createHmac("sha256", key).update(text).digest("hex");
  return signature === expected ? null : "SignatureDoesNotMatch";
}

function decode(text: string | undefined): string | undefined {
  return text === undefined ? undefined : decodeURIComponent(text);
}
