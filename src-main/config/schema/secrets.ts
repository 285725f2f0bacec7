/** What stands in replies where a secret is. Written back, it means the secret that is there. */
export const MASK = '********';

const SECRET_KEY = /^(.*_)?(pass|password|passwd|passphrase|secret|token|key|apikey|auth_key)$/i;
const USER_INFO = /^([a-z][a-z0-9+.-]*:\/\/[^/?#@\s:]*):([^/?#\s]*)@/i;
const QUERY_SECRET = /([?&])([^=&#]+)=([^&#]+)/g;

/** Whether an option of this name holds a secret. */
export function isSecretKey(key: string): boolean {
  return SECRET_KEY.test(key);
}

/** A value without the secrets that addresses carry: the password before the host, and parameters such as `?password=`. */
export function maskAddress(text: string): string {
  if (!text.includes('://')) return text;
  return text
    .replace(USER_INFO, (_, before: string) => `${before}:${MASK}@`)
    .replace(QUERY_SECRET, (whole, mark: string, key: string) => (isSecretKey(key) ? `${mark}${key}=${MASK}` : whole));
}

/** A value as it may be shown. */
export function masked(value: string, isSecret: boolean): string {
  return isSecret ? MASK : maskAddress(value);
}
