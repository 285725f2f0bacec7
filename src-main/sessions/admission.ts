import { isRestricted, type AccessPolicy } from './access-policy.ts';
import { judge, type Judgement, type Visitor } from './access-rules.ts';
import type { Refusal } from './deny-cache.ts';
import type { Session, SessionProtocol } from './session.ts';
import { signatureOf, signatureOfToken, whyUnsigned } from './signed-address.ts';
import { rawParameter } from './token.ts';

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
export function refused(code: Refusal['code'], detail: string): Admission {
  return { kind: 'refused', code, detail };
}

/** The protocol of the session that a request opens. */
export function protocolOf(proto: ArrivalProtocol): SessionProtocol {
  return proto === 'cmaf' ? 'hls' : proto;
}

/** The keys that the session of a request may have, the one that it would open first: segments may belong to a session of HLS or of DASH. */
export function keysOf(
  policy: AccessPolicy | undefined,
  name: string,
  ip: string,
  proto: ArrivalProtocol,
  token: string,
): readonly [string, ...string[]] {
  // A token distinguishes viewers only where it is evaluated.
  const keyToken = policy?.hasTokenInKey === true && isRestricted(policy) ? token : '';
  const first = keyOf(name, ip, protocolOf(proto), keyToken);
  return proto === 'cmaf' ? [first, keyOf(name, ip, 'dash', keyToken)] : [first];
}

/** What makes it the same session: control characters cannot be in any part of it. */
function keyOf(name: string, ip: string, proto: SessionProtocol, token: string): string {
  return `${name}\n${ip}\n${proto}\n${token}`;
}

/** What the signature of an address and the rules say. @param now epoch milliseconds; 0 where the time of a signature no longer counts */
export function judgeAddress(policy: AccessPolicy, visitor: Visitor, queryString: string, now: number): Judgement {
  const reason = policy.keys.length > 0 ? whyViewerUnsigned(policy.keys, visitor, queryString, now) : undefined;
  return reason === undefined ? judge(policy, visitor) : { kind: 'deny', reason };
}

function whyViewerUnsigned(
  keys: readonly string[],
  { name, ip, token }: Visitor,
  queryString: string,
  now: number,
): string | undefined {
  const signature = signatureOf((parameter) => rawParameter(queryString, parameter)) ?? signatureOfToken(token);
  return whyUnsigned(keys, { use: 'play', name, ip }, signature, now);
}
