import { BlockList, isIPv6 } from 'node:net';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config, StreamSettings } from '../config/schema/config.ts';
import type { SessionBackend } from '../config/schema/session-fields.ts';
import type { SessionProtocol } from '../sessions/session.ts';
import {
  isRestricted,
  OPEN_POLICY,
  type AccessList,
  type AccessPolicy,
  type Backend,
  type BackendLocation,
} from '../sessions/access-policy.ts';
import { signingKeys } from '../sessions/signed-address.ts';
import { protocolsOff, type ProtocolSettings } from './protocols-off.ts';

/** Settings that decide who may play a stream or a VOD location. */
export type PlaySettings = ProtocolSettings &
  Pick<StreamSettings, 'onPlay' | 'auth'> &
  Partial<Pick<StreamSettings, 'playKey' | 'isDvrProtected'>>;

type NamedBackend = NonNullable<ReturnType<Config['authBackends']['get']>>;

/** Access policies for playing and publishing, from the configuration. Created on demand, once for each stream. */
export class AccessPolicies {
  readonly #folder: string;
  #config: Config;
  #play = new WeakMap<PlaySettings, AccessPolicy>();
  #publish = new WeakMap<StreamSettings, AccessPolicy>();

  /** @param folder base of relative paths */
  constructor(config: Config, folder: string) {
    this.#config = config;
    this.#folder = folder;
  }

  apply(config: Config): void {
    this.#config = config;
    this.#play = new WeakMap();
    this.#publish = new WeakMap();
  }

  /** Policy for playing: from the stream with its template or from the VOD location, otherwise from the top level. */
  ofPlay(settings: PlaySettings): AccessPolicy {
    const cached = this.#play.get(settings);
    if (cached) return cached;
    const policy = withKeys(
      withoutProtocols(
        this.#policy(settings.onPlay ?? settings.auth ?? this.#config.onPlay ?? this.#config.auth),
        protocolsOff(settings),
      ),
      signingKeys(settings.playKey ?? this.#config.playKey),
    );
    const streamPolicy =
      settings.isDvrProtected === true && isRestricted(policy)
        ? { ...policy, isArchiveProtected: true, fingerprint: `${policy.fingerprint} dvr` }
        : policy;
    this.#play.set(settings, streamPolicy);
    return streamPolicy;
  }

  /** Policy for publishing. */
  ofPublish(settings: StreamSettings): AccessPolicy {
    const cached = this.#publish.get(settings);
    if (cached) return cached;
    // Subscribers are viewers. Their right to play a stream does not include publishing it.
    const policy = this.#policy(settings.onPublish ?? this.#config.onPublish, ({ kind }) => kind !== 'subscribers');
    this.#publish.set(settings, policy);
    return policy;
  }

  /** @param isUsed selects the backends of the policy */
  #policy(session: SessionBackend | null, isUsed = (_location: BackendLocation): boolean => true): AccessPolicy {
    if (!session) return OPEN_POLICY;
    const named = namedBackend(session.url);
    const settings = named === undefined ? undefined : this.#config.authBackends.get(named);
    const { hasNoAutoToken } = this.#config;
    const all = settings ? this.#namedBackends(settings, session.extra) : this.#ownBackend(session, named);
    const backends = all.filter(({ location }) => isUsed(location));
    const ofSubscribers = backends.filter(({ location }) => location.kind === 'subscribers').length;
    return {
      fingerprint: JSON.stringify([session, settings ?? null, backends, hasNoAutoToken]),
      backends,
      allow: settings
        ? accessList(
            settings.allowedTokens,
            settings.allowedNetworks,
            settings.allowedCountries,
            settings.allowedPlayers,
          )
        : null,
      deny: settings
        ? accessList(settings.deniedTokens, settings.deniedNetworks, settings.deniedCountries, settings.deniedPlayers)
        : null,
      // If a stream names a backend that is not configured, no viewer is admitted.
      isAllowedByDefault: settings ? settings.isAllowedByDefault : session.url === false,
      domains: session.domains ?? [],
      allowedCountries: new Set(session.allowedCountries),
      disallowedCountries: new Set(session.disallowedCountries),
      maxSessions: session.maxSessions === 0 ? null : session.maxSessions,
      isSoft: session.isLimitationSoft,
      hasTokenInKey: ofSubscribers > 0 || (session.sessionKeys?.includes('token') ?? true),
      // A token that the server generates belongs to no subscriber. Another backend may still admit its viewer.
      hasNoAutoToken: hasNoAutoToken || (ofSubscribers > 0 && ofSubscribers === backends.length),
      isArchiveProtected: false,
      keys: OPEN_POLICY.keys,
      protocolsOff: OPEN_POLICY.protocolsOff,
    };
  }

  #ownBackend({ url, extra }: SessionBackend, named: string | undefined): readonly Backend[] {
    return url === false || named !== undefined ? [] : [{ location: this.#location(url), extra }];
  }

  #namedBackends({ backends }: NamedBackend, extra: SessionBackend['extra']): readonly Backend[] {
    return backends.map((backend) => ({
      location: this.#location(backend.url),
      extra: { ...backend.extra, ...extra },
    }));
  }

  #location(url: string): BackendLocation {
    if (url.startsWith(SUBSCRIBERS)) return { kind: 'subscribers', portal: url.slice(SUBSCRIBERS.length) };
    if (/^https?:/i.test(url)) return { kind: 'http', url };
    return {
      kind: 'file',
      path: /^file:\/\/\//i.test(url) ? fileURLToPath(url) : resolve(this.#folder, url.replace(/^file:\/\//i, '')),
    };
  }
}

function withoutProtocols(policy: AccessPolicy, protocols: readonly SessionProtocol[]): AccessPolicy {
  return protocols.length === 0
    ? policy
    : { ...policy, fingerprint: `${policy.fingerprint} ${protocols.join()}`, protocolsOff: new Set(protocols) };
}

function withKeys(policy: AccessPolicy, keys: readonly string[]): AccessPolicy {
  return keys.length === 0 ? policy : { ...policy, fingerprint: JSON.stringify([policy.fingerprint, keys]), keys };
}

const NAMED = 'auth://';
const SUBSCRIBERS = 'subscribers://';

function namedBackend(url: string | false): string | undefined {
  return url !== false && url.startsWith(NAMED) ? url.slice(NAMED.length) : undefined;
}

function accessList(
  tokens: readonly string[],
  networks: readonly string[],
  countries: readonly string[],
  players: readonly string[],
): AccessList | null {
  if (tokens.length + networks.length + countries.length + players.length === 0) return null;
  const blocks = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) blocks.addAddress(address, family);
    else blocks.addSubnet(address, Number(prefix), family);
  }
  return { tokens: new Set(tokens), networks: blocks, countries: new Set(countries), players };
}
