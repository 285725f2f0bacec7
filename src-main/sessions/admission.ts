import { randomUUID } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import { isRestricted, needsToken, type AccessPolicy } from './access-policy.ts';
import { judgeAddress, type Visitor } from './access-rules.ts';
import { DenyCache, type Refusal } from './deny-cache.ts';
import type { ArchiveTime, Session, SessionOpening, SessionProtocol } from './session.ts';
import type { SessionEvents } from './session-events.ts';
import type { SessionLifecycle } from './session-lifecycle.ts';
import { newToken } from './token.ts';

/** Playback protocol of a request. `cmaf` is a segment, which may belong to HLS or to DASH. */
export type ArrivalProtocol = SessionProtocol | 'cmaf';

/** A request that may open a session. */
export interface Arrival extends Omit<Visitor, 'country' | 'proto'> {
  readonly proto: ArrivalProtocol;
  readonly queryString: string;
  /** True if this is the player's first request, and the player can follow a redirect. */
  readonly isOpening: boolean;
  /** Maximum time without a request, in milliseconds. */
  readonly silentMs: number;
  /** Requested time of the archive; absent for live. */
  readonly archive?: ArchiveTime | undefined;
}

/** Result of an admission. */
export type Admission =
  /** The request proceeds; without a session if the maximum number of sessions is reached. */
  | { readonly kind: 'open'; readonly session: Session | undefined }
  /** The request waits for the decision about the session, and is then admitted again. */
  | { readonly kind: 'wait'; readonly session: Session }
  /** The request must be repeated with this token in its address. */
  | { readonly kind: 'token'; readonly token: string }
  | ({ readonly kind: 'refused' } & Refusal);

function refused(code: Refusal['code'], detail: string): Admission {
  return { kind: 'refused', code, detail };
}

/** Protocol of the session that a request opens. */
function protocolOf(proto: ArrivalProtocol): SessionProtocol {
  return proto === 'cmaf' ? 'hls' : proto;
}

/**
 * Possible session keys of a request, first the key of a new session. Segments may belong to a session of HLS or of
 * DASH.
 */
export function keysOf(
  policy: AccessPolicy | undefined,
  name: string,
  ip: string,
  proto: ArrivalProtocol,
  token: string,
  isOfArchive: boolean,
): readonly [string, ...string[]] {
  // A token distinguishes viewers only if a backend or a signature evaluates it.
  const keyToken = policy?.hasTokenInKey === true && isRestricted(policy) ? token : '';
  const isProtected = policy?.isArchiveProtected === true && isRestricted(policy);
  const key = (by: SessionProtocol, end: string): string => `${keyOf(name, ip, by, keyToken)}${end}`;
  const end = isProtected && isOfArchive ? ARCHIVE : '';
  const first = key(protocolOf(proto), end);
  if (proto !== 'cmaf') return [first];
  const otherKeys = [key('dash', end)];
  // A viewer who continues from the archive to the live stream keeps the session.
  if (isProtected && !isOfArchive) otherKeys.push(key('hls', ARCHIVE), key('dash', ARCHIVE));
  return [first, ...otherKeys];
}

/** Suffix of the key of an archive session that is authorized separately. */
const ARCHIVE = '\ndvr';

/** Session key. Its parts never contain control characters. */
function keyOf(name: string, ip: string, proto: SessionProtocol, token: string): string {
  return `${name}\n${ip}\n${proto}\n${token}`;
}

export interface AdmissionOptions {
  readonly clock: Clock;
  readonly events: Pick<SessionEvents, 'denied'>;
  readonly lifecycle: SessionLifecycle;
  /** Country of an address as two letters; null if unknown. */
  readonly countryOf: (ip: string) => string | null;
  /** Reports whether operators banned an address. */
  readonly isBanned: (ip: string, nowMs: number) => boolean;
  /** Reports whether a request may be part of a running session. */
  readonly mayShare: (session: Session, arrival: Arrival) => boolean;
}

