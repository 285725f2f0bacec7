import { describe, expect, it } from 'vitest';
import { originForm } from '../lib/http-semantics.ts';
import { readMediaAddress } from './media-address.ts';

const RANGE = { kind: 'range', fromSeconds: 1_795_233_066, durationSeconds: 60, isMuxed: false };
const REWIND = { kind: 'rewind', seconds: 3600, name: 'rewind-3600', isMuxed: false };

/** Names of time spans in all forms. */
const SPANS: readonly (readonly [name: string, span: object])[] = [
  ['archive-1795233066-60', RANGE],
  ['index-1795233066-60', RANGE],
  ['archive-1795233066-now', { ...RANGE, durationSeconds: Infinity }],
  ['timeshift_rel-60', { kind: 'delayed', seconds: 60, isMuxed: false }],
  ['timeshift_abs-1795233066', { kind: 'delayed-from', fromSeconds: 1_795_233_066, isMuxed: false }],
];

function muxed(name: string): object {
  return { ...RANGE, name, isMuxed: true };
}

function spanRows(name: string, rest: object): [path: string, stream: string, resource: object][] {
  const span = { ...rest, name };
  return [
    [`/a/cam1/${name}.m3u8`, 'a/cam1', { kind: 'multivariant', span }],
    [`/a/cam1/v1/${name}.m3u8`, 'a/cam1', { kind: 'media-playlist', trackId: 'v1', span }],
    [`/a/cam1/${name}.ts.m3u8`, 'a/cam1', { kind: 'ts-playlist', span }],
    [`/a/cam1/${name}.json`, 'a/cam1', { kind: 'json-manifest', span }],
    [`/a/cam1/${name}.mpd`, 'a/cam1', { kind: 'mpd', span }],
    [`/a/cam1/${name}.ts`, 'a/cam1', { kind: 'mpegts', span }],
    [`/a/cam1/${name}.mp4`, 'a/cam1', { kind: 'mp4', span }],
  ];
}

