/** The two things that an address of the web can be for Airdesk: an HLS playlist, or a transport stream without an end. */
export type WebKind = 'hls' | 'tshttp';

/** How an address that begins with `http://` or `https://` is read. */
export interface WebReading {
  readonly kind: WebKind;
  /** The address with the scheme that says so. */
  readonly url: string;
}

/** Reads an address of the web as what is wished, or else as what its path looks like: a playlist ends in `.m3u8`. Null for any other address. */
export function readWebAddress(address: string, wish: WebKind | null): WebReading | null {
  const [, secure, rest] = /^http(s?):\/\/(.+)$/i.exec(address.trim()) ?? [];
  if (secure === undefined || rest === undefined) return null;
  const kind = wish ?? (/\.m3u8?$/i.test(rest.replace(/[?#].*$/, '')) ? 'hls' : 'tshttp');
  return { kind, url: `${kind}${secure.toLowerCase()}://${rest}` };
}