/** Maximum number of sessions. Beyond it, open streams are served without a session. */
const MAX_SESSIONS = 200_000;
/** Maximum number of requests that wait for the decision about one session. */
const MAX_WAITING = 200;
/** Interval in which repeated refusals of a viewer are reported once, in milliseconds. */
const REPORTED_MS = 10_000;

/** Decides about requests without a running session: first by rules, then by limits, then by backends. */
export class RequestAdmission {
  readonly #options: AdmissionOptions;
  /** Viewers recently refused by a rule. */
  readonly #recentDenials = new DenyCache();

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** Drops expired refusals; called once a second. */
  sweep(): void {
    this.#recentDenials.sweep(this.#options.clock.now());
  }

  /** Decides about a request for a stream with a policy. */
  admit(arrival: Arrival, policy: AccessPolicy): Admission {
    const { clock, countryOf, events, isBanned, lifecycle, mayShare } = this.#options;
    if (arrival.token === '' && needsToken(policy)) {
      if (policy.hasNoAutoToken || !arrival.isOpening) return refused('token_required', 'This address needs a token');
      return { kind: 'token', token: newToken() };
    }
    const now = clock.now();
    if (isBanned(arrival.ip, now))
      return refused('session_banned', 'The operator of this server has banned this address');
    const proto = protocolOf(arrival.proto);
    const keys = keysOf(policy, arrival.name, arrival.ip, arrival.proto, arrival.token, arrival.archive !== undefined);
    const [key] = keys;
    const existing = lifecycle.table.get(key);
    if (existing?.isRunning && mayShare(existing, arrival)) return { kind: 'open', session: existing };
    if (existing?.isRunning === false)
      return existing.waitCount < MAX_WAITING
        ? { kind: 'wait', session: existing }
        : refused('unavailable', 'Too many requests wait for the answer of the backend');
    for (const each of keys) {
      const refusal = lifecycle.refusals.get(arrival.ip, each, now);
      if (refusal && (refusal.policy ?? policy.fingerprint) === policy.fingerprint)
        return { kind: 'refused', ...refusal };
    }
    const visitor: Visitor = { ...arrival, proto, country: countryOf(arrival.ip) };
    const judgement = judgeAddress(policy, visitor, arrival.queryString, now);
    if (judgement.kind === 'deny') {
      const detail = `The stream may not be played: ${judgement.reason}`;
      // The result is not cached, because rules are cheap to apply again. Repeated refusals are reported once per
      // interval.
      if (!this.#recentDenials.get(arrival.ip, key, now))
        events.denied({ name: arrival.name, proto, visitor }, { detail: judgement.reason });
      this.#recentDenials.add(arrival.ip, key, { code: 'playback_denied', detail, untilMs: now + REPORTED_MS });
      return refused('playback_denied', detail);
    }
    if (lifecycle.table.size >= MAX_SESSIONS)
      return judgement.kind === 'ask'
        ? refused('unavailable', 'There are too many sessions')
        : { kind: 'open', session: undefined };
    const limit = judgement.kind === 'ask' ? lifecycle.limitFor(arrival.ip) : undefined;
    if (limit === 'address')
      return refused('too_many_pending', 'Too many sessions of this address are waiting for the backend');
    if (limit === 'all') return refused('unavailable', 'Too many sessions wait for the answer of the backend');
    const session = lifecycle.make(openingOf(arrival, visitor, policy, key, now));
    if (judgement.kind === 'allow') {
      lifecycle.run(session, now);
      return session.isRunning
        ? { kind: 'open', session }
        : refused('session_banned', 'There are too many sessions of this user');
    }
    void lifecycle.authorize(session, true);
    return { kind: 'wait', session };
  }
}

function openingOf(
  { proto, queryString, silentMs, archive }: Arrival,
  { name, ip, token, country, userAgent, referer, host }: Visitor,
  policy: AccessPolicy,
  key: string,
  openedMs: number,
): Omit<SessionOpening, 'policyGeneration'> {
  const visitor = { name, ip, token, country, userAgent, referer, host };
  return {
    ...visitor,
    policy,
    id: randomUUID(),
    key,
    proto: protocolOf(proto),
    queryString,
    openedMs,
    silentMs,
    archive,
  };
}
