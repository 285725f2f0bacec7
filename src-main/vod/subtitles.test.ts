import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ClipFiles } from '../../tests/helpers/clip-files.ts';
import { readMediaAddress } from '../delivery/media-address.ts';
import { renderMpd } from '../packaging/dash/mpd.ts';
import { renderMultivariant } from '../packaging/hls/multivariant-playlist.ts';
import { renderSubtitlePlaylist } from '../packaging/hls/subtitle-playlist.ts';
import { readMedia } from '../segment/media-bytes.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { OpenFiles } from './thread/open-files.ts';
import { webVttOf } from './web-vtt.ts';

const SRT =
  '1\r\n00:00:01,500 --> 00:00:02,5\r\n<i>Grüße</i> --> all\r\n\r\n2\r\n100:00:00,000 --> 100:00:01,000\r\nEnd\r\n';
const clips = new ClipFiles();

beforeAll(() => {
  mkdirSync(clips.path('films'));
  clips.add('films/film.mp4', { seconds: 6 });
  writeFileSync(clips.path('films/film.vtt'), '\uFEFFWEBVTT\n\n00:01.000 --> 00:02.000\nHello\n');
  writeFileSync(clips.path('films/film.de.srt'), Buffer.from(SRT, 'latin1'));
  writeFileSync(clips.path('films/film.notes.srt'), 'no times');
  writeFileSync(clips.path('films/film2.srt'), SRT);
  writeFileSync(clips.path('outside.srt'), SRT);
  symlinkSync(clips.path('outside.srt'), clips.path('films/film.out.srt'));
});

afterAll(() => {
  clips.close();
});

it('subtitles next to a film are renditions in HLS and an AdaptationSet in DASH', async () => {
  const files = new OpenFiles({ clock: new FakeClock() });
  files.apply([{ prefix: 'clips', roots: [clips.folder], segmentMs: 4000 }]);
  const found = await files.open('clips/films/film.mp4');
  if ('code' in found) throw new Error(found.detail);
  const { window } = found;
  expect(window.subtitles.map(({ id, name, language }) => [id, name, language])).toEqual([
    ['s1', 'de', 'de'],
    ['s2', 'Subtitles', undefined],
  ]);
  const list = renderMultivariant(window, { query: 'token=x' }) ?? '';
  expect(list).toContain(
    '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subtitles",NAME="de",LANGUAGE="de",DEFAULT=NO,AUTOSELECT=YES,URI="s1/index.m3u8?token=x"',
  );
  expect(list).toMatch(/#EXT-X-STREAM-INF:.*SUBTITLES="subtitles"\n/);
  expect(renderMpd(window, { nowMs: 0, query: 'token=x' })).toContain('<BaseURL>s1/subtitles.vtt?token=x</BaseURL>');
  expect(renderSubtitlePlaylist(window, 's2')).toContain('subtitles.vtt\n#EXT-X-ENDLIST');
  expect(renderSubtitlePlaylist(window, 's3')).toBeUndefined();
  const text = await Promise.all(
    window.subtitles.map(async ({ media }) => Buffer.from(await readMedia(media)).toString()),
  );
  expect(text[0]).toContain('00:00:01.500 --> 00:00:02.500\n<i>Grüße</i> → all');
  expect(text[1]).toMatch(/^WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:\d+,LOCAL:00:00:00\.000\n\n00:01\.000/);
  await files.close();
});

it('readMediaAddress reads the addresses of subtitles', () => {
  expect(readMediaAddress('/clips/film.mp4/s1/index.m3u8')).toMatchObject({
    stream: 'clips/film.mp4',
    resource: { kind: 'subtitle-playlist', id: 's1' },
  });
  expect(readMediaAddress('/clips/film.mp4/s12/subtitles.vtt')?.resource).toEqual({ kind: 'subtitles', id: 's12' });
});

it('webVttOf returns subtitles or undefined for any text', () => {
  const lines = fc.constantFrom('WEBVTT', '1', '00:00:01,000 --> 00:00:02,000', '00:01.000 --> 00:02.000', '-->', '');
  fc.assert(
    fc.property(fc.array(fc.oneof(lines, fc.string())), (parts) => {
      const text = webVttOf(parts.join('\n'), 80);
      expect(text === undefined || text.startsWith('WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:7200,')).toBe(true);
    }),
  );
});
