import { describe, expect, test } from "bun:test";
import { callerBucket } from "../../src/core/limits.ts";
import { addressBytes, inNetworks, readNetwork } from "../../src/core/ip-address.ts";

describe("addresses", () => {
  test.each([
    ["192.0.2.1", [192, 0, 2, 1]],
    ["::ffff:192.0.2.1", [192, 0, 2, 1]],
    ["::1", [...Array<number>(15).fill(0), 1]],
    ["2001:db8::8:800:200c:417a", [32, 1, 13, 184, 0, 0, 0, 0, 0, 8, 8, 0, 32, 12, 65, 122]],
    ["fe80::1%eth0", [254, 128, ...Array<number>(13).fill(0), 1]],
  ])("%s is read", (text, bytes) => {
    expect([...(addressBytes(text) ?? [])]).toEqual(bytes);
  });

  test.each([
    "",
    "256.1.1.1",
    "1.2.3",
    "1.2.3.4.5",
    ":::",
    "1::2::3",
    "12345::",
    "g::1",
    "1:2:3:4:5:6:7:8:9",
    "::1.2.3",
    "1".repeat(100),
  ])("%p is none", (text) => {
    expect(addressBytes(text)).toBeNull();
  });

  test("a caller is all of an IPv4 address and the first half of an IPv6 address", () => {
    expect(callerBucket("2001:db8:0:1::1")).toBe(callerBucket("2001:db8:0:1:ffff:ffff:ffff:ffff"));
    expect(callerBucket("2001:db8:0:1::1")).not.toBe(callerBucket("2001:db8:0:2::1"));
    expect(callerBucket("192.0.2.1")).not.toBe(callerBucket("192.0.2.2"));
    expect(callerBucket(null)).toBe(callerBucket("nonsense"));
  });

  test("a network holds its addresses and no neighbour's", () => {
    const network = readNetwork("160.79.104.0/21");
    const holds = (address: string) => inNetworks(network === null ? [] : [network], address);

    expect(["160.79.104.0", "160.79.111.255", "::ffff:160.79.105.1"].map(holds)).toEqual([
      true,
      true,
      true,
    ]);
    expect(["160.79.103.255", "160.79.112.0", "::1", "nonsense"].map(holds)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(
      inNetworks(
        [readNetwork("2001:db8::/33") ?? { bytes: new Uint8Array(), prefix: 0 }],
        "2001:db8:7fff::1",
      ),
    ).toBe(true);
  });
});
