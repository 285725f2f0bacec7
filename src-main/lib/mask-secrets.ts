import type { Explained, Explanation } from '../../src-preload/contract/explanations/explanations.ts';
import { isKeyLike } from './key-like.ts';

/** Suffixes of names of secrets, without `_` and `-`: `accessKey`, `X-Api-Key`, `streamkey`. */
const SECRET_END = /(password|passwd|passphrase|secret|token|key|credential|signature|authorization)$/;
/**
 * Other names of secrets. They are so short that they could be the end of a harmless word, so the whole word must match.
 * `streamid` is the stream id of SRT, in which some receivers expect keys; `hdnts` is the token of a content delivery network
 * (`hdnts=exp=…~hmac=…`).
 */
const SECRET_WORD = /(?:^|_)(pass|pwd|auth|sig|hmac|hdn(?:ts|tl|ea)|streamid)$/;

/** A scheme, and everything before the last `@` of the authority. */
const USER_INFO = /\b([a-z][a-z0-9+.-]*:\/\/)([^/?#\s]*)@/gi;
/** Text up to a space or quotation mark, in which there may be an address. */
const WORD = /[^\s"']+/g;
/**
 * Login after a scheme with a password that contains `/`, `?` or `#` although an address must encode them; the login ends at
 * the last `@`. The text before the colon is taken as a user name if it contains no dot, or if no port follows.
 */
const SLOPPY_LOGIN = /^(?:[^/?#@:[]+:(?!\d*(?:[/?#]|$))|[^/?#@:[.]+:)[^/?#@]*[/?#].*@/;
const PARAMETER = /([?&#,;\s]|^)([a-z][\w.-]*)=([^&\s,;"']*)/gi;
/** Stream id of an address or option: it may contain `#`, `,` and `=`. */
const STREAM_ID = /([?&\s,;]|^)(streamid)=([^&\s"']+)/gi;

/** Application of an RTMP address, and the name under which a stream is published or played there: the stream key. */
const RTMP_KEY = /\b(rtmps?:\/\/[^/?#\s"']*\/[^?#\s"']*\/)([^/?#\s"']+)/gi;
/** First group: an address up to its path. Second group: the path, which may contain keys. */
const PATH = /\b((?:https?|tshttps?|hlss?|m4[fs]s?|rtsps?|wss?):\/\/[^/?#\s"']*)(\/[^?#\s"']*)/gi;
/**
 * Path of channel providers: user, password and number of the channel; before them may be the length and start of a recording.
 */
const PROVIDER_LOGIN =
  /^(\/+(?:(?:live|movie|series)\/+)?[^/]+\/+|\/+timeshift\/+[^/]+\/+)[^/]+((?:\/+\d+\/+[\d:_-]+)?\/+\d+(?:\.\w{2,4})?\/*)$/i;
/**
 * Names of folders that are never the user name of a provider: nothing in `/hls/studio1/7.ts` is masked because of its
 * position.
 */
const FOLDER =
  /^\/+(?!(?:live|movie|series)\/+[^/]+\/+[^/]+\/+[^/]|timeshift\/)(?:api|app|archive|assets|audio|cams?|cameras?|cdn|channels?|content|dash|demo|dvr|edge|events|files?|hls|in|input|iptv|live|media|mpegts|origin|out|output|play|playlists?|public|radio|recordings?|static|streams?|streaming|test|ts|tv|udp|rtp|movies?|series|videos?|vod|v?\d+)\//i;
/** Segment of a path with the key of a chat bot. */
const BOT_KEY = /^(bot\d+:).+$/;
/** Parameter within a segment: `password=…` of cameras, `hmac=…` of content delivery networks. */
const SEGMENT_PARAMETER = /(^|[&;,~_!])([a-z][a-z.-]*)=(.+?)(?=[&;,~_!][a-z][a-z.-]*=|$)/gi;

/** Replaces keys in addresses, except logins before the host: in paths, in parameters, and as the stream id of SRT. */
export function maskKeys(text: string, mask: string): string {
  if (!text.includes('://')) return text;
  return text
    .replace(WORD, (word) => (word.includes('@') ? maskSloppyLogin(word, mask) : word))
    .replace(RTMP_KEY, (_whole, before: string) => before + mask)
    .replace(PATH, (_whole, before: string, path: string) => before + maskPath(path, mask, before))
    .replace(STREAM_ID, `$1$2=${mask}`)
    .replace(PARAMETER, (match, before: string, name: string, value: string) =>
      /[?&#;]/.test(before) && value !== '' && isKeyLike(decoded(value)) ? `${before}${name}=${mask}` : match,
    );
}

function maskSloppyLogin(word: string, mask: string): string {
  const from = word.indexOf('://') + 3;
  return from < 3 ? word : word.slice(0, from) + word.slice(from).replace(SLOPPY_LOGIN, `${mask}@`);
}

function maskPath(path: string, mask: string, before: string): string {
  const isByHttp = !/^(rtsp|ws)/i.test(before);
  const segments = (isByHttp && !FOLDER.test(path) ? path.replace(PROVIDER_LOGIN, `$1${mask}$2`) : path).split('/');
  return segments
    .map((segment, index) => {
      if (BOT_KEY.test(segment)) return segment.replace(BOT_KEY, `$1${mask}`);
      const shown = segment.replace(SEGMENT_PARAMETER, (match, mark: string, name: string) =>
        isSecretName(name) ? `${mark}${name}=${mask}` : match,
      );
      if (shown !== segment) return shown;
      // The extension of a file stays visible.
      const [, name = '', type = ''] = /^(.*?)(\.[a-z]\w{1,3})?$/i.exec(segment) ?? [];
      const isNamed = name !== '' && SECRET_END.test(wordsOf(segments[index - 1] ?? '').replaceAll('_', ''));
      return isNamed || isKeyLike(decoded(name)) ? mask + type : segment;
    })
    .join('/');
}

function decoded(text: string): string {
  return text.replaceAll(/%([2-7][\da-f])/gi, (_whole, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );
}

/** Replaces paths on this machine in a text, such as those in messages of the system. */
export function withoutDiskPaths(text: string): string {
  return text
    .replaceAll(/'(?:\/|[a-z]:\\)[^']*'/gi, "'…'")
    .replaceAll(/(?<![\w:/.])(?:\/|[a-z]:\\)[\w.-]+[/\\][^\s'":,;]*/gi, '…');
}

/** Reports whether an option, parameter or header of this name contains a secret, in any style of joining words. */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  return SECRET_WORD.test(words) || SECRET_END.test(words.replaceAll('_', ''));
}

function wordsOf(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[.-]/g, '_');
}

/** Replaces user names, passwords and keys of all addresses in a text by `***`. */
export function maskSecrets(text: string): string {
  return maskKeys(text, '***')
    .replace(USER_INFO, (match, scheme: string, user: string) => (isAddress(scheme, user) ? match : `${scheme}***@`))
    .replace(STREAM_ID, '$1$2=***')
    .replace(PARAMETER, (match, before: string, name: string, value: string) =>
      isSecretName(name) && value !== '' ? `${before}${name}=***` : match,
    );
}

/** Address of which only scheme, host and port are shown, because any part of its path or query may be a key. */
export function maskAfterHost(text: string, mask: string): string {
  const [, scheme = '', authority = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#\\]*)(.*)$/is.exec(text) ?? [];
  const host = /^(?:.*@)?((?:\[[\da-f:.]+\]|[\p{L}\p{N}._-]+)(?::\d+)?)$/iu.exec(authority)?.[1];
  // A password may contain any characters, so nothing before an `@` is shown.
  if (host === undefined || rest.includes('@')) return scheme + mask;
  return host === authority && (rest === '' || rest === '/') ? text : `${scheme}${host}/${mask}`;
}

/**
 * Reports whether the text before `@` is an address of a multicast source or empty, as in `udp://source@group` and
 * `udp://@group`, and no user name.
 */
function isAddress(scheme: string, user: string): boolean {
  return user === '' || /^(udp|rtp):/i.test(scheme);
}

/** Masks the secrets in a sentence and in its facts. */
export function maskExplained({ detail, explanation }: Explained): Explained {
  return { detail: maskSecrets(detail), ...(explanation ? { explanation: maskFacts(explanation) } : {}) };
}

function maskFacts({ code, facts }: Explanation): Explanation {
  const masked = Object.entries(facts).map(([name, fact]): [string, Explanation['facts'][string]] => {
    if (typeof fact === 'number') return [name, fact];
    return [name, typeof fact === 'string' ? maskSecrets(fact) : maskFacts(fact)];
  });
  return { code, facts: Object.fromEntries(masked) };
}
