import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isOfThisMachine, mayLeadTo, type ConnectionLimits } from './connection-limits.ts';
import { networkKind, type NetworkKind } from './network-address.ts';
import { keepNewest } from './limits/newest.ts';
import { OwnPorts } from './own-ports.ts';

/** Looks a name up; all its addresses. */
export type LookupAll = (
  name: string,
  done: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

/** What outgoing requests are judged with. */
export interface OutgoingHostsOptions {
  readonly ownPorts?: OwnPorts;
  readonly lookup?: LookupAll;
}

/** Configured names whose first answer is remembered. */
const MAX_NAMES = 10_000;

/**
 * The hosts that an operator named. A name that led to a public address at first leads to no private one later: the owner of the name could make this
 * server ask its own network (DNS rebinding).
 */
export class OutgoingHosts {
  readonly ownPorts: OwnPorts;
  readonly #lookup: LookupAll;
  readonly #kinds = new Map<string, NetworkKind>();

  constructor({ ownPorts = new OwnPorts(), lookup = lookupAll }: OutgoingHostsOptions = {}) {
    this.ownPorts = ownPorts;
    this.#lookup = lookup;
  }

  /** What an input with this address may ask. */
  from(home: URL): OutgoingRule {
    return new OutgoingRule(home, this);
  }

  /** What an address may lead to that is not trusted: public addresses alone. */
  publicOnly(home: URL): OutgoingRule {
    return new OutgoingRule(home, this, 'public');
  }

  /** Looks a name up. */
  resolve(name: string, done: Parameters<LookupAll>[1]): void {
    this.#lookup(name, done);
  }

  /** Of what kind the host of an operator is; undefined before it was looked up. */
  kindOf(host: string): NetworkKind | undefined {
    return isIP(host) === 0 ? this.#kinds.get(host) : networkKind(host);
  }

  /** Remembers the kind of a host of an operator, where it is not known yet. */
  learn(host: string, kind: NetworkKind): void {
    if (this.#kinds.has(host)) return;
    this.#kinds.set(host, kind);
    keepNewest(this.#kinds, MAX_NAMES);
  }
}

/** What one input may ask, beginning at the address that the operator wrote: redirects and playlists lead from public hosts to public hosts alone. */
export class OutgoingRule {
  readonly #home: URL;
  readonly #hosts: OutgoingHosts;
  readonly #kind: NetworkKind | undefined;

  /** @param kind what the configured host counts as, whatever it is */
  constructor(home: URL, hosts: OutgoingHosts, kind?: NetworkKind) {
    this.#home = home;
    this.#hosts = hosts;
    this.#kind = kind;
  }

  /** Whether an address may get credentials, cookies and headers of the operator: the configured host, and not in the clear where TLS is configured. */
  isHome(url: URL): boolean {
    return url.host === this.#home.host && (url.protocol === this.#home.protocol || url.protocol === 'https:');
  }

  /** Why an address is not asked; undefined where it is. Names are judged when they are looked up. */
  refusal(url: URL): string | undefined {
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      return `${this.#home.host} sends to an address that cannot be followed`;
    const host = hostOf(url);
    return isIP(host) === 0 || this.#mayAsk(url, host) ? undefined : this.#reason(url);
  }

  /** Looks names up for the connections of one request, and leaves out addresses that it may not lead to. */
  lookup(url: URL): LookupFunction {
    return (name, options, callback) => {
      this.#hosts.resolve(name, (error, found) => {
        if (error) return callback(error, '');
        const wanted = found.filter(({ family }) => !options.family || Number(family) === Number(options.family));
        if (this.#isHomeHost(url)) this.#hosts.learn(name, kindOfAll(found));
        const allowed = wanted.filter(({ address }) => this.#mayAsk(url, address));
        const [first] = allowed;
        if (!first) callback(Object.assign(new Error(this.#reason(url)), { code: 'EACCES' }), '');
        else if (options.all) callback(null, allowed);
        else callback(null, first.address, first.family);
      });
    };
  }

  /** Looks the configured host up, for a process that connects by itself. Rejects where it leads nowhere, with `EACCES` where it may not be asked. */
  async limits(): Promise<ConnectionLimits> {
    const host = hostOf(this.#home);
    const checked = isIP(host) === 0 ? await this.#addressesOf(host) : [host];
    const port = this.#home.port === '' ? null : Number(this.#home.port);
    return { kind: this.#hosts.kindOf(host) ?? 'public', checked, port, ownPorts: this.#hosts.ownPorts.list() };
  }

  #addressesOf(host: string): Promise<readonly string[]> {
    return new Promise((resolve, reject) => {
      this.lookup(this.#home)(host, { all: true }, (error, found) => {
        if (error) reject(error);
        else resolve(typeof found === 'string' ? [found] : found.map(({ address }) => address));
      });
    });
  }

  #mayAsk(url: URL, address: string): boolean {
    const kind = networkKind(address);
    const home = this.#kind ?? this.#hosts.kindOf(hostOf(this.#home)) ?? 'public';
    if (this.#kind && isOfThisMachine(address, kind)) return false;
    return mayLeadTo(home, kind) && (url.host === this.#home.host || !this.#isOwn(url, address, kind));
  }

  #isOwn(url: URL, address: string, kind: NetworkKind): boolean {
    const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
    return this.#hosts.ownPorts.has(port) && isOfThisMachine(address, kind);
  }

  #isHomeHost(url: URL): boolean {
    return url.hostname === this.#home.hostname;
  }

  #reason({ host }: URL): string {
    if (this.#kind) return `${host} is an address of this machine or of a private network`;
    return `${host} is an address that ${this.#home.host} may not lead to`;
  }
}

/** A name with public addresses among others is public. */
function kindOfAll(found: readonly LookupAddress[]): NetworkKind {
  const kinds = new Set(found.map(({ address }) => networkKind(address)));
  const [only] = kinds;
  return kinds.size === 1 && only ? only : 'public';
}

function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

function lookupAll(name: string, done: Parameters<LookupAll>[1]): void {
  systemLookup(name, { all: true }, done);
}
