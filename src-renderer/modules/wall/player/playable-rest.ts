/** What a browser can play of a stream that it cannot decode as a whole. */
export type PlayableRest =
  | { readonly kind: 'video'; readonly uri: string; readonly missing: string }
  | { readonly kind: 'stills'; readonly missing: string }
  | { readonly kind: 'nothing' };

const VIDEO = /^(avc[13]|hvc1|hev1|av01|vp0[89])/i;

/**
 * Finds the part of a stream that can be decoded, by the codecs of its multivariant playlist (RFC 8216bis 4.4.6.2): the video rendition alone where it is the
 * sound that cannot be, single pictures where it is the video.
 */
export function playableRest(playlist: string, isSupported: (mediaType: string) => boolean): PlayableRest {
  const [, codecs = '', uri = ''] = /^#EXT-X-STREAM-INF:.*?CODECS="([^"]*)".*\r?\n([^#\r\n]+)/m.exec(playlist) ?? [];
  const all = codecs.split(',').map((codec) => codec.trim());
  const video = all.find((codec) => VIDEO.test(codec));
  if (video === undefined) return { kind: 'nothing' };
  if (!isSupported(`video/mp4; codecs="${video}"`)) return { kind: 'stills', missing: video };
  const missing = all.find((codec) => codec !== video && !isSupported(`audio/mp4; codecs="${codec}"`));
  return missing === undefined ? { kind: 'nothing' } : { kind: 'video', uri, missing };
}
