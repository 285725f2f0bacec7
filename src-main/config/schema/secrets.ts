import { isSecretName, maskAfterHost, maskKeys } from '../../lib/mask-secrets.ts';

/** Text that replaces a secret in replies. A request that contains the mask keeps the existing secret. */
export const MASK = '********';

const USER_INFO = /\b([a-z][a-z0-9+.-]*:\/\/)([^/?#\s]*)@/gi;
const QUERY_SECRET = /([?&#])([^=&#]+)=([^&#]+)/g;
/** Addresses in which the text before `@` is a source of multicast packets (`udp://source@group`). */
const MULTICAST = /^(udp|rtp):/i;
const NOT_A_LOGIN = /^([^:]*|\[.*\])$/;

/** Whether an option of this name holds a secret. */
export function isSecretKey(key: string): boolean {
  // Request headers are written as one word, and may contain keys and cookies.
  return key === 'headers' || isSecretName(key);
}

/** Masks secrets in addresses: logins before the host, keys in paths, stream ids of SRT, and parameters such as `?password=`. */
export function maskAddress(text: string): string {
  if (!text.includes('://')) return text;
  return maskKeys(text, MASK)
    .replace(USER_INFO, (match, scheme: string, login: string) =>
      login === '' || (MULTICAST.test(scheme) && NOT_A_LOGIN.test(login)) ? match : `${scheme}${maskLogin(login)}@`,
    )
    .replace(QUERY_SECRET, (match, mark: string, key: string) => (isSecretKey(key) ? `${mark}${key}=${MASK}` : match));
}

/** Masks secrets in the address of a push. By HTTP, each part of the path and of the query may be the key. */
export function maskPushAddress(text: string): string {
  return /^(?:tshttp|hls)s?:/i.test(text) ? maskAfterHost(text, MASK) : maskAddress(text);
}

/** Value as shown to readers. @param mask hides the secrets of this kind of value */
export function masked(value: string, isSecret: boolean, mask = maskAddress): string {
  return isSecret ? MASK : mask(value);
}

/** Masks the login of an address. The name of a user stays, but a login of one word, or without a password, is a key. */
function maskLogin(login: string): string {
  const colon = login.indexOf(':');
  return colon > 0 && colon < login.length - 1 ? `${login.slice(0, colon)}:${MASK}` : MASK;
}
