import { isLoopback } from "../core/ip-address.ts";
import { invalid, parseSecretUrl, PERCENT_ENCODED } from "./setting-list.ts";

/** Bucket on an S3 server, and the key to it. */
export type BucketAddress = {
  /** `https://host` or `http://host`, with a port if it is not the usual one. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
};

/** Settings that name a bucket. */
export type BucketSetting = "S3_URL" | "BACKUP_COPY_URL";

/** Reads the setting of a bucket. Throws `bad_input` without repeating the value, because it holds a secret. */
export function readBucketAddress(text: string, setting: BucketSetting = "S3_URL"): BucketAddress {
  const url = parseSecretUrl(text);
  const bucket = url?.pathname.slice(1) ?? "";
  const region = url?.searchParams.get("region") ?? REGION;
  const isAddress =
    url !== null &&
    url.protocol === "s3:" &&
    url.hostname !== "" &&
    url.username !== "" &&
    url.password !== "" &&
    url.hash === "" &&
    [...url.searchParams.keys()].every((name) => name === "region") &&
    BUCKET_NAME.test(bucket) &&
    REGION_NAME.test(region);
  if (!isAddress)
    throw invalid(
      setting,
      `must look like s3://KEY:SECRET@s3.example.org/bucket?region=eu-west-1, ${PERCENT_ENCODED}`,
    );
  // Traffic that does not leave this machine needs no encryption.
  const scheme = isLoopback(url.hostname) ? "http" : "https";
  return {
    endpoint: `${scheme}://${url.host}`,
    bucket,
    region,
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
  };
}

/** Region of servers that have none of their own. */
const REGION = "us-east-1";
const BUCKET_NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const REGION_NAME = /^[a-z0-9-]{1,60}$/;
