import type { Fault } from "../../core/fault.ts";
import type { Caller } from "../../core/limits.ts";
import type { ResponseVariables } from "./response-headers.ts";
import type { FormEntry } from "../../core/photos/photo-files.ts";

/** Hono environment: values the server passes with a request, and variables the middleware sets. */
export type HttpEnv = {
  /** Address of the peer as the socket reports it; null after it has disconnected. */
  Bindings: { address: string | null };
  Variables: {
    /** Client, identified by its address (`clientIp`). */
    caller: Caller;
    /** Id of the request in the log and in X-Request-Id (`createRequestLog`). */
    requestId: string;
    /** Entries of a multipart form, or what is wrong with it (`createRequestBodies`). */
    form?: readonly FormEntry[] | Fault;
  } & ResponseVariables;
};
