/** Query parameters and options whose values are never shown. */
const SECRET_NAMES = new Set(['passphrase', 'password', 'pass', 'pwd', 'token', 'key', 'secret', 'streamkey']);

/** A scheme, and then whatever stands before the last `@` of the authority. */
const USER_INFO = /\b([a-z][a-z0-9+.-]*:\/\/)([^/?#\s]*)@/gi;
const PARAMETER = /([?&,;\s]|^)([a-z_]+)=([^&\s,;"']*)/gi;

/** A text with the user names, passwords and keys of all addresses in it replaced by `***`. */
export function maskSecrets(text: string): string {
  return text
    .replace(USER_INFO, (whole, scheme: string, user: string) => (isAddress(scheme, user) ? whole : `${scheme}***@`))
    .replace(PARAMETER, (whole, before: string, name: string, value: string) =>
      SECRET_NAMES.has(name.toLowerCase()) && value !== '' ? `${before}${name}=***` : whole,
    );
}

/** `udp://source@group` and `udp://@group` name no user. */
function isAddress(scheme: string, user: string): boolean {
  return user === '' || /^(udp|rtp):/i.test(scheme);
}
