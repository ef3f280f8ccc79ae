import { BlockList, isIP, isIPv4 } from "node:net";

/**
 * True for IP addresses of the public internet: not loopback, private networks, documentation ranges or tunnels to any of
 * these. An IPv4 address written as IPv6 is never public. False for text that is not an address.
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !SPECIAL.check(address);
    case 6:
      return GLOBAL_IPV6.check(address, "ipv6") && !SPECIAL.check(address, "ipv6");
    default:
      return false;
  }
}

/**
 * Addresses that the IANA registries of special-purpose addresses do not call globally reachable, multicast, and the
 * retired 6to4: https://www.iana.org/assignments/iana-ipv4-special-registry and …/iana-ipv6-special-registry.
 */
const SPECIAL = blockList(
  "0.0.0.0/8", // this network
  "10.0.0.0/8", // private use
  "100.64.0.0/10", // shared by carriers, and clouds' inner services
  "127.0.0.0/8", // loopback
  "169.254.0.0/16", // link-local, and clouds' metadata
  "172.16.0.0/12", // private use
  "192.0.0.0/24", // protocol assignments
  "192.0.2.0/24", // documentation
  "192.88.99.0/24", // 6to4 relays
  "192.168.0.0/16", // private use
  "198.18.0.0/15", // benchmarking
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, and broadcast
  "2001::/23", // protocol assignments, Teredo among them
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4: leads to any IPv4 address
  "3fff::/20", // documentation
);

/**
 * IPv6 space allocated to the public internet (https://www.iana.org/assignments/ipv6-address-space).
 * This excludes, among others, ::1, ::ffff:0:0/96, 64:ff9b::/96 and 64:ff9b:1::/48 (which lead to IPv4), 100::/64,
 * 5f00::/16, fc00::/7, fe80::/10 and ff00::/8.
 */
const GLOBAL_IPV6 = blockList("2000::/3");

function blockList(...networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", prefix] = network.split("/");
    list.addSubnet(address, Number(prefix), isIPv4(address) ? "ipv4" : "ipv6");
  }
  return list;
}
