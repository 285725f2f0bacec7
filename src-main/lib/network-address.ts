import { BlockList, isIP, isIPv6 } from 'node:net';

/** What stands in front of an IPv4 address that came in by an IPv6 socket (RFC 4291 section 2.5.5.2). */
const MAPPED = '::ffff:';

/** An address of a socket, without the form that IPv4 has on IPv6 sockets. */
export function plainAddress(address: string): string {
  if (!address.startsWith(MAPPED)) return address;
  const plain = address.slice(MAPPED.length);
  return isIP(plain) === 4 ? plain : address;
}

/** Whether an address is the machine itself. */
export function isLoopback(address: string): boolean {
  const plain = plainAddress(address);
  return plain === '::1' || (plain.startsWith('127.') && isIP(plain) === 4);
}

/** An address with its port: IPv6 in brackets (RFC 3986 section 3.2.2). */
export function peerOf(address: string, port: number): string {
  const plain = plainAddress(address);
  return plain.includes(':') ? `[${plain}]:${port}` : `${plain}:${port}`;
}

/** The plain address of a peer. What has no port is taken as it is: IPv6 without brackets has none. */
export function addressOfPeer(peer: string): string {
  const [, inBrackets, host] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/.exec(peer) ?? [];
  return plainAddress(inBrackets ?? host ?? peer);
}

/** Which addresses count as one where limits are by address: an IPv4 address, or a /64 network of IPv6, of which one machine may use any address. */
export function addressGroup(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = (address.split('%')[0] ?? '').toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  // An IPv4 address at the end stands for two groups.
  const missing = tail === undefined ? 0 : 8 - before.length - after.length - (after.at(-1)?.includes('.') ? 1 : 0);
  const groups = [...before, ...Array.from({ length: Math.max(0, missing) }, () => '0'), ...after];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}

/** Where an address is: everywhere, in networks of one's own, on the same link (metadata services too), or on the machine itself. */
export type NetworkKind = 'public' | 'private' | 'link-local' | 'loopback';

/** Networks by kind (IANA special-purpose address registries, RFC 6890). */
const NETWORKS: readonly (readonly [Exclude<NetworkKind, 'public'>, readonly string[]])[] = [
  ['loopback', ['0.0.0.0/8', '127.0.0.0/8', '::/127']],
  ['link-local', ['169.254.0.0/16', 'fe80::/10']],
  [
    'private',
    [
      ...['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.0.0.0/24', '192.168.0.0/16', '198.18.0.0/15'],
      // Multicast and what is reserved is no origin either.
      ...['224.0.0.0/4', '240.0.0.0/4', '100::/64', 'fc00::/7', 'fec0::/10', 'ff00::/8'],
      // IPv6 prefixes that lead to IPv4 addresses: local-use translation (RFC 8215), 6to4, and Teredo (RFC 4380).
      ...['64:ff9b:1::/48', '2002::/16', '2001::/32'],
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
      // The same as translators write it (RFC 6052 section 2.1, RFC 2765 section 2.1), and as an IPv4-compatible address (RFC 4291 section 2.5.5.1).
      for (const prefix of ['64:ff9b::', '::ffff:0:', '::'])
        list.addSubnet(`${prefix}${address}`, 96 + Number(bits), 'ipv6');
    }
  }
  return { kind, list };
});

/** The kind of an address. @param address of IPv4 or IPv6, without brackets; IPv4 inside of IPv6 counts as IPv4 */
export function networkKind(address: string): NetworkKind {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  return LISTS.find(({ list }) => list.check(address, family))?.kind ?? 'public';
}
