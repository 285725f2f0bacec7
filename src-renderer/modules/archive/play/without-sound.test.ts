import { expect, it } from 'vitest';
import { withoutSound } from './without-sound.ts';

const HEAD = ['#EXTM3U', '#EXT-X-VERSION:9', '#EXT-X-INDEPENDENT-SEGMENTS'];
const SOUND = '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="a1",DEFAULT=YES,URI="a1/archive-1-2.m3u8"';
const WORDS = '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="text",NAME="s1",URI="s1/archive-1-2.m3u8"';
const variant = (codecs: string, rest = ''): string =>
  `#EXT-X-STREAM-INF:BANDWIDTH=446006,CODECS="${codecs}",RESOLUTION=320x180,FRAME-RATE=25${rest},CLOSED-CAPTIONS=NONE`;
const playlist = (...lines: string[]): string => [...HEAD, ...lines, ''].join('\n');

it('withoutSound removes the audio of all variants, and nothing else', () => {
  const sound = playlist(
    ...[SOUND, WORDS, variant('avc1.64001f,mp4a.40.2', ',AUDIO="audio"'), 'v1/a.m3u8'],
    ...[variant('hvc1.1.6.L93.B0,ec-3', ',AUDIO="audio"'), 'v2/a.m3u8'],
  );
  expect(withoutSound(sound)).toBe(
    playlist(WORDS, variant('avc1.64001f'), 'v1/a.m3u8', variant('hvc1.1.6.L93.B0'), 'v2/a.m3u8'),
  );
});

it('withoutSound does not change radio streams, video without audio, muxed audio and media playlists', () => {
  for (const text of [
    playlist('#EXT-X-STREAM-INF:BANDWIDTH=73846,CODECS="mp4a.40.2",AUDIO="audio"', 'a1/a.m3u8'),
    playlist(variant('avc1.64001f'), 'v1/a.m3u8'),
    playlist(variant('avc1.64001f,mp4a.40.2'), 'a.m3u8'),
    playlist('#EXTINF:4,', 'a.m4s'),
  ])
    expect(withoutSound(text)).toBe(text);
});
