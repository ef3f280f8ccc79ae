import { isAbsolute } from "node:path";
import { type BucketAddress, readBucketAddress } from "./bucket-address.ts";
import { invalid } from "./setting-list.ts";

/** Place for copies of backups: a bucket, or a folder that is on another disk or machine. */
export type CopyTarget =
  | { readonly kind: "bucket"; readonly address: BucketAddress }
  | { readonly kind: "folder"; readonly path: string };

/** Settings of the copies of daily backups in another place. */
export type BackupCopySettings = {
  readonly target: CopyTarget;
  /** Null on a machine that only restores a copy. */
  readonly publicKey: string | null;
  readonly keepDays: number;
};

/** Alphabet of Bech32; the checksum is checked when the service starts. */
const AGE_PUBLIC_KEY = /^age1[a-z0-9]{20,4000}$/;

/** Reads the settings `BACKUP_COPY_…`. Throws `bad_input` with a sentence, in which no secret is repeated. */
export function readBackupCopy(
  url: string | null,
  publicKey: string | null,
  keepDays: number,
  { isShared, backupKeep }: { readonly isShared: boolean; readonly backupKeep: number },
): BackupCopySettings | null {
  if (publicKey !== null && /age-secret-key-/i.test(publicKey))
    throw invalid(
      "BACKUP_COPY_KEY",
      "is the private key, which this machine does not need: keep it elsewhere, and set the public key, which begins with age1",
    );
  if (publicKey !== null && !AGE_PUBLIC_KEY.test(publicKey))
    // The value is not repeated because it may be a secret of another setting.
    throw invalid("BACKUP_COPY_KEY", "must be a public key such as age1…");
  if (url === null) {
    if (publicKey !== null) throw invalid("BACKUP_COPY_KEY", "requires BACKUP_COPY_URL");
    return null;
  }
  if (isShared)
    throw invalid(
      "BACKUP_COPY_URL",
      "cannot be used with DATABASE_URL: the tools of the database copy its backups",
    );
  if (backupKeep === 0)
    throw invalid("BACKUP_COPY_URL", "copies the daily backups, which BACKUP_KEEP turns off");
  return { target: readTarget(url), publicKey, keepDays };
}

function readTarget(url: string): CopyTarget {
  if (url.startsWith("s3:"))
    return { kind: "bucket", address: readBucketAddress(url, "BACKUP_COPY_URL") };
  if (isAbsolute(url)) return { kind: "folder", path: url };
  throw invalid(
    "BACKUP_COPY_URL",
    "must be s3://KEY:SECRET@s3.example.org/bucket?region=eu-west-1 or the whole path of a folder, such as /mnt/backup/pets",
  );
}

/** Settings of a service that makes copies. Throws `bad_input` if there is no key to encrypt them with. */
export function requireCopyKey({ publicKey, ...settings }: BackupCopySettings) {
  if (publicKey === null)
    throw invalid(
      "BACKUP_COPY_URL",
      "requires BACKUP_COPY_KEY: pet-alert backup key FILE makes a key and says what to set",
    );
  return { ...settings, publicKey };
}
