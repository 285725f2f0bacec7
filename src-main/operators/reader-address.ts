import { MASK, maskAddress } from '../config/schema/secrets.ts';

/** Part of an address that is shown: up to the path, or up to the port. */
export type AddressPart = 'path' | 'host';

/** Host name or IP address, with its port. */
const HOST = /^(?:\[[0-9a-f:.]{2,45}\]|[\p{L}\p{N}._~+-]{0,255})(?::\d{0,5})?$/iu;
const SCHEME = /^[a-z][a-z0-9+.-]{0,19}$/i;
/** Maximum distance between the start of a scheme and `://`, in characters. */
const SCHEME_LENGTH = 20;
const END_OF_ADDRESS = /[\s"'<>|]/;

/**
 * Address as shown to callers without write access: scheme, host, port and path. Removes user, query and fragment, and the last
 * segment of an RTMP path, which is a key. Removes everything that it does not recognize.
 */
export function readerAddress(address: string, part: AddressPart = 'path'): string {
  const colon = address.indexOf('://');
  const scheme = address.slice(0, Math.max(0, colon));
  if (!SCHEME.test(scheme)) return MASK;
  const rest = address.slice(colon + 3);
  const end = indexOfAny(rest, '/?#');
  const authority = rest.slice(0, end);
  const path = rest.slice(end, end + indexOfAny(rest.slice(end), '?#;'));
  // A password may contain any of these characters, so nothing before an `@` is shown.
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (!HOST.test(host) || rest.includes('@', end)) return `${scheme}://${MASK}`;
  return part === 'host'
    ? `${scheme}://${host}`
    : maskAddress(`${scheme}://${host}${readerPath(scheme.toLowerCase(), path)}`);
}

/** Text as shown to callers without write access: its addresses are cut to scheme, host and port. */
export function readerText(text: string): string {
  const shown: string[] = [];
  let from = 0;
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', from)) {
    let start = at;
    while (start > from && at - start < SCHEME_LENGTH && /[a-z0-9+.-]/i.test(text.charAt(start - 1))) start--;
    let end = at + 3;
    while (end < text.length && !END_OF_ADDRESS.test(text.charAt(end))) end++;
    shown.push(text.slice(from, start), readerAddress(text.slice(start, end), 'host'));
    from = end;
  }
  return shown.length === 0 ? text : shown.join('') + text.slice(from);
}

/** Path to show. The last segment of an RTMP path is the stream key. */
function readerPath(scheme: string, path: string): string {
  if (!scheme.startsWith('rtmp')) return path;
  const slash = path.lastIndexOf('/');
  return slash < 0 || slash === path.length - 1 ? path : `${path.slice(0, slash + 1)}${MASK}`;
}

function indexOfAny(text: string, characters: string): number {
  for (let at = 0; at < text.length; at++) if (characters.includes(text.charAt(at))) return at;
  return text.length;
}
