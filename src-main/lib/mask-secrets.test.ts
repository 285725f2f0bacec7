import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { expectLinear } from '../../tests/helpers/growth.ts';
import { maskAfterHost, maskSecrets, withoutDiskPaths } from './mask-secrets.ts';

describe('an address whose path may be a key', () => {
  it.each([
    ['tshttp://host', 'tshttp://host'],
    ['tshttps://host:8080/', 'tshttps://host:8080/'],
    ['tshttp://host/k', 'tshttp://host/***'],
    ['tshttp://host?k', 'tshttp://host/***'],
    ['tshttp://host#k', 'tshttp://host/***'],
    ['tshttp://host\\k', 'tshttp://host/***'],
    ['tshttp://user:k@host', 'tshttp://host/***'],
    ['tshttp://user:k@[2001:db8::1]:80/k', 'tshttp://[2001:db8::1]:80/***'],
    ['tshttp://user:1/k@host/k', 'tshttp://***'],
    ['tshttp://user:k:k/k', 'tshttp://***'],
    ['tshttp:///k', 'tshttp://***'],
    ['k', '***'],
  ])('shows of %j only %j', (address, shown) => {
    expect(maskAfterHost(address, '***')).toBe(shown);
  });
});

describe('masked texts', () => {
  it.each([
    ['rtsp://user:secret@host:554/cam?channel=1', 'rtsp://***@host:554/cam?channel=1'],
    ['rtsp://user:s@cret@host/cam', 'rtsp://***@host/cam'],
    ['rtmps://u:p@[2001:db8::1]/app/key', 'rtmps://***@[2001:db8::1]/app/***'],
    [
      'Connection to tcp://u:p@host:1 failed, tried srt://h:1?passphrase=verysecret&mode=caller',
      'Connection to tcp://***@host:1 failed, tried srt://h:1?passphrase=***&mode=caller',
    ],
    ['srt://h:1?mode=caller passphrase=verysecret latency=20', 'srt://h:1?mode=caller passphrase=*** latency=20'],
    ['https://host/a?Token=abc&x=1', 'https://host/a?Token=***&x=1'],
    ['udp://source@232.0.0.1:1234', 'udp://source@232.0.0.1:1234'],
    ['udp://@:1234', 'udp://@:1234'],
    ['rtmp://host/live/cam-1?x=1', 'rtmp://host/live/***?x=1'],
    ['rtmp://host:1935/app', 'rtmp://host:1935/app'],
    ['https://host/live/4f9a1c0be27d6653/index.m3u8', 'https://host/live/***/index.m3u8'],
    ['hls://host/a/dGhpc0lzQVNlY3JldDE.m3u8', 'hls://host/a/***.m3u8'],
    ['http://host:8080/live/user/pass/1234.ts', 'http://host:8080/live/user/***/1234.ts'],
    [
      'https://hooks.example.com/services/T00000000/B00000000/XyZ0123456789abcdefghijk',
      'https://hooks.example.com/services/T00000000/B00000000/***',
    ],
    ['https://api.example.org/bot110201543:AAHdqTcv-CH1vGWJxf/send', 'https://api.example.org/bot110201543:***/send'],
    [
      'http://host/live/channel-one-2026/tracks-v1a1/index.m3u8',
      'http://host/live/channel-one-2026/tracks-v1a1/index.m3u8',
    ],
    ['http://host/archive-1700000000-3600.m3u8', 'http://host/archive-1700000000-3600.m3u8'],
    ['http://host/20261128180000123/documentaries.mp4', 'http://host/20261128180000123/documentaries.mp4'],
    ['http://host:8080/user/pass/1234', 'http://host:8080/user/***/1234'],
    ['tshttp://host/user/pass/1234.ts?x=1', 'tshttp://host/user/***/1234.ts?x=1'],
    [
      'http://host//timeshift/user/pass/60/2026-11-28:18-00/7.ts',
      'http://host//timeshift/user/***/60/2026-11-28:18-00/7.ts',
    ],
    ['http://host/live/studio1', 'http://host/live/studio1'],
    ['http://host/live/studio1/7.ts', 'http://host/live/studio1/7.ts'],
    ['http://host/hls/cam/index.m3u8', 'http://host/hls/cam/index.m3u8'],
    ['http://host/Streaming/Channels/101', 'http://host/Streaming/Channels/101'],
    ['http://host/hls/Kabel1HD/1080p50/s01e05/index.m3u8', 'http://host/hls/Kabel1HD/1080p50/s01e05/index.m3u8'],
    ['http://host/hls/a8Fk3Lq9/index.m3u8', 'http://host/hls/***/index.m3u8'],
    ['http://host/hls/a%38Fk3Lq9.m3u8', 'http://host/hls/***.m3u8'],
    ['http://host/cam?k=4f9a1c0b&tracks=v1a1a2', 'http://host/cam?k=***&tracks=v1a1a2'],
    ['rtsp://host:7447/TbFE53hnLgxQy7Wn', 'rtsp://host:7447/***'],
    ['https://host/token/short/cam.m3u8', 'https://host/token/***/cam.m3u8'],
    ['https://host/hdnts=exp=17~acl=/*~hmac=abc/cam.m3u8', 'https://host/hdnts=***~acl=/*~hmac=***/cam.m3u8'],
    [
      'rtsp://host/user=admin_password=a_b_channel=1_stream=0.sdp',
      'rtsp://host/user=admin_password=***_channel=1_stream=0.sdp',
    ],
    ['srt://host:9000?streamid=#!::r=a,s=b&latency=20', 'srt://host:9000?streamid=***&latency=20'],
    ['rtsp://user:wo/rd@host/cam', 'rtsp://***@host/cam'],
    ['rtsp://user:12#rd@host/cam', 'rtsp://***@host/cam'],
    ['http://192.0.2.1:80/@news/index.m3u8', 'http://192.0.2.1:80/@news/index.m3u8'],
    ['mail to a@b, no address', 'mail to a@b, no address'],
    ['file:///media/a@b/clip.mkv', 'file:///media/a@b/clip.mkv'],
  ])('hide only secrets: %s', (text, masked) => {
    expect(maskSecrets(text)).toBe(masked);
  });

  it.each([
    [
      "ENOENT: no such file or directory, open '/var/lib/airdesk/x y.csv'",
      "ENOENT: no such file or directory, open '…'",
    ],
    ['cannot open C:\\data\\subscribers.db, code 14', 'cannot open …, code 14'],
    ['/var/lib/airdesk/a.db is locked', '… is locked'],
    ['GET https://host/a/b and 1/2 and/or', 'GET https://host/a/b and 1/2 and/or'],
    ['there is no room', 'there is no room'],
  ])('hide paths on disk: %s', (text, expected) => {
    expect(withoutDiskPaths(text)).toBe(expected);
  });

  /** Words in which letters and digits alternate. */
  const KEY = fc
    .array(fc.constantFrom('q', 'x', 'B', 'K', 'Z'), { minLength: 6, maxLength: 40 })
    .map((letters) => letters.map((letter, index) => (index % 2 === 0 ? letter : String(index % 10))).join(''));
  /** Ordinary words, which are secrets only because of their position. */
  const WORD = fc.stringMatching(/^zq[a-z]{4,12}$/);
  const NAME = fc.constantFrom(
    'live',
    'studio1',
    'hls',
    'cam-2',
    'news24',
    'channel_one',
    'Kabel1HD',
    '1080p50',
    'tracks-v1a1',
  );
  const TYPE = fc.constantFrom('', '.ts', '.m3u8', '.mp4');
  const HTTP = fc.constantFrom('http', 'https', 'tshttp', 'tshttps', 'hls', 'hlss', 'm4f', 'm4s');
  const HOST = fc.constantFrom('192.0.2.1', 'media.example.org:8080', '[2001:db8::1]:80', 'user:word@192.0.2.1');
  const PATH = fc.array(NAME, { maxLength: 3 }).map((names) => names.map((name) => `/${name}`).join(''));
  /** Texts around an address. */
  const AROUND = fc.constantFrom<readonly [string, string]>(
    ['', ''],
    ['Cannot open "', '": refused'],
    ['see ', ' (2nd try)'],
  );

  it('hide keys at every position of an address', () => {
    const forms = fc.oneof(
      fc
        .tuple(HTTP, HOST, PATH, KEY, TYPE, PATH)
        .map(([s, h, p, key, type, q]) => [key, `${s}://${h}${p}/${key}${type}${q}`]),
      fc
        .tuple(fc.constantFrom('rtsp', 'rtsps', 'wss'), HOST, PATH, KEY)
        .map(([s, h, p, key]) => [key, `${s}://${h}${p}/${key}`]),
      fc.tuple(HTTP, HOST, PATH, KEY, NAME).map(([s, h, p, key, name]) => [key, `${s}://${h}${p}?k=${key}&n=${name}`]),
      fc
        .tuple(HTTP, HOST, fc.constantFrom('', '/live', '/movie', '/series'), WORD, WORD, fc.nat(), TYPE)
        .map(([s, h, p, user, word, n, type]) => [word, `${s}://${h}${p}/u${user}/${word}/${n}${type}`]),
      fc
        .tuple(HTTP, HOST, PATH, fc.constantFrom('token', 'api_key', 'streamKey'), WORD, TYPE)
        .map(([s, h, p, name, word, type]) => [word, `${s}://${h}${p}/${name}/${word}${type}`]),
      fc
        .tuple(HTTP, HOST, PATH, fc.constantFrom('token', 'password', 'hmac', 'hdnts'), WORD)
        .map(([s, h, p, name, word]) => [word, `${s}://${h}${p}/exp=1~${name}=${word}/index.m3u8`]),
      fc
        .tuple(HOST, fc.constantFrom('', '#!::r=a,u=b,s=', '%23!::r=a,'), WORD, fc.constantFrom('', '&latency=20'))
        .map(([h, before, word, after]) => [word, `srt://${h}?mode=caller&streamid=${before}${word}${after}`]),
      fc.tuple(fc.constantFrom('rtmp', 'rtmps'), HOST, WORD).map(([s, h, word]) => [word, `${s}://${h}/app/${word}`]),
      fc
        .tuple(fc.constantFrom('rtsp', 'http'), fc.constantFrom('/', '?', '#', '@', ':'), WORD, WORD)
        .map(([s, mark, a, word]) => [word, `${s}://user:${a}${mark}${word}@192.0.2.1/cam`]),
    );
    fc.assert(
      fc.property(forms, AROUND, ([key = '', address = ''], [before, after]) => {
        const text = before + address + after;
        const shown = maskSecrets(text);
        expect(shown).not.toContain(key);
        expect(shown.startsWith(before) && shown.endsWith(after)).toBe(true);
        expect(maskSecrets(shown)).toBe(shown);
      }),
      { numRuns: 2_000 },
    );
  });

  it('contain ordinary names unchanged', () => {
    fc.assert(
      fc.property(HTTP, PATH, NAME, TYPE, (scheme, path, name, type) => {
        const address = `${scheme}://192.0.2.1:8080${path}/${name}${type}?tracks=v1a1`;
        expect(maskSecrets(address)).toBe(address);
      }),
    );
  });

  it.each(['http://h/', 'a://u:/', 'rtsp://h/a=', 'srt://h?streamid=', 'Aa1', '/', '_a=', '@', 'rtmp://a//'])(
    'take time proportional to the length of %s',
    async (piece) => {
      await expectLinear({
        make: (size) => `http://h:x/${piece.repeat(Math.ceil(size / piece.length))}`,
        run: maskSecrets,
      });
    },
  );
});
