import { BlockList, isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Prefix of an IPv4 address on an IPv6 socket (RFC 4291 section 2.5.5.2). */
const MAPPED = '::ffff:';

/** Address of a socket, without the IPv4-mapped prefix. */
export function plainAddress(address: string): string {
  if (!address.startsWith(MAPPED)) return address;
  const plain = address.slice(MAPPED.length);
  return isIP(plain) === 4 ? plain : address;
}

/** Reports whether an address belongs to the loopback interface. */
export function isLoopback(address: string): boolean {
  const plain = plainAddress(address);
  return plain === '::1' || (plain.startsWith('127.') && isIP(plain) === 4);
}

/** Address with port: IPv6 in brackets (RFC 3986 section 3.2.2). */
export function peerOf(address: string, port: number): string {
  const plain = plainAddress(address);
  return plain.includes(':') ? `[${plain}]:${port}` : `${plain}:${port}`;
}

/** Address of a peer without its port. IPv6 without brackets has no port. */
export function addressOfPeer(peer: string): string {
  const [, inBrackets, host] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/.exec(peer) ?? [];
  return plainAddress(inBrackets ?? host ?? peer);
}

/**
 * Group of addresses that count as one for limits: an IPv4 address, or a /64 network of IPv6, in which one machine may
 * use any address.
 */
export function addressGroup(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = (address.split('%')[0] ?? '').toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  // An IPv4 address at the end replaces two groups.
  const missing = tail === undefined ? 0 : 8 - before.length - after.length - (after.at(-1)?.includes('.') ? 1 : 0);
  const groups = [...before, ...Array.from({ length: Math.max(0, missing) }, () => '0'), ...after];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}

/**
 * Network interface in the form that sockets need for groups: an address for IPv4, `::%name` for IPv6.
 * @param name name of an interface; any other text, such as an address, stays
 */
export function interfaceAddress(name: string, isIpv6: boolean): string | undefined {
  const addresses = networkInterfaces()[name];
  if (!addresses) return name;
  return isIpv6 ? `::%${name}` : addresses.find(({ family }) => family === 'IPv4')?.address;
}

/** Kind of a network: public, private, the same link (including metadata services), or the machine itself. */
export type NetworkKind = 'public' | 'private' | 'link-local' | 'loopback';

/** Networks by kind (IANA special-purpose address registries, RFC 6890). */
const NETWORKS: readonly (readonly [Exclude<NetworkKind, 'public'>, readonly string[]])[] = [
  ['loopback', ['0.0.0.0/8', '127.0.0.0/8', '::/127']],
  ['link-local', ['169.254.0.0/16', 'fe80::/10']],
  [
    'private',
    [
      '10.0.0.0/8',
      '100.64.0.0/10',
      '172.16.0.0/12',
      '192.0.0.0/24',
      '192.168.0.0/16',
      '198.18.0.0/15',
      // Multicast and reserved addresses are never public servers.
      '224.0.0.0/4',
      '240.0.0.0/4',
      '100::/64',
      'fc00::/7',
      'fec0::/10',
      'ff00::/8',
      // IPv6 prefixes that contain IPv4 addresses: local-use translation (RFC 8215), 6to4, and Teredo (RFC 4380).
      '64:ff9b:1::/48',
      '2002::/16',
      '2001::/32',
    ],
  ],
];

const LISTS = NETWORKS.map(([kind, networks]) => {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits = ''] = network.split('/');
    if (isIP(address) === 6) list.addSubnet(address, Number(bits), 'ipv6');
    else {
      list.addSubnet(address, Number(bits), 'ipv4');
      // The same networks as written by translators (RFC 6052 section 2.1, RFC 2765 section 2.1), and as
      // IPv4-compatible addresses (RFC 4291 section 2.5.5.1).
      for (const prefix of ['64:ff9b::', '::ffff:0:', '::'])
        list.addSubnet(`${prefix}${address}`, 96 + Number(bits), 'ipv6');
    }
  }
  return { kind, list };
});

/**
 * Network kind of an address.
 * @param address IPv4 or IPv6 without brackets; IPv4 inside IPv6 counts as IPv4
 */
export function networkKind(address: string): NetworkKind {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  return LISTS.find(({ list }) => list.check(address, family))?.kind ?? 'public';
}
