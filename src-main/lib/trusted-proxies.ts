import { BlockList, isIP } from 'node:net';
import { plainAddress } from './network-address.ts';

/** Value of a request header by its lower-case name; all lines of that name, joined by commas. */
export type HeaderLookup = (name: string) => string | undefined;

/** Headers that only a proxy adds to a request. */
const PROXY_HEADERS = [
  'x-forwarded-for',
  'x-real-ip',
  'forwarded',
  'x-forwarded-host',
  'x-forwarded-proto',
  'via',
  'cf-connecting-ip',
  'true-client-ip',
] as const;
/** Maximum number of proxies in a row. */
const MAX_HOPS = 20;

/** Proxies whose headers about the client's address are trusted. An immutable value. */
export class TrustedProxies {
  readonly #networks: BlockList | undefined;

  /** @param networks addresses and networks, such as `127.0.0.1` or `192.0.2.0/24`; invalid ones are ignored */
  constructor(networks: readonly string[]) {
    if (networks.length === 0) return;
    this.#networks = new BlockList();
    for (const network of networks) addNetwork(this.#networks, network);
  }

  /** Reports whether an address is that of a trusted proxy. */
  isTrusted(address: string): boolean {
    if (!this.#networks) return false;
    const family = isIP(address);
    return family !== 0 && this.#networks.check(address, family === 6 ? 'ipv6' : 'ipv4');
  }

  /**
   * Client address of a request: the peer, or, if the peer is a trusted proxy, the last address in `X-Forwarded-For`
   * that is not a trusted proxy, or else `X-Real-IP`.
   * @param peer other side of the connection
   */
  clientAddress(peer: string, header: HeaderLookup): string {
    const address = plainAddress(peer);
    if (!this.#networks || !this.isTrusted(address)) return address;
    const chain = header('x-forwarded-for');
    if (chain !== undefined) return this.#lastUntrusted(chain, address);
    return hopAddress(header('x-real-ip') ?? '') ?? address;
  }

  /**
   * Last address of the chain that is not a trusted proxy. The chain is read from its end, which the nearest proxy has written,
   * because clients can forge the addresses at its start.
   */
  #lastUntrusted(chain: string, proxy: string): string {
    let client = proxy;
    for (const hop of chain.split(',').slice(-MAX_HOPS).reverse()) {
      const address = hopAddress(hop);
      if (address === undefined) return client;
      client = address;
      if (!this.isTrusted(address)) return address;
    }
    return client;
  }
}

/** Reports whether the headers show that a request came through a proxy, trusted or not. */
export function isProxied(header: HeaderLookup): boolean {
  return PROXY_HEADERS.some((name) => header(name) !== undefined);
}

/** Address of one hop, which may have a port; undefined if it is invalid. */
function hopAddress(text: string): string | undefined {
  const hop = text.trim();
  const host = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(hop)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(hop)?.[1] ?? hop;
  // The zone of an IPv6 address is valid on one machine only.
  return isIP(host) === 0 || host.includes('%') ? undefined : plainAddress(host);
}

function addNetwork(list: BlockList, network: string): void {
  const [address = '', bits] = network.split('/');
  const family = isIP(address);
  if (family === 0) return;
  const type = family === 6 ? 'ipv6' : 'ipv4';
  if (bits === undefined) list.addAddress(address, type);
  else list.addSubnet(address, Number(bits), type);
}
