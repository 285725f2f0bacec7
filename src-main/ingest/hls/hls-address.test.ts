import { describe, expect, it } from 'vitest';
import { parsePlaylist } from '../../media/manifests/hls/parse-playlist.ts';
import { CookieJar } from './cookie-jar.ts';
import { parseHlsAddress } from './hls-address.ts';
import { segmentKindOf } from './segments/segment-kind.ts';
import { chooseVariant, parseVariantWish } from './variant-choice.ts';

describe('parseHlsAddress', () => {
  it('keeps the query for the server, and accepts options separately', () => {
    const settings = parseHlsAddress('hlss://user:pw@host:8443/a/index.m3u8?token=x&variant=worst', {
      variant: '1280x720',
      language: 'de',
      loop: 'true',
      user_agent: 'Box/2',
      headers: 'Referer: https://example.org/|X-Key:1',
    });
    expect(settings).toEqual({
      url: new URL('https://user:pw@host:8443/a/index.m3u8?token=x&variant=worst'),
      variant: { kind: 'size', width: 1280, height: 720 },
      language: 'de',
      loop: true,
      userAgent: 'Box/2',
      headers: new Map([
        ['Referer', 'https://example.org/'],
        ['X-Key', '1'],
      ]),
    });
    expect(parseHlsAddress('hls://host/x', {})).toMatchObject({
      variant: { kind: 'best' },
      loop: false,
      userAgent: 'Airdesk',
    });
  });

  it.each([
    ['http://host/x', {}],
    ['hls://', {}],
    ['hls://host/x', { variant: 'large' }],
    ['hls://host/x', { loop: 'yes' }],
    ['hls://host/x', { headers: 'no colon' }],
    ['hls://host/x', { headers: 'Bad name: x' }],
    ['hls://host/x', { user_agent: 'a\nb' }],
  ])('refuses %s with %o', (url, options: Record<string, string>) => {
    expect(parseHlsAddress(url, options)).toMatchObject({ code: 'bad_input_url' });
  });
});

describe('chooseVariant', () => {
  const playlist = parsePlaylist(`#EXTM3U
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en-GB",AUTOSELECT=YES,URI="en.m3u8"
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Deutsch",LANGUAGE="de",DEFAULT=YES,URI="de.m3u8"
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="inside"
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="b",NAME="inside",DEFAULT=YES
#EXT-X-STREAM-INF:BANDWIDTH=9000000,CODECS="av01.0.08M.08,mp4a.40.2",RESOLUTION=3840x2160
av1
#EXT-X-STREAM-INF:BANDWIDTH=5000000,CODECS="avc1.640028,mp4a.40.2",RESOLUTION=1920x1080,AUDIO="a"
full
#EXT-X-STREAM-INF:BANDWIDTH=5000000,CODECS="avc1.640028,mp4a.40.2",RESOLUTION=1920x1080,AUDIO="a"
full-backup
#EXT-X-STREAM-INF:BANDWIDTH=2000000,RESOLUTION=1280x720,AUDIO="b"
half
#EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.5"
sound`);
  const choose = (wish: string, language?: string): unknown => {
    const parsed = parseVariantWish(wish);
    if (playlist?.kind !== 'multivariant' || !parsed) throw new Error('no playlist or wish');
    const choice = chooseVariant(playlist, parsed, language);
    return choice && [choice.variant.uri, choice.audio?.uri];
  };

  it.each([
    ['best', undefined, ['full', 'de.m3u8']],
    ['worst', undefined, ['half', undefined]],
    ['1280x720', undefined, ['half', undefined]],
    ['1900x1000', 'en', ['full', 'en.m3u8']],
    ['4999', undefined, ['half', undefined]],
    ['5000', 'Deutsch', ['full', 'de.m3u8']],
    ['100', undefined, ['half', undefined]],
    ['best', 'fr', ['full', 'de.m3u8']],
  ])('chooses by the variant option %s and the language %s', (wish, language, expected) => {
    expect(choose(wish, language)).toEqual(expected);
  });

  it('chooses audio only if there is no video, and returns undefined if no codec is supported', () => {
    const radio = parsePlaylist(
      '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="mp4a.40.2"\na\n#EXT-X-STREAM-INF:BANDWIDTH=2,CODECS="vp09.00"\nb',
    );
    if (radio?.kind !== 'multivariant') throw new Error('no playlist');
    expect(chooseVariant(radio, { kind: 'best' })).toMatchObject({ variant: { uri: 'a' }, isAudioOnly: true });
    expect(chooseVariant({ ...radio, variants: radio.variants.slice(1) }, { kind: 'best' })).toBeUndefined();
  });
});

describe('CookieJar', () => {
  const header = (lines: readonly string[], from: string, to: string): string | undefined => {
    const jar = new CookieJar();
    jar.take(new URL(from), lines, Date.UTC(2026, 0, 1));
    return jar.header(new URL(to));
  };

  it.each([
    [['a=1'], 'http://h/live/x.m3u8', 'http://h/live/1.ts', 'a=1'],
    [['a=1'], 'http://h/live/x.m3u8', 'http://h/other', undefined],
    [['a=1; Path=/live'], 'http://h/x', 'http://h/lively', undefined],
    [['a=1; Path=/; Domain=example.org'], 'http://a.example.org/x', 'http://b.example.org/y', 'a=1'],
    [['a=1; Path=/; Domain=other.org'], 'http://a.example.org/x', 'http://other.org/y', undefined],
    [['a=1; Path=/; Domain=org'], 'http://example.org/x', 'http://other.org/y', undefined],
    [['a=1; Path=/'], 'http://example.org/x', 'http://a.example.org/x', undefined],
    [['a=1; Path=/; Secure'], 'https://h/x', 'http://h/x', undefined],
    [['a=1; Path=/', 'a=2; Path=/', 'b=3; Path=/'], 'http://h/x', 'http://h/y', 'a=2; b=3'],
    [['a=1; Path=/', 'a=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT'], 'http://h/x', 'http://h/y', undefined],
    [[`a=${'x'.repeat(5000)}`, '=1', 'none'], 'http://h/x', 'http://h/x', undefined],
  ])('after %j from %s, sends to %s: %s', (lines, from, to, expected) => {
    expect(header(lines, from, to)).toBe(expected);
  });
});

describe('segmentKindOf', () => {
  const packets = Buffer.alloc(188 * 4, 0xff);
  for (let at = 0; at < packets.length; at += 188) packets[at] = 0x47;

  it.each([
    ['a transport stream', packets, 'mpegts'],
    ['a transport stream after some bytes', Buffer.concat([Buffer.alloc(5, 1), packets]), 'mpegts'],
    ['a fragment', Buffer.from('\0\0\0\x18styp0000'), 'fmp4'],
    ['ADTS', Buffer.from([0xff, 0xf1, 0x50]), 'packed-audio'],
    ['MP3', Buffer.from([0xff, 0xfb, 0x90]), 'packed-audio'],
    ['AC-3', Buffer.from([0x0b, 0x77]), 'packed-audio'],
    ['ID3', Buffer.from('ID3'), 'packed-audio'],
    ['subtitles', Buffer.from('WEBVTT\n\n'), undefined],
    ['nothing', Buffer.alloc(0), undefined],
  ])('detects %s', (_what, bytes, kind) => {
    expect(segmentKindOf(bytes)).toBe(kind);
  });
});
