import { describe, expect, it } from 'vitest';
import { playablePart } from './playable-part.ts';

const playlist = (codecs: string): string =>
  `#EXTM3U\n#EXT-X-VERSION:9\n#EXT-X-STREAM-INF:BANDWIDTH=900,CODECS="${codecs}",RESOLUTION=640x360,AUDIO="a"\nv1/index.m3u8?token=x\n`;
/** Decoders of a browser with H.264 and AAC only. */
const browser = (type: string): boolean => /codecs="(avc1|mp4a\.40\.2")/.test(type);

describe('playablePart', () => {
  it.each([
    ['avc1.640028,ac-3', { kind: 'video', uri: 'v1/index.m3u8?token=x', missing: 'ac-3' }],
    ['avc1.640028,mp4a.40.33', { kind: 'video', uri: 'v1/index.m3u8?token=x', missing: 'mp4a.40.33' }],
    ['hvc1.1.6.L93.90,mp4a.40.2', { kind: 'stills', missing: 'hvc1.1.6.L93.90' }],
    ['ac-3', { kind: 'nothing' }],
    ['avc1.640028,mp4a.40.2', { kind: 'nothing' }],
  ])('returns the decodable part for the codecs %s', (codecs, rest) => {
    expect(playablePart(playlist(codecs), browser)).toEqual(rest);
  });

  it('is empty without codecs', () => {
    expect(playablePart('#EXTM3U\n', browser)).toEqual({ kind: 'nothing' });
  });
});