/** Addresses of all kinds: path, stream and resource. */
const ADDRESSES: readonly (readonly [path: string, stream: string, resource: object])[] = [
  ['/cam1/index.m3u8', 'cam1', { kind: 'multivariant' }],
  ['/live/cam1/index.ts.m3u8', 'live/cam1', { kind: 'ts-playlist' }],
  ['/cam1/index.ll.m3u8', 'cam1', { kind: 'multivariant' }],
  ['/cam1/break-b7x2.m3u8', 'cam1', { kind: 'multivariant', interstitial: 'b7x2' }],
  ['/cam1/a1/break-b7x2.m3u8', 'cam1', { kind: 'media-playlist', trackId: 'a1', interstitial: 'b7x2' }],
  ['/cam1/index.json', 'cam1', { kind: 'json-manifest' }],
  ['/cam1/rewind-3600.json', 'cam1', { kind: 'json-manifest', span: REWIND }],
  ['/a/cam1.ism/manifest', 'a/cam1', { kind: 'unsupported-format', format: 'smooth' }],
  ['/cam1.isml/Manifest', 'cam1', { kind: 'unsupported-format', format: 'smooth' }],
  ['/cam1/manifest.f4m', 'cam1', { kind: 'unsupported-format', format: 'hds' }],
  ['/cam1/whep', 'cam1', { kind: 'unsupported-format', format: 'webrtc' }],
  ['/a/cam1/shoutcast', 'a/cam1', { kind: 'unsupported-format', format: 'shoutcast' }],
  ['/cam1/logo', 'cam1', { kind: 'unsupported-format', format: 'logo' }],
  ['/a/cam1/images-320x180/seg-1795233066-0.hls.jpg', 'a/cam1', { kind: 'unsupported-format', format: 'images' }],
  ['/images-320x180/preview.jpg', 'images-320x180', { kind: 'preview' }],
  ['/cam1/index.mpd', 'cam1', { kind: 'mpd' }],
  ['/cam1/Manifest.mpd', 'cam1', { kind: 'mpd' }],
  ['/cam1/mpegts', 'cam1', { kind: 'mpegts' }],
  ['/cam1/index.mp4', 'cam1', { kind: 'mp4' }],
  ['/cam1/v1/index.m3u8', 'cam1', { kind: 'media-playlist', trackId: 'v1' }],
  ['/cam1/a2/init-7.mp4', 'cam1', { kind: 'init', trackId: 'a2', initId: 7, addressPrefix: '' }],
  ['/a/b/v1/1795233066009.m4s', 'a/b', { kind: 'segment', trackId: 'v1', address: '1795233066009' }],
  ['/cam1/v1/1795233066009.3.m4s', 'cam1', { kind: 'part', trackId: 'v1', address: '1795233066009', index: 3 }],
  ['/cam1/ts/1795233066009.ts', 'cam1', { kind: 'ts-segment', address: '1795233066009' }],
  ['/cam1/v1/clip7-4000.m4s', 'cam1', { kind: 'segment', trackId: 'v1', address: 'clip7-4000' }],
  ['/cam1/v1/clip7-4000.1.m4s', 'cam1', { kind: 'part', trackId: 'v1', address: 'clip7-4000', index: 1 }],
  ['/cam1/v1/clip7-init-0.mp4', 'cam1', { kind: 'init', trackId: 'v1', initId: 0, addressPrefix: 'clip7-' }],
  ['/cam1/ts/clip7-4000.ts', 'cam1', { kind: 'ts-segment', address: 'clip7-4000' }],
  ['/gate%20one/preview.jpg', 'gate one', { kind: 'preview' }],
  ['/a%2Fb/info.json', 'a/b', { kind: 'info' }],
  ['/cam1/recording_status.json', 'cam1', { kind: 'recording-status' }],
  ['/cam1/video.m3u8', 'cam1', { kind: 'ts-playlist' }],
  ['/cam1/mono.m3u8', 'cam1', { kind: 'ts-playlist' }],
  ...SPANS.flatMap(([name, span]) => spanRows(name, span)),
  ['/cam1/rewind-3600.m3u8', 'cam1', { kind: 'multivariant', span: REWIND }],
  ['/cam1/rewind-3600.mpd', 'cam1', { kind: 'mpd', span: REWIND }],
  ['/cam1/v1/rewind-3600.m3u8', 'cam1', { kind: 'media-playlist', trackId: 'v1', span: REWIND }],
  ['/cam1/video-1795233066-60.m3u8', 'cam1', { kind: 'ts-playlist', span: muxed('video-1795233066-60') }],
  ['/cam1/mono-1795233066-60.m3u8', 'cam1', { kind: 'ts-playlist', span: muxed('mono-1795233066-60') }],
  ['/cam1/preview.mp4', 'cam1', { kind: 'preview-file' }],
  ['/clips/a.mp4/preview-01-02-03.mp4', 'clips/a.mp4', { kind: 'preview-file', filmSeconds: 3723 }],
  ['/clips/a.mp4/manifest', 'clips/a.mp4', { kind: 'mpd' }],
  ['/clips/a.mp4/manifest.mpd', 'clips/a.mp4', { kind: 'mpd' }],
  ['/cam1/1795233066-preview.mp4', 'cam1', { kind: 'preview-file', atSeconds: 1_795_233_066 }],
  ['/cam1/sprite-1795233000-10.jpg', 'cam1', { kind: 'sprite', fromSeconds: 1_795_233_000, stepSeconds: 10 }],
  [
    '/cam1/thumbnails-1795233066-60.vtt',
    'cam1',
    { kind: 'thumbnails', form: 'vtt', fromSeconds: 1_795_233_066, durationSeconds: 60 },
  ],
  [
    '/cam1/thumbnails-1795233066-60.json',
    'cam1',
    { kind: 'thumbnails', form: 'json', fromSeconds: 1_795_233_066, durationSeconds: 60 },
  ],
  [
    '/cam1/thumbnails-1795233066-60.m3u8',
    'cam1',
    { kind: 'thumbnails', form: 'm3u8', fromSeconds: 1_795_233_066, durationSeconds: 60 },
  ],
  ['/cam1/1795233066-preview.jpg', 'cam1', { kind: 'recorded-picture', atSeconds: 1_795_233_066 }],
  ['/cam1/1795233066.jpg', 'cam1', { kind: 'recorded-picture', atSeconds: 1_795_233_066 }],
  ['/cam1/1795233066.48.jpg', 'cam1', { kind: 'recorded-picture', atSeconds: 1_795_233_066.48, isExact: true }],
  // A folder that only resembles a track name belongs to the stream name.
  ['/studio/v0/index.m3u8', 'studio/v0', { kind: 'multivariant' }],
];

