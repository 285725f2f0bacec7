import { isSecretName } from '../../lib/mask-secrets.ts';

/** Stands in replies for a secret. Written back, it means the secret that is there. */
export const MASK = '********';

const USER_INFO = /\b([a-z][a-z0-9+.-]*:\/\/)([^/?#\s]*)@/gi;
const QUERY_SECRET = /([?&])([^=&#]+)=([^&#]+)/g;
/** Addresses whose text before `@` is a source of multicast packets (`udp://source@group`). */
const MULTICAST = /^(udp|rtp):/i;
const NOT_A_LOGIN = /^([^:]*|\[.*\])$/;
/** Application of an RTMP address, and the name under which is published there: the stream key. */
const RTMP_KEY = /^(rtmps?:\/\/[^/?#]*\/[^?#]*\/)([^/?#]+)/i;
/** Id of the stream of an SRT address; receivers take keys and passwords in it. */
const SRT_ID = /^(srt:\/\/.*[?&]streamid=)([^&#]+)/i;

/** Whether an option of this name holds a secret. */
export function isSecretKey(key: string): boolean {
  // Headers of requests are written as one word, and cookies and keys are among them.
  return key === 'headers' || isSecretName(key);
}

/** A value without the secrets that addresses carry: what logs in before the host, and parameters such as `?password=`. */
export function maskAddress(text: string): string {
  if (!text.includes('://')) return text;
  return text
    .replace(USER_INFO, (whole, scheme: string, login: string) =>
      login === '' || (MULTICAST.test(scheme) && NOT_A_LOGIN.test(login)) ? whole : `${scheme}${maskLogin(login)}@`,
    )
    .replace(QUERY_SECRET, (whole, mark: string, key: string) => (isSecretKey(key) ? `${mark}${key}=${MASK}` : whole));
}

/** The same for an address that a stream is sent to: its stream key is a secret too. */
export function maskPublishAddress(text: string): string {
  return maskAddress(text).replace(RTMP_KEY, `$1${MASK}`).replace(SRT_ID, `$1${MASK}`);
}

/** A value as it may be shown. */
export function masked(value: string, isSecret: boolean, mask = maskAddress): string {
  return isSecret ? MASK : mask(value);
}

/** The name of a user stays. A login of one word, or without a password, is a key. */
function maskLogin(login: string): string {
  const colon = login.indexOf(':');
  return colon > 0 && colon < login.length - 1 ? `${login.slice(0, colon)}:${MASK}` : MASK;
}
