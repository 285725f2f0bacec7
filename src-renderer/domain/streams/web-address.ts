/** Kinds of web addresses: an HLS playlist, or an endless transport stream over HTTP. */
export type WebKind = 'hls' | 'tshttp';

/** Interpretation of an address with `http://` or `https://`. */
export interface WebReading {
  readonly kind: WebKind;
  /** Address with the scheme of its kind. */
  readonly url: string;
}

/**
 * Interprets a web address by the chosen kind. Without a choice, the path decides: a playlist ends in `.m3u8`. Null for any
 * other address.
 */
export function readWebAddress(address: string, chosen: WebKind | null): WebReading | null {
  const [, secure, rest] = /^http(s?):\/\/(.+)$/i.exec(address.trim()) ?? [];
  if (secure === undefined || rest === undefined) return null;
  const kind = chosen ?? (/\.m3u8?$/i.test(rest.replace(/[?#].*$/, '')) ? 'hls' : 'tshttp');
  return { kind, url: `${kind}${secure.toLowerCase()}://${rest}` };
}
