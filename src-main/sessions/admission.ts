import { randomUUID } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import { isRestricted, wantsToken, type AccessPolicy } from './access-policy.ts';
import { judgeAddress, type Visitor } from './access-rules.ts';
import { DenyCache, type Refusal } from './deny-cache.ts';
import type { ArchiveTime, Session, SessionOpening, SessionProtocol } from './session.ts';
import type { SessionEvents } from './session-events.ts';
import type { SessionLifecycle } from './session-lifecycle.ts';
import { newToken } from './token.ts';

/** How a request plays: `cmaf` are segments, which belong to HLS or to DASH. */
export type ArrivalProtocol = SessionProtocol | 'cmaf';

/** A request that may open a session. */
export interface Arrival extends Omit<Visitor, 'country' | 'proto'> {
  readonly proto: ArrivalProtocol;
  readonly queryString: string;
  /** Whether the player asks for this first, and can follow a redirect. */
  readonly isOpening: boolean;
  /** How long the session may be silent, in milliseconds. */
  readonly silentMs: number;
  /** What of the archive it asks for; absent for live. */
  readonly archive?: ArchiveTime | undefined;
}

/** What becomes of a request. */
export type Admission =
  /** It goes on; without a session where there is no room for one more. */
  | { readonly kind: 'open'; readonly session: Session | undefined }
  /** It waits until the session is decided about, and comes again. */
  | { readonly kind: 'wait'; readonly session: Session }
  /** It is to come again with this token. */
  | { readonly kind: 'token'; readonly token: string }
  | ({ readonly kind: 'refused' } & Refusal);

/** The admission of a request that is turned away. */
function refused(code: Refusal['code'], detail: string): Admission {
  return { kind: 'refused', code, detail };
}

/** The protocol of the session that a request opens. */
function protocolOf(proto: ArrivalProtocol): SessionProtocol {
  return proto === 'cmaf' ? 'hls' : proto;
}

/** The keys that the session of a request may have, the one that it would open first: segments may belong to a session of HLS or of DASH. */
export function keysOf(
  policy: AccessPolicy | undefined,
  name: string,
  ip: string,
  proto: ArrivalProtocol,
  token: string,
  isOfArchive: boolean,
): readonly [string, ...string[]] {
  // A token distinguishes viewers only where it is evaluated.
  const keyToken = policy?.hasTokenInKey === true && isRestricted(policy) ? token : '';
  const isProtected = policy?.isArchiveProtected === true && isRestricted(policy);
  const key = (by: SessionProtocol, end: string): string => `${keyOf(name, ip, by, keyToken)}${end}`;
  const end = isProtected && isOfArchive ? ARCHIVE : '';
  const first = key(protocolOf(proto), end);
  if (proto !== 'cmaf') return [first];
  const others = [key('dash', end)];
  // Who may see the archive goes on from it to what is live.
  if (isProtected && !isOfArchive) others.push(key('hls', ARCHIVE), key('dash', ARCHIVE));
  return [first, ...others];
}

/** Ends the key of a session of the archive, where that is one of its own. */
const ARCHIVE = '\ndvr';

/** What makes it the same session: control characters cannot be in any part of it. */
function keyOf(name: string, ip: string, proto: SessionProtocol, token: string): string {
  return `${name}\n${ip}\n${proto}\n${token}`;
}

/** What decides about requests. */
export interface AdmissionOptions {
  readonly clock: Clock;
  readonly events: Pick<SessionEvents, 'denied'>;
  readonly lifecycle: SessionLifecycle;
  /** The country of an address by two letters; null where it is not known. */
  readonly countryOf: (ip: string) => string | null;
  /** Whether operators keep an address out. */
  readonly isKeptOut: (ip: string, nowMs: number) => boolean;
  /** Whether a request may be part of a running session. */
  readonly mayShare: (session: Session, arrival: Arrival) => boolean;
}

/** Most sessions. Beyond them open streams are served without one. */
const MAX_SESSIONS = 200_000;
/** Requests that wait for the decision about one session. */
const MAX_WAITING = 200;
/** A viewer refused again within this time is not reported again, in milliseconds. */
const REPORTED_MS = 10_000;

/** Decides about requests that belong to no running session: rules first, then room, then the backends. */
export class RequestAdmission {
  readonly #options: AdmissionOptions;
  /** Viewers that a rule refused a moment ago. */
  readonly #recentDenials = new DenyCache();

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** Forgets refusals that are over; called once a second. */
  sweep(): void {
    this.#recentDenials.sweep(this.#options.clock.now());
  }

  /** Decides about a request for a stream with a policy. */
  admit(arrival: Arrival, policy: AccessPolicy): Admission {
    const { clock, countryOf, events, isKeptOut, lifecycle, mayShare } = this.#options;
    if (arrival.token === '' && wantsToken(policy)) {
      if (policy.hasNoAutoToken || !arrival.isOpening) return refused('token_required', 'This address needs a token');
      return { kind: 'token', token: newToken() };
    }
    const now = clock.now();
    if (isKeptOut(arrival.ip, now))
      return refused('session_banned', 'The operator of this server keeps this address out');
    const proto = protocolOf(arrival.proto);
    const keys = keysOf(policy, arrival.name, arrival.ip, arrival.proto, arrival.token, arrival.archive !== undefined);
    const [key] = keys;
    const known = lifecycle.table.get(key);
    if (known?.isRunning && mayShare(known, arrival)) return { kind: 'open', session: known };
    if (known?.isRunning === false)
      return known.waitCount < MAX_WAITING
        ? { kind: 'wait', session: known }
        : refused('unavailable', 'Too many requests wait for the answer of the backend');
    for (const each of keys) {
      const refusal = lifecycle.refusals.get(arrival.ip, each, now);
      if (refusal) return { kind: 'refused', ...refusal };
    }
    const visitor: Visitor = { ...arrival, proto, country: countryOf(arrival.ip) };
    const judgement = judgeAddress(policy, visitor, arrival.queryString, now);
    if (judgement.kind === 'deny') {
      const detail = `The stream may not be played: ${judgement.reason}`;
      // Rules are cheap to apply again; repeated attempts are reported once in a while.
      if (!this.#recentDenials.get(arrival.ip, key, now))
        events.denied({ name: arrival.name, proto, visitor }, judgement.reason);
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
    void lifecycle.ask(session, true);
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
