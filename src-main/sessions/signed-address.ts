import { createHmac, timingSafeEqual } from 'node:crypto';

/** Use of a signed address. */
type SignedUse = 'play' | 'publish';

/** Facts that the signature of an address covers. */
export interface SignedFacts {
  readonly use: SignedUse;
  /** Name of the stream. */
  readonly name: string;
  /** Client address that may use it; empty for any. */
  readonly ip: string;
}

/** Signature parameters of an address. */
export interface AddressSignature {
  /** Unix seconds, as in the address. */
  readonly expires: string;
  /** HMAC-SHA-256 in base64url without padding. */
  readonly sig: string;
}

const EXPIRES = /^\d{1,12}$/;
const SIG = /^[\w-]{43}$/;

/**
 * Signature of an address: HMAC-SHA-256 (RFC 2104) of `use:name:expires`, followed by `:ip` if it is limited to one
 * client address.
 */
export function signAddress({ use, name, ip }: SignedFacts, expires: string, key: string): string {
  const text = `${use}:${name}:${expires}${ip === '' ? '' : `:${ip}`}`;
  return createHmac('sha256', key).update(text).digest('base64url');
}

/** Signature in the parameters of an address; undefined if there is none. */
export function signatureOf(parameter: (name: string) => string | undefined | null): AddressSignature | undefined {
  const expires = parameter('expires') ?? '';
  const sig = parameter('sig') ?? '';
  return expires === '' && sig === '' ? undefined : { expires, sig };
}

/** Converts a signature to a token, which playlists add to their addresses for the viewer. */
export function tokenOfSignature({ expires, sig }: AddressSignature): string {
  return EXPIRES.test(expires) && SIG.test(sig) ? `${expires}.${sig}` : '';
}

/** Converts a token to a signature; undefined for other tokens. */
export function signatureOfToken(token: string): AddressSignature | undefined {
  const dot = token.indexOf('.');
  const signature = { expires: token.slice(0, Math.max(0, dot)), sig: token.slice(dot + 1) };
  return tokenOfSignature(signature) === '' ? undefined : signature;
}

/**
 * Reason why a signature is refused; undefined if it is valid.
 *
 * @param facts facts of the request, with the client's address
 * @param keys valid keys
 */
export function whyUnsigned(
  keys: readonly string[],
  facts: SignedFacts,
  signature: AddressSignature | undefined,
  nowMs: number,
): string | undefined {
  if (!signature) return 'the address is not signed';
  const { expires, sig } = signature;
  if (!EXPIRES.test(expires) || !SIG.test(sig)) return 'the signature has the wrong form';
  const signatureBytes = Buffer.from(sig, 'latin1');
  // All keys are compared in constant time, so that the duration reveals nothing.
  const isRight = keys
    .flatMap((key) => [signAddress({ ...facts, ip: '' }, expires, key), signAddress(facts, expires, key)])
    .map((expected) => timingSafeEqual(Buffer.from(expected, 'latin1'), signatureBytes))
    .includes(true);
  if (!isRight) return 'the signature is wrong';
  return Number(expires) * 1000 > nowMs ? undefined : 'the signature has expired';
}

/** Keys in the value of a directive, the signing key first. None for null, and for false, which disables signing. */
export function signingKeys(value: string | false | null): readonly string[] {
  return value === null || value === false ? [] : value.split(',');
}
