/** Playable part of a stream that the browser cannot decode completely. */
export type PlayablePart =
  | { readonly kind: 'video'; readonly uri: string; readonly missing: string }
  | { readonly kind: 'stills'; readonly missing: string }
  | { readonly kind: 'nothing' };

const VIDEO = /^(avc[13]|hvc1|hev1|av01|vp0[89])/i;

/**
 * Finds the playable part of a stream by the codecs of its multivariant playlist (RFC 8216bis 4.4.6.2): the video rendition alone
 * if the audio cannot be decoded, stills if the video cannot be decoded.
 */
export function playablePart(playlist: string, isSupported: (mediaType: string) => boolean): PlayablePart {
  const [, codecs = '', uri = ''] = /^#EXT-X-STREAM-INF:.*?CODECS="([^"]*)".*\r?\n([^#\r\n]+)/m.exec(playlist) ?? [];
  const all = codecs.split(',').map((codec) => codec.trim());
  const video = all.find((codec) => VIDEO.test(codec));
  if (video === undefined) return { kind: 'nothing' };
  if (!isSupported(`video/mp4; codecs="${video}"`)) return { kind: 'stills', missing: video };
  const missing = all.find((codec) => codec !== video && !isSupported(`audio/mp4; codecs="${codec}"`));
  return missing === undefined ? { kind: 'nothing' } : { kind: 'video', uri, missing };
}
