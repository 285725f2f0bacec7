import { isIPv6 } from 'node:net';
import type { AccessList, AccessPolicy } from './access-policy.ts';
import { signatureOf, signatureOfToken, whyUnsigned } from './signed-address.ts';
import { rawParameter } from './token.ts';

/** A viewer who requests a session. */
export interface Visitor {
  /** Name of the stream. */
  readonly name: string;
  readonly ip: string;
  /** Empty for none. */
  readonly token: string;
  /** Two letters; null if unknown. */
  readonly country: string | null;
  readonly userAgent: string;
  readonly referer: string;
  /** Playback protocol. */
  readonly proto: string;
  /** Host of the request, with its port; empty for none. */
  readonly host: string;
}

/** Result of the rules: allow or deny without asking, or ask a backend. */
export type Judgement = { readonly kind: 'allow' | 'ask' } | { readonly kind: 'deny'; readonly reason: string };

const ALLOW: Judgement = { kind: 'allow' };
const ASK: Judgement = { kind: 'ask' };

/**
 * Applies the rules that need no backend: first protocols, pages and countries, then the lists. The lists are
 * searched by token, address, country and player, in this order, with the list of allowed viewers before the list of
 * denied viewers. The first match decides.
 */
export function judge(policy: AccessPolicy, visitor: Visitor): Judgement {
  if (policy.protocolsOff.has(visitor.proto)) return deny(`${visitor.proto} is switched off for this stream`);
  if (!isPageAllowed(policy, visitor)) return deny('the page that plays it is not on an allowed domain');
  const { country } = visitor;
  if (policy.allowedCountries.size > 0 && (country === null || !policy.allowedCountries.has(country)))
    return deny('the country is not in the list of allowed countries');
  if (country !== null && policy.disallowedCountries.has(country)) return deny('the country is not allowed');
  for (const [what, fits] of LISTED) {
    if (policy.allow && fits(policy.allow, visitor)) return ALLOW;
    if (policy.deny && fits(policy.deny, visitor)) return deny(`the ${what} is denied`);
  }
  if (policy.backends.length > 0) return ASK;
  return policy.isAllowedByDefault ? ALLOW : deny('no rule allows it');
}

const LISTED: readonly (readonly [string, (list: AccessList, visitor: Visitor) => boolean])[] = [
  ['token', ({ tokens }, { token }) => token !== '' && tokens.has(token)],
  ['address', ({ networks }, { ip }) => ip !== '' && networks.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4')],
  ['country', ({ countries }, { country }) => country !== null && countries.has(country)],
  ['player', ({ players }, { userAgent }) => players.some((beginning) => userAgent.startsWith(beginning))],
];

function deny(reason: string): Judgement {
  return { kind: 'deny', reason };
}

/** Reports whether the page of a request may play the stream. */
export function isPageAllowed({ domains }: AccessPolicy, visitor: Pick<Visitor, 'referer' | 'host'>): boolean {
  return domains.length === 0 || isFromDomain(domains, visitor);
}

/**
 * Reports whether a page is on one of the hosts. Pages of this server count too, because the embeddable player is
 * one.
 */
function isFromDomain(domains: readonly string[], { referer, host }: Pick<Visitor, 'referer' | 'host'>): boolean {
  if (!URL.canParse(referer)) return false;
  const page = new URL(referer);
  if (page.host === host.toLowerCase() && host !== '') return true;
  return domains.some((domain) =>
    domain.startsWith('*.')
      ? page.hostname.endsWith(domain.slice(1).toLowerCase())
      : page.hostname === domain.toLowerCase(),
  );
}

/**
 * Checks the signature of an address, then the rules.
 * @param now epoch milliseconds; 0 to ignore the expiry of the signature
 */
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
