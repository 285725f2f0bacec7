/** Suffixes of names of secrets, without `_` and `-`: `accessKey`, `X-Api-Key`, `streamkey`. */
const SECRET_END = /(password|passwd|passphrase|secret|token|key|credential|signature|authorization)$/;
/** Names of secrets that are too short to be suffixes of other words. */
const SECRET_WORD = /(?:^|_)(pass|pwd|auth|sig)$/;

/** A scheme, and everything before the last `@` of the authority. */
const USER_INFO = /\b([a-z][a-z0-9+.-]*:\/\/)([^/?#\s]*)@/gi;
const PARAMETER = /([?&,;\s]|^)([a-z][\w.-]*)=([^&\s,;"']*)/gi;

/** Reports whether an option, parameter or header of this name contains a secret, in any style of joining words. */
export function isSecretName(name: string): boolean {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[.-]/g, '_');
  return SECRET_WORD.test(words) || SECRET_END.test(words.replaceAll('_', ''));
}

/** Replaces user names, passwords and keys of all addresses in a text by `***`. */
export function maskSecrets(text: string): string {
  return text
    .replace(USER_INFO, (whole, scheme: string, user: string) => (isAddress(scheme, user) ? whole : `${scheme}***@`))
    .replace(PARAMETER, (whole, before: string, name: string, value: string) =>
      isSecretName(name) && value !== '' ? `${before}${name}=***` : whole,
    );
}

/** `udp://source@group` and `udp://@group` contain no user name. */
function isAddress(scheme: string, user: string): boolean {
  return user === '' || /^(udp|rtp):/i.test(scheme);
}
