/** Suffixes of names of secrets, without `_` and `-`: `accessKey`, `X-Api-Key`, `streamkey`. */
const SECRET_END = /(password|passwd|passphrase|secret|token|key|credential|signature|authorization)$/;
/** Names of secrets that are too short to be suffixes of other words. */
const SECRET_WORD = /(?:^|_)(pass|pwd|auth|sig)$/;

/** A scheme, and everything before the last `@` of the authority. */
const USER_INFO = /\b([a-z][a-z0-9+.-]*:\/\/)([^/?#\s]*)@/gi;
const PARAMETER = /([?&,;\s]|^)([a-z][\w.-]*)=([^&\s,;"']*)/gi;

/** Application of an RTMP address, and the name under which a stream is published or played there: the stream key. */
const RTMP_KEY = /\b(rtmps?:\/\/[^/?#\s"']*\/[^?#\s"']*\/)([^/?#\s"']+)/gi;
/** Address by HTTP, up to its path, and its path. */
const HTTP_PATH = /\b((?:https?|tshttps?|hlss?|m4[fs]s?):\/\/[^/?#\s"']*)(\/[^?#\s"']*)/gi;
/** Path of providers of channels: user, password and number of the channel. */
const PROVIDER_LOGIN = /^(\/(?:live|movie|series)\/[^/]+\/)[^/]+(\/\d+(?:\.\w{2,4})?)$/;
/** Segment of a path that holds the key of a bot. */
const BOT_KEY = /^(bot\d+:).+$/;
/** A key in a segment of a path: 16 letters and digits in one piece. */
const PATH_KEY = /(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{16}/i;

/** Replaces keys in the paths of addresses: RTMP stream keys, and long random segments of addresses by HTTP. */
export function maskPaths(text: string, mask: string): string {
  return text
    .replace(RTMP_KEY, (_whole, before: string) => before + mask)
    .replace(HTTP_PATH, (_whole, before: string, path: string) => before + maskPath(path, mask));
}

function maskPath(path: string, mask: string): string {
  if (PROVIDER_LOGIN.test(path)) return path.replace(PROVIDER_LOGIN, `$1${mask}$2`);
  return path
    .split('/')
    .map((segment) => {
      if (BOT_KEY.test(segment)) return segment.replace(BOT_KEY, `$1${mask}`);
      // The type of a file stays.
      const [, name = '', type = ''] = /^(.*?)(\.\w{2,4})?$/.exec(segment) ?? [];
      return PATH_KEY.test(name) ? mask + type : segment;
    })
    .join('/');
}

/** Replaces paths on this machine in a text, such as those in messages of the system. */
export function withoutDiskPaths(text: string): string {
  return text
    .replaceAll(/'(?:\/|[a-z]:\\)[^']*'/gi, "'…'")
    .replaceAll(/(?<![\w:/.])(?:\/|[a-z]:\\)[\w.-]+[/\\][^\s'":,;]*/gi, '…');
}

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
  return maskPaths(text, '***')
    .replace(USER_INFO, (whole, scheme: string, user: string) => (isAddress(scheme, user) ? whole : `${scheme}***@`))
    .replace(PARAMETER, (whole, before: string, name: string, value: string) =>
      isSecretName(name) && value !== '' ? `${before}${name}=***` : whole,
    );
}

/** `udp://source@group` and `udp://@group` contain no user name. */
function isAddress(scheme: string, user: string): boolean {
  return user === '' || /^(udp|rtp):/i.test(scheme);
}
