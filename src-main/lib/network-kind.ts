import { BlockList, isIP } from 'node:net';

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
      // IPv6 prefixes that lead to IPv4 addresses: local-use translation (RFC 8215), and 6to4.
      ...['64:ff9b:1::/48', '2002::/16'],
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
      // The same behind the well-known prefix of translators (RFC 6052).
      list.addSubnet(`64:ff9b::${address}`, 96 + Number(bits), 'ipv6');
    }
  }
  return { kind, list };
});

/** The kind of an address. @param address of IPv4 or IPv6, without brackets; IPv4 inside of IPv6 counts as IPv4 */
export function networkKind(address: string): NetworkKind {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  return LISTS.find(({ list }) => list.check(address, family))?.kind ?? 'public';
}
