#!/bin/sh
# Signs the checksums of a release with the key in RELEASE_KEY, which must belong to RELEASE_PUBLIC_KEY. Only this is given
# the private key: what builds the release runs programs of others.
#   sh deploy/sign.sh [FOLDER]

set -eu

folder=${1:-dist}
: "${RELEASE_KEY:?is the private key, as "bun deploy/signature.ts" printed it}"
: "${RELEASE_PUBLIC_KEY:?is the public key that belongs to it}"

umask 077
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
printf -- '-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n' "$RELEASE_KEY" >"$scratch/key.pem"
printf -- '-----BEGIN PUBLIC KEY-----\n%s\n-----END PUBLIC KEY-----\n' "$RELEASE_PUBLIC_KEY" >"$scratch/public.pem"

openssl pkeyutl -sign -rawin -inkey "$scratch/key.pem" -in "$folder/SHA256SUMS" -out "$scratch/signature"
openssl pkeyutl -verify -rawin -pubin -inkey "$scratch/public.pem" -in "$folder/SHA256SUMS" \
  -sigfile "$scratch/signature" >/dev/null 2>&1 || {
  echo 'RELEASE_KEY does not belong to RELEASE_PUBLIC_KEY. Nothing was signed.' >&2
  exit 1
}
cp "$scratch/signature" "$folder/SHA256SUMS.sig"
chmod 644 "$folder/SHA256SUMS.sig"