describe('readMediaAddress', () => {
  it.each(ADDRESSES)('reads %s', (path, stream, resource) => {
    expect(readMediaAddress(path)).toEqual({ stream, resource });
  });

  it.each(ADDRESSES)(
    'reads %s with one or all of its unreserved characters percent-encoded',
    (path, stream, resource) => {
      const encode = (text: string, pattern: RegExp): string =>
        text.replace(pattern, (one) => `%${one.charCodeAt(0).toString(16)}`);
      const unreserved = /(?<!%|%[0-9A-F])[\w.~-]/g;
      const all = [...path.matchAll(unreserved)].map(
        ({ index }) => path.slice(0, index) + encode(path.charAt(index), /./) + path.slice(index + 1),
      );
      for (const one of [encode(path, unreserved), encode(path, unreserved).toUpperCase(), ...all])
        expect(readMediaAddress(originForm(one) ?? '')).toEqual({ stream, resource });
    },
  );

  it.each([
    ['/a/cam1/tracks-v1a1/mono.m3u8', { kind: 'ts-playlist' }, ['v1', 'a1']],
    ['/a/cam1/tracks-a2/ts/1795233066009.ts', { kind: 'ts-segment', address: '1795233066009' }, ['a2']],
    ['/a/cam1/tracks-v1/v1/index.m3u8', { kind: 'media-playlist', trackId: 'v1' }, ['v1']],
    [
      '/a/cam1/tracks-v1/archive-1795233066-60.mp4',
      { kind: 'mp4', span: { ...RANGE, name: 'archive-1795233066-60' } },
      ['v1'],
    ],
  ])('reads the track selection of %s', (path, resource, tracks) => {
    expect(readMediaAddress(path)).toEqual({ stream: 'a/cam1', resource, tracks });
  });

  it.each([
    ['/tracks-v1/index.m3u8', 'tracks-v1'],
    ['/cam1/tracks-/index.m3u8', 'cam1/tracks-'],
    ['/cam1/tracks-v1x/index.m3u8', 'cam1/tracks-v1x'],
    [`/cam1/tracks-${'v1'.repeat(17)}/index.m3u8`, `cam1/tracks-${'v1'.repeat(17)}`],
  ])('treats the tracks folder of %s as a part of the stream name', (path, stream) => {
    expect(readMediaAddress(path)).toEqual({ stream, resource: { kind: 'multivariant' } });
  });

  it.each([
    '/',
    '/index.m3u8',
    '/-/desk/index.m3u8',
    '/mediaserver/api/v3/info.json',
    '/cam1',
    '/cam1/index.html',
    '/cam1/v1/x.m4s',
    '/%zz/index.m3u8',
    '/cam1/constructor',
    '/cam1/archive-1795233066.m3u8',
    '/cam1/archive-now-60.m3u8',
    '/cam1/archive-99999999999-60.m3u8',
    '/cam1/rewind-60.ts',
  ])('leaves %s to other handlers', (path) => {
    expect(readMediaAddress(path)).toBeUndefined();
  });
});
