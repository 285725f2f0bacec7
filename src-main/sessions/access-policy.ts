import type { BlockList } from 'node:net';

/** Where one backend is asked: an HTTP address, a file that holds the answer, or the subscribers of a portal of this server. */
export type BackendPlace =
  | { readonly kind: 'http'; readonly url: string }
  | { readonly kind: 'file'; readonly path: string }
  /** By id or name of the portal. */
  | { readonly kind: 'subscribers'; readonly portal: string };

/** A backend that decides about sessions. */
export interface Backend {
  readonly place: BackendPlace;
  /** Parameters that go to it with every question. */
  readonly extra: Readonly<Record<string, string>>;
}

/** Tokens and addresses that are admitted or refused without a question. */
export interface AccessList {
  readonly tokens: ReadonlySet<string>;
  readonly networks: BlockList;
  /** By two letters (ISO 3166-1), upper case. */
  readonly countries: ReadonlySet<string>;
  /** Beginnings of names of players. */
  readonly players: readonly string[];
}

/** Who may open sessions of a stream. A value: a changed configuration makes another one. */
export interface AccessPolicy {
  /** Equal where two policies mean the same. */
  readonly fingerprint: string;
  /** Backends, asked all at once; none for no question. */
  readonly backends: readonly Backend[];
  /** null for no restriction. */
  readonly allow: AccessList | null;
  readonly deny: AccessList | null;
  /** What holds when no backend answers, or none is configured beside lists. */
  readonly isAllowedByDefault: boolean;
  /** Hosts of pages that may embed the stream, `*.` for all below; empty for all. */
  readonly domains: readonly string[];
  readonly allowedCountries: ReadonlySet<string>;
  readonly disallowedCountries: ReadonlySet<string>;
  /** Sessions of one user where the backend does not say; null for no limit. */
  readonly maxSessions: number | null;
  /** Whether the surplus session is given time to end by itself. */
  readonly isSoft: boolean;
  /** Whether the token is part of what makes a session. */
  readonly hasTokenInKey: boolean;
  /** Whether what was recorded is a session of its own, which is decided about by itself. */
  readonly isArchiveProtected: boolean;
  /** Whether viewers without a token are refused instead of being given one. */
  readonly hasNoAutoToken: boolean;
  /** One of them must have signed the address of a viewer; none where addresses need no signature. */
  readonly keys: readonly string[];
  /** What the stream may not be played with. */
  readonly protocolsOff: ReadonlySet<string>;
}

/** Whether a backend or lists decide before a session opens. */
export function isRestricted(policy: AccessPolicy): boolean {
  return policy.backends.length + policy.keys.length > 0 || policy.allow !== null || policy.deny !== null;
}

/** Whether a viewer needs a token: a backend is asked about it, and it distinguishes viewers at the same address. */
export function wantsToken(policy: AccessPolicy): boolean {
  return policy.hasTokenInKey && policy.backends.length > 0;
}

/** Whether subscribers of this server are asked about, whose changes are heard of at once. */
export function asksSubscribers({ backends }: AccessPolicy): boolean {
  return backends.some(({ place }) => place.kind === 'subscribers');
}

/** Open to all viewers. */
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
