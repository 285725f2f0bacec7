import { BlockList, isIP } from 'node:net';
import { plainAddress } from './network-address.ts';

/** Value of a header of a request by its lower-case name; all lines of that name, joined by commas. */
export type HeaderLookup = (name: string) => string | undefined;

/** Headers that only a proxy puts into a request. */
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
/** How many proxies in a row are followed. */
const MAX_HOPS = 20;

/** The proxies whose headers about the client's address are trusted. An immutable value. */
export class TrustedProxies {
  readonly #networks: BlockList | undefined;

  /** @param networks addresses and networks, such as `127.0.0.1` or `192.0.2.0/24`; what is neither is left out */
  constructor(networks: readonly string[]) {
    if (networks.length === 0) return;
    this.#networks = new BlockList();
    for (const network of networks) addNetwork(this.#networks, network);
  }

  /** Whether an address is that of a trusted proxy. */
  isTrusted(address: string): boolean {
    if (!this.#networks) return false;
    const family = isIP(address);
    return family !== 0 && this.#networks.check(address, family === 6 ? 'ipv6' : 'ipv4');
  }

  /**
   * The client's address of a request: of the other side of the connection, or, where that is a trusted proxy, the last address in
   * `X-Forwarded-For` that is no trusted proxy itself, or else `X-Real-IP`.
   *
   * @param peer the other side of the connection
   */
  clientAddress(peer: string, header: HeaderLookup): string {
    const address = plainAddress(peer);
    if (!this.#networks || !this.isTrusted(address)) return address;
    const chain = header('x-forwarded-for');
    if (chain !== undefined) return this.#lastUntrusted(chain, address);
    return hopAddress(header('x-real-ip') ?? '') ?? address;
  }

  /** From the end, where the nearest proxy wrote: what comes before the first untrusted address may be forged. */
  #lastUntrusted(chain: string, proxy: string): string {
    let known = proxy;
    for (const hop of chain.split(',').slice(-MAX_HOPS).reverse()) {
      const address = hopAddress(hop);
      if (address === undefined) return known;
      known = address;
      if (!this.isTrusted(address)) return address;
    }
    return known;
  }
}

/** Whether a request came through a proxy, trusted or not, as far as its headers show. */
export function isProxied(header: HeaderLookup): boolean {
  return PROXY_HEADERS.some((name) => header(name) !== undefined);
}

/** The address of one hop, which may carry a port; undefined for what is none. */
function hopAddress(text: string): string | undefined {
  const hop = text.trim();
  const host = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(hop)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(hop)?.[1] ?? hop;
  // Zones of IPv6 addresses mean something on one machine only.
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
