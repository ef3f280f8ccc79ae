import { describe, expect, test } from "bun:test";
import { isPublicAddress } from "../../src/outbound/public-address.ts";

describe("an address is public", () => {
  test.each([
    ["1.1.1.1"],
    ["8.8.8.8"],
    ["9.255.255.255"],
    ["11.0.0.0"],
    ["100.63.255.255"],
    ["100.128.0.0"],
    ["126.255.255.255"],
    ["128.0.0.0"],
    ["169.253.255.255"],
    ["169.255.0.0"],
    ["172.15.255.255"],
    ["172.32.0.0"],
    ["192.0.1.0"],
    ["192.0.3.0"],
    ["192.167.255.255"],
    ["192.169.0.0"],
    ["198.17.255.255"],
    ["198.20.0.0"],
    ["223.255.255.255"],
    ["2001:200::"],
    ["2001:db7:ffff::1"],
    ["2001:db9::"],
    ["2003::"],
    ["2606:4700:4700::1111"],
    ["2a00:1450:4001:81b::200e"],
    ["3ffe:ffff::1"],
    ["3fff:1000::"],
  ])("%s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe("an address is not public, at either end of its range,", () => {
  test.each([
    ["this network", "0.0.0.0", "0.255.255.255"],
    ["private use", "10.0.0.0", "10.255.255.255"],
    ["carriers' own", "100.64.0.0", "100.127.255.255"],
    ["loopback", "127.0.0.0", "127.255.255.255"],
    ["link-local and metadata", "169.254.0.0", "169.254.255.255"],
    ["private use", "172.16.0.0", "172.31.255.255"],
    ["protocol assignments", "192.0.0.0", "192.0.0.255"],
    ["documentation", "192.0.2.0", "192.0.2.255"],
    ["6to4 relays", "192.88.99.0", "192.88.99.255"],
    ["private use", "192.168.0.0", "192.168.255.255"],
    ["benchmarking", "198.18.0.0", "198.19.255.255"],
    ["documentation", "198.51.100.0", "198.51.100.255"],
    ["documentation", "203.0.113.0", "203.0.113.255"],
    ["multicast", "224.0.0.0", "239.255.255.255"],
    ["reserved and broadcast", "240.0.0.0", "255.255.255.255"],
    ["unspecified and loopback", "::", "::1"],
    ["IPv4 in the oldest manner", "::7f00:1", "::808:808"],
    ["mapped IPv4", "::ffff:0.0.0.0", "::ffff:255.255.255.255"],
    ["mapped IPv4 that would be public", "::ffff:8.8.8.8", "0:0:0:0:0:ffff:808:808"],
    ["translated IPv4", "64:ff9b::", "64:ff9b::ffff:ffff"],
    ["locally translated IPv4", "64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"],
    ["discard only", "100::", "100::ffff:ffff:ffff:ffff"],
    ["protocol assignments", "2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["documentation", "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["6to4", "2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["documentation", "3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["never given out", "4000::", "5eff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["segment routing", "5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["unique local", "fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["link-local", "fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["link-local with its interface", "fe80::1%eth0", "fe80::1%1"],
    ["site-local", "fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["multicast", "ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["no address", "", "example.org"],
    ["an address in another notation", "0x7f000001", "2130706433"],
    ["an address in another notation", "127.1", "010.8.8.8.8"],
  ])("%s", (_why, first, last) => {
    expect([isPublicAddress(first), isPublicAddress(last)]).toEqual([false, false]);
  });
});
