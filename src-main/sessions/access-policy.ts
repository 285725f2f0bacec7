import type { BlockList } from 'node:net';

/** Location of a backend: an HTTP address, a file with the answer, or the subscribers of a portal of this server. */
export type BackendLocation =
  | { readonly kind: 'http'; readonly url: string }
  | { readonly kind: 'file'; readonly path: string }
  /** Id or name of the portal. */
  | { readonly kind: 'subscribers'; readonly portal: string };

/** A backend that decides about sessions. */
export interface Backend {
  readonly location: BackendLocation;
  /** Parameters added to every request. */
  readonly extra: Readonly<Record<string, string>>;
}

/** Tokens and addresses that are admitted or refused without asking a backend. */
export interface AccessList {
  readonly tokens: ReadonlySet<string>;
  readonly networks: BlockList;
  /** Countries as two upper-case letters (ISO 3166-1). */
  readonly countries: ReadonlySet<string>;
  /** Prefixes of player names. */
  readonly players: readonly string[];
}

/** Rules for opening sessions of a stream. Immutable: a changed configuration creates another policy. */
export interface AccessPolicy {
  /** Text that is equal for policies with the same rules. */
  readonly fingerprint: string;
  /** Backends, all requested in parallel; empty for none. */
  readonly backends: readonly Backend[];
  /** Viewers who are admitted without a request to a backend; null without such a list. */
  readonly allow: AccessList | null;
  readonly deny: AccessList | null;
  /** Decision if no backend answers, or if no rule matches and there is no backend. */
  readonly isAllowedByDefault: boolean;
  /** Hosts of pages that may embed the stream; `*.` matches all subdomains; empty for all pages. */
  readonly domains: readonly string[];
  readonly allowedCountries: ReadonlySet<string>;
  readonly disallowedCountries: ReadonlySet<string>;
  /** Maximum number of sessions of one user if the backend sets none; null for no limit. */
  readonly maxSessions: number | null;
  /** True if a surplus session gets some time to end by itself. */
  readonly isSoft: boolean;
  /**
   * True if the session key includes the token, so that viewers with different tokens at one address have separate
   * sessions.
   */
  readonly hasTokenInKey: boolean;
  /** True if playback of the archive is a separate session, with its own authorization. */
  readonly isArchiveProtected: boolean;
  /** True if viewers without a token are refused instead of getting one. */
  readonly hasNoAutoToken: boolean;
  /** Accepted keys for the signature in the address of a viewer; empty if addresses need no signature. */
  readonly keys: readonly string[];
  /** Protocols that are switched off for the stream. */
  readonly protocolsOff: ReadonlySet<string>;
}

/** Reports whether a backend, a list or a signature decides before a session opens. */
export function isRestricted(policy: AccessPolicy): boolean {
  return policy.backends.length + policy.keys.length > 0 || policy.allow !== null || policy.deny !== null;
}

/** Reports whether a viewer needs a token: a backend evaluates it, and it distinguishes viewers at the same address. */
export function needsToken(policy: AccessPolicy): boolean {
  return policy.hasTokenInKey && policy.backends.length > 0;
}

/** Reports whether subscribers of this server decide. Their changes take effect at once. */
export function asksSubscribers({ backends }: AccessPolicy): boolean {
  return backends.some(({ location }) => location.kind === 'subscribers');
}

/** Policy that admits all viewers. */
export const OPEN_POLICY: AccessPolicy = {
  fingerprint: '',
  backends: [],
  allow: null,
  deny: null,
  isAllowedByDefault: true,
  domains: [],
  allowedCountries: new Set(),
  disallowedCountries: new Set(),
  maxSessions: null,
  isSoft: false,
  hasTokenInKey: true,
  isArchiveProtected: false,
  hasNoAutoToken: false,
  keys: [],
  protocolsOff: new Set(),
};
