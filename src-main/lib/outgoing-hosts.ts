import { because, type Explained } from '../../src-preload/contract/explanations/explanations.ts';
import { ExplainedError } from './error-message.ts';
import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isOfThisMachine, mayLeadTo, type ConnectionLimits } from './connection-limits.ts';
import { networkKind, type NetworkKind } from './network-address.ts';
import { keepNewest } from './limits/newest.ts';
import { OwnPorts } from './own-ports.ts';

/** Looks up all addresses of a name. */
export type LookupAll = (
  name: string,
  done: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

export interface OutgoingHostsOptions {
  readonly ownPorts?: OwnPorts;
  readonly lookup?: LookupAll;
}

/** Maximum number of host names whose first network kind is remembered. */
const MAX_NAMES = 10_000;

/**
 * Network kinds of configured hosts. If a name first resolved to a public address, later private addresses are refused:
 * otherwise the owner of the name could make this server access its private network (DNS rebinding).
 */
export class OutgoingHosts {
  readonly ownPorts: OwnPorts;
  readonly #lookup: LookupAll;
  readonly #kinds = new Map<string, NetworkKind>();

  constructor({ ownPorts = new OwnPorts(), lookup = lookupAll }: OutgoingHostsOptions = {}) {
    this.ownPorts = ownPorts;
    this.#lookup = lookup;
  }

  /** Returns the rule for an input with this address. */
  from(home: URL): OutgoingRule {
    return new OutgoingRule(home, this);
  }

  /** Returns the rule for an untrusted address: public addresses only. */
  publicOnly(home: URL): OutgoingRule {
    return new OutgoingRule(home, this, 'public');
  }

  resolve(name: string, done: Parameters<LookupAll>[1]): void {
    this.#lookup(name, done);
  }

  /** Network kind of a configured host; undefined before its first look-up. */
  kindOf(host: string): NetworkKind | undefined {
    return isIP(host) === 0 ? this.#kinds.get(host) : networkKind(host);
  }

  /** Remembers the network kind of a configured host. The first kind stays. */
  learn(host: string, kind: NetworkKind): void {
    if (this.#kinds.has(host)) return;
    this.#kinds.set(host, kind);
    keepNewest(this.#kinds, MAX_NAMES);
  }
}

/**
 * Rule for the requests of one input, which starts at a configured address. A public host may redirect or refer only to
 * public hosts.
 */
export class OutgoingRule {
  readonly #home: URL;
  readonly #hosts: OutgoingHosts;
  readonly #kind: NetworkKind | undefined;

  /** @param kind overrides the network kind of the configured host */
  constructor(home: URL, hosts: OutgoingHosts, kind?: NetworkKind) {
    this.#home = home;
    this.#hosts = hosts;
    this.#kind = kind;
  }

  /**
   * Reports whether an address may get credentials, cookies and headers of the operator: only the configured host, and
   * with TLS if TLS is configured.
   */
  isHome(url: URL): boolean {
    return url.host === this.#home.host && (url.protocol === this.#home.protocol || url.protocol === 'https:');
  }

  /** Reason why an address is refused; undefined if it is allowed. Host names are checked when they are looked up. */
  refusal(url: URL): Explained | undefined {
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      return because('host_redirects_nowhere', { host: this.#home.host });
    const host = hostOf(url);
    return isIP(host) === 0 || this.#mayAsk(url, host) ? undefined : this.#reason(url);
  }

  /** Look-up function for the connections of one request. It drops forbidden addresses. */
  lookup(url: URL): LookupFunction {
    return (name, options, callback) => {
      this.#hosts.resolve(name, (error, found) => {
        if (error) return callback(error, '');
        const addresses = found.filter(({ family }) => !options.family || Number(family) === Number(options.family));
        if (this.#isHomeHost(url)) this.#hosts.learn(name, kindOfAll(found));
        const allowed = addresses.filter(({ address }) => this.#mayAsk(url, address));
        const [first] = allowed;
        if (!first) callback(Object.assign(new ExplainedError(this.#reason(url)), { code: 'EACCES' }), '');
        else if (options.all) callback(null, allowed);
        else callback(null, first.address, first.family);
      });
    };
  }

  /**
   * Connection limits for a process that connects by itself. Looks up the configured host; rejects if that fails, with
   * `EACCES` if the host is forbidden.
   */
  async limits(): Promise<ConnectionLimits> {
    const host = hostOf(this.#home);
    const hostAddresses = isIP(host) === 0 ? await this.#addressesOf(host) : [host];
    const port = this.#home.port === '' ? null : Number(this.#home.port);
    return { kind: this.#hosts.kindOf(host) ?? 'public', hostAddresses, port, ownPorts: this.#hosts.ownPorts.list() };
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

  #reason({ host }: URL): Explained {
    return this.#kind ? because('host_private', { host }) : because('host_forbidden', { host, home: this.#home.host });
  }
}

/** Network kind of a name with several addresses: public if one of them is public. */
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
