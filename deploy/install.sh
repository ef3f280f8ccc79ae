#!/bin/sh
# Installs Pet Alert: downloads the file for this system, checks it, and puts it into a folder of the PATH.
#   sh install.sh [--to FOLDER]
# Without --to: /usr/local/bin as root, otherwise ~/.local/bin. Nothing else is changed; delete the file to remove it.
# PET_ALERT_RELEASES names another address of the releases.

set -eu

RELEASES='@RELEASES_URL@'
PUBLIC_KEY='@RELEASE_PUBLIC_KEY@'

# All of it is read before anything runs, so a download that is cut half way does nothing.
main() {
  folder=$(folder_of "$@")
  releases=${PET_ALERT_RELEASES:-$RELEASES}
  case $releases in
    https://* | http://127.0.0.1:* | http://localhost:*) ;;
    *) fail "The address of the releases must begin with https://, not \"$releases\"." ;;
  esac
  name=$(file_of_system)

  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  trap 'exit 1' HUP INT TERM
  for file in SHA256SUMS SHA256SUMS.sig; do
    download "$releases/$file" "$scratch/$file"
  done
  check_signature "$scratch"
  echo "Downloading $name."
  download "$releases/$name" "$scratch/$name"
  check_sum "$scratch" "$name"

  mkdir -p "$folder" || fail "The folder $folder cannot be created. Choose another one with --to."
  # In two steps, so that a full disk leaves no half file under the name.
  if ! cp "$scratch/$name" "$folder/.pet-alert.new"; then
    rm -f "$folder/.pet-alert.new"
    fail "The file cannot be written to $folder: is the disk full, or the folder another user's? --to chooses another folder."
  fi
  chmod 755 "$folder/.pet-alert.new"
  mv "$folder/.pet-alert.new" "$folder/pet-alert"
  version=$("$folder/pet-alert" --version) ||
    fail "$folder/pet-alert does not run on this machine."

  echo "Pet Alert $version is installed: $folder/pet-alert"
  case ":$PATH:" in
    *":$folder:"*) echo "To start it: pet-alert" ;;
    *) echo "To start it: $folder/pet-alert ($folder is not in your PATH)" ;;
  esac
}

fail() {
  echo "$1" >&2
  exit 1
}

folder_of() {
  case "${1:-}" in
    --to)
      [ $# -eq 2 ] || fail 'Usage: sh install.sh [--to FOLDER]'
      echo "$2"
      ;;
    '')
      if [ "$(id -u)" -eq 0 ]; then echo /usr/local/bin; else echo "$HOME/.local/bin"; fi
      ;;
    *) fail 'Usage: sh install.sh [--to FOLDER]' ;;
  esac
}

file_of_system() {
  case $(uname -m) in
    x86_64 | amd64) processor=x64 ;;
    aarch64 | arm64) processor=arm64 ;;
    *) fail "There is no file for this processor ($(uname -m)): Pet Alert runs on 64-bit x86 and ARM." ;;
  esac
  case $(uname -s) in
    Linux) system=linux ;;
    Darwin) system=darwin ;;
    *) fail "There is no file for this system ($(uname -s)) that this script can install." ;;
  esac
  # Alpine and other systems without the GNU C library.
  libc=
  if [ $system = linux ] && ls /lib/ld-musl-* >/dev/null 2>&1 && ! ls /lib*/*/libc.so.6 /lib*/libc.so.6 >/dev/null 2>&1; then
    libc=-musl
  fi
  echo "pet-alert-$system-$processor$libc"
}

download() {
  if command -v curl >/dev/null; then
    curl --fail --silent --show-error --location --retry 2 --output "$2" "$1" ||
      fail "$1 cannot be downloaded."
  elif command -v wget >/dev/null; then
    wget -q -O "$2" "$1" || fail "$1 cannot be downloaded."
  else
    fail 'Neither curl nor wget is installed. Install one of them first.'
  fi
}

# LibreSSL, which macOS has, and OpenSSL before 3 cannot check a signature. Homebrew keeps its OpenSSL off the PATH.
find_openssl() {
  for openssl in openssl /opt/homebrew/opt/openssl@3/bin/openssl /usr/local/opt/openssl@3/bin/openssl; do
    case $("$openssl" version 2>/dev/null || true) in
      'OpenSSL '[3-9]*) return 0 ;;
    esac
  done
  fail 'The signature cannot be checked without OpenSSL 3. Nothing was installed. Install it first (on macOS: brew install openssl@3).'
}

check_signature() {
  find_openssl
  printf -- '-----BEGIN PUBLIC KEY-----\n%s\n-----END PUBLIC KEY-----\n' "$PUBLIC_KEY" >"$1/key.pem"
  "$openssl" pkeyutl -verify -pubin -inkey "$1/key.pem" -rawin -in "$1/SHA256SUMS" \
    -sigfile "$1/SHA256SUMS.sig" >/dev/null 2>&1 ||
    fail "SHA256SUMS does not carry the signature of Pet Alert's makers. Nothing was installed: tell them."
}

check_sum() {
  expected=$(sed -n "s/^\\([0-9a-f]\\{64\\}\\)  $2\$/\\1/p" "$1/SHA256SUMS")
  [ -n "$expected" ] || fail "This release has no file for this system ($2)."
  if command -v sha256sum >/dev/null; then
    actual=$(sha256sum "$1/$2" | cut -d ' ' -f 1)
  else
    actual=$(shasum -a 256 "$1/$2" | cut -d ' ' -f 1)
  fi
  [ "$actual" = "$expected" ] ||
    fail "$2 was cut off on its way, or a new release appeared just now. Nothing was installed: try again."
}

main "$@"
