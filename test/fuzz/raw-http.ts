import { connect } from "node:net";
import type { FuzzResponse, FuzzRequest } from "./request.ts";
import { decompressed } from "../support/unpacked.ts";

/** An answer that takes longer never comes. */
const ANSWER_MS_MAX = 60_000;

/**
 * Sends a request over a connection of its own, byte for byte as it stands: no client mends its path or its headers.
 * Rejects when no whole answer comes in time.
 */
export async function sendRaw(baseUrl: string, request: FuzzRequest): Promise<FuzzResponse> {
  const { hostname, port, host } = new URL(baseUrl);
  const bytes = await exchange(hostname, Number(port), requestBytes(request, host));
  return { ...readAnswer(bytes, request.method), processorMs: null };
}

function requestBytes({ method, target, headers, body, from }: FuzzRequest, host: string): Buffer {
  const has = (name: string) => headers.some(([one]) => one.toLowerCase() === name);
  const lines = [
    `${method} ${target.split("#")[0]?.replace(/[\s\0]/g, "%20")} HTTP/1.1`,
    ...(has("host") ? [] : [`Host: ${host}`]),
    ...(from === null || has("x-forwarded-for") ? [] : [`X-Forwarded-For: ${from}`]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === null ? [] : [`Content-Length: ${body.length}`]),
    "Connection: close",
  ];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body ?? ""}`, "latin1");
}

function exchange(hostname: string, port: number, request: Buffer): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  const socket = connect({ host: hostname, port }, () => socket.write(request));
  const late = setTimeout(() => {
    socket.destroy();
    reject(new Error(`no whole answer within ${ANSWER_MS_MAX} ms`));
  }, ANSWER_MS_MAX);
  socket.on("data", (chunk: Buffer) => void chunks.push(chunk));
  // A server that refuses a body may close before it has read it.
  socket.on("error", (error) => (chunks.length === 0 ? reject(error) : undefined));
  socket.on("close", () => {
    clearTimeout(late);
    resolve(Buffer.concat(chunks));
  });
  return promise;
}

function readAnswer(bytes: Buffer, method: string): Omit<FuzzResponse, "processorMs"> {
  const end = bytes.indexOf("\r\n\r\n");
  const [first = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1]);
  if (end < 0 || !status)
    throw new Error(`this is no answer: ${bytes.subarray(0, 200).toString("latin1")}`);
  const headers = new Headers();
  for (const line of lines)
    headers.append(line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim());
  const sent = bytes.subarray(end + 4);
  const whole = headers.get("Transfer-Encoding") === "chunked" ? joined(sent) : sent;
  const promised = headers.get("Content-Length");
  if (method !== "HEAD" && promised !== null && Number(promised) !== whole.length)
    throw new Error(`${promised} bytes were promised and ${whole.length} came`);
  const body = decompressed(whole, headers.get("Content-Encoding"));
  const isImage = headers.get("Content-Type")?.startsWith("image/") ?? false;
  return { status, headers, body: body.toString(isImage ? "latin1" : "utf8") };
}

function joined(chunked: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < chunked.length;) {
    const line = chunked.indexOf("\r\n", at);
    const size = Number.parseInt(chunked.subarray(at, line).toString("latin1"), 16);
    if (!(size > 0)) break;
    parts.push(chunked.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
  return Buffer.concat(parts);
}
