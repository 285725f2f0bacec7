import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a signed address lets its holder do. */
type SignedUse = 'play' | 'publish';

/** What an address is signed for. */
export interface SignedFacts {
  readonly use: SignedUse;
  /** Name of the stream. */
  readonly name: string;
  /** The only address that may use it; empty where any may. */
  readonly ip: string;
}

/** What a signed address carries. */
export interface AddressSignature {
  /** Unix seconds, as they stand in the address. */
  readonly expires: string;
  /** HMAC-SHA-256 in base64url without padding. */
  readonly sig: string;
}

const EXPIRES = /^\d{1,12}$/;
const SIG = /^[\w-]{43}$/;

/** The signature of an address: HMAC-SHA-256 (RFC 2104) of `use:name:expires`, with `:ip` behind it where one address only may use it. */
export function signAddress({ use, name, ip }: SignedFacts, expires: string, key: string): string {
  const text = `${use}:${name}:${expires}${ip === '' ? '' : `:${ip}`}`;
  return createHmac('sha256', key).update(text).digest('base64url');
}

/** The signature in the parameters of an address; undefined where there is none. */
export function signatureOf(parameter: (name: string) => string | undefined | null): AddressSignature | undefined {
  const expires = parameter('expires') ?? '';
  const sig = parameter('sig') ?? '';
  return expires === '' && sig === '' ? undefined : { expires, sig };
}

/** A signature as a token, which stands behind the addresses of the playlists of a viewer. */
export function tokenOfSignature({ expires, sig }: AddressSignature): string {
  return EXPIRES.test(expires) && SIG.test(sig) ? `${expires}.${sig}` : '';
}

/** The signature in a token; undefined for other tokens. */
export function signatureOfToken(token: string): AddressSignature | undefined {
  const dot = token.indexOf('.');
  const signature = { expires: token.slice(0, Math.max(0, dot)), sig: token.slice(dot + 1) };
  return tokenOfSignature(signature) === '' ? undefined : signature;
}

/** Why a signature is refused; undefined where it is valid. @param facts with the client's address @param keys any of them may have signed it */
export function whyUnsigned(
  keys: readonly string[],
  facts: SignedFacts,
  signature: AddressSignature | undefined,
  nowMs: number,
): string | undefined {
  if (!signature) return 'the address is not signed';
  const { expires, sig } = signature;
  if (!EXPIRES.test(expires) || !SIG.test(sig)) return 'the signature has the wrong form';
  const given = Buffer.from(sig, 'latin1');
  // All are compared, in constant time: nothing is learned from how long it takes.
  const isRight = keys
    .flatMap((key) => [signAddress({ ...facts, ip: '' }, expires, key), signAddress(facts, expires, key)])
    .map((right) => timingSafeEqual(Buffer.from(right, 'latin1'), given))
    .includes(true);
  if (!isRight) return 'the signature is wrong';
  return Number(expires) * 1000 > nowMs ? undefined : 'the signature has expired';
}

/** The keys in the value of a directive, the one to sign with first; none for false, which switches them off, and for null. */
export function signingKeys(value: string | false | null): readonly string[] {
  return value === null || value === false ? [] : value.split(',');
}
