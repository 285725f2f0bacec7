import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src-main/lib/clock.ts';
import { amfObject } from '../../../src-main/media/containers/rtmp/amf0.ts';
import { AirdeskProcess } from '../../helpers/airdesk-process.ts';
import { HlsFolder } from '../../helpers/hls-folder.ts';
import { LivePlaylist } from '../../helpers/live-playlist.ts';
import { OddClockEncoder } from '../../helpers/odd-clock-encoder.ts';
import { spliceInsert } from '../../helpers/splice-sections.ts';
import { readStrictPlaylist, type ReadPlaylist } from '../../helpers/strict-playlist.ts';
import { testMedia } from '../../helpers/test-media.ts';
import { writeTsSegments } from '../../helpers/ts-segments.ts';
import { until } from '../../helpers/until.ts';

const FRAME_MS = 40;
const SEGMENT_SECONDS = 2;
/** Starts of breaks in the media of the source. */
const BREAK_SECONDS = [10, 17] as const;
const SOURCE_MS = Date.parse('2026-11-21T12:00:00Z');

const folder = new HlsFolder();
let server: AirdeskProcess;
let encoder: OddClockEncoder;

beforeAll(async () => {
  const segments = writeTsSegments(folder.path, { count: 15, seconds: SEGMENT_SECONDS, firstTicks: 900_000 });
  const at = (seconds: number): string => new Date(SOURCE_MS + seconds * 1000).toISOString();
  const section = Buffer.from(spliceInsert({ eventId: 41, ptsTicks: 7, durationMs: 3000 })).toString('hex');
  const marks: Readonly<Record<number, readonly string[]>> = {
    5: [
      '#EXT-X-CUE-OUT:4',
      `#EXT-X-DATERANGE:ID="a",START-DATE="${at(BREAK_SECONDS[1])}",PLANNED-DURATION=3,SCTE35-OUT=0x${section}`,
    ],
    6: ['#EXT-X-CUE-OUT-CONT:2/4'],
    7: ['#EXT-X-CUE-IN'],
  };
  const marked = segments.map((segment, index) => ({
    ...segment,
    tags: [`#EXT-X-PROGRAM-DATE-TIME:${at(index * SEGMENT_SECONDS)}`, ...(marks[index] ?? [])],
  }));
  const playlist = new LivePlaylist(systemClock, marked, 6);
  playlist.isEnding = false;
  // The stream begins with the first request: a server that starts slowly would join after the breaks.
  let isRequested = false;
  folder.handlers.set('/live.m3u8', (_request, response) => {
    if (!isRequested) playlist.restart(marked, 6);
    isRequested = true;
    response.end(playlist.text);
  });
  const url = await folder.serve();
  server = await AirdeskProcess.start(`stream hls { input ${url}/live.m3u8; segment_count 20; }
     stream rtmp { input publish://; segment_count 20; }`);
  encoder = await OddClockEncoder.publish(
    Number(new URL(server.rtmpUrl.replace('rtmp', 'http')).port),
    'static',
    'rtmp',
    testMedia(),
    (ms) => ms + 100_000,
  );
});

afterAll(async () => {
  encoder.close();
  await server.dispose();
  await folder.close();
});

async function text(path: string): Promise<string> {
  const response = await fetch(`${server.url}/${path}`);
  return response.ok ? response.text() : '';
}

/** Playlist of a stream with at least this number of starts of breaks. */
async function playlistAfter(stream: string, breaks: number): Promise<ReadPlaylist> {
  return until(
    `${breaks} breaks of ${stream}`,
    async () => {
      const shown = await text(`${stream}/v1/index.m3u8`);
      if (shown === '') return undefined;
      const playlist = readStrictPlaylist(shown);
      const endMs = playlist.segments.at(-1)?.dateMs ?? 0;
      return startsOf(playlist).filter((ms) => ms < endMs).length >= breaks ? playlist : undefined;
    },
    60_000,
  );
}

/** Starts of breaks in epoch milliseconds. */
function startsOf({ dateRanges }: ReadPlaylist): number[] {
  return dateRanges.flatMap((range) => (range.has('SCTE35-OUT') ? [Date.parse(range.get('START-DATE') ?? '')] : []));
}

/** Times of events in DASH in epoch milliseconds. */
async function eventsOf(stream: string): Promise<number[]> {
  return [...(await text(`${stream}/index.mpd`)).matchAll(/<Event presentationTime="(\d+)"/g)].map(([, at]) =>
    Number(at),
  );
}

/** First picture of the segment that starts nearest to a time. */
async function firstPicture({ segments }: ReadPlaylist, atMs: number): Promise<string | undefined> {
  const off = (ms = 0): number => Math.abs(ms - atMs);
  const nearest = segments.reduce((best, one) => (off(one.dateMs) < off(best.dateMs) ? one : best));
  const bytes = await Promise.all(
    [nearest.map, nearest.uri ?? ''].map(async (uri) => {
      const answer = await fetch(new URL(uri, `${server.url}/hls/v1/index.m3u8`));
      return Buffer.from(await answer.arrayBuffer());
    }),
  );
  return picturesOf(Buffer.concat(bytes))[0];
}

/**
 * Pictures that ffmpeg decodes from a segment. Only fatal messages are shown, because ffmpeg warns that a track of
 * splice points has no start time.
 */
function picturesOf(bytes: Buffer): string[] {
  const args = ['-v', 'fatal', '-i', '-', '-map', '0:v:0', '-fps_mode', 'passthrough', '-f', 'framemd5', '-'];
  const lines = execFileSync('ffmpeg', args, { input: bytes, encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => (/^\d/.test(line) ? [line.split(',')[5]?.trim() ?? ''] : []));
}

/** Distance to the nearest start of a segment in milliseconds. */
function distance({ segments }: ReadPlaylist, atMs: number): number {
  return Math.min(...segments.map(({ dateMs }) => Math.abs((dateMs ?? 0) - atMs)));
}

describe.concurrent('splice points', () => {
  it('in the playlist of an HLS input are at the same pictures in the output', async () => {
    const playlist = await playlistAfter('hls', 2);
    const starts = startsOf(playlist);
    expect(starts).toHaveLength(2);
    for (const ms of starts) expect(distance(playlist, ms)).toBeLessThanOrEqual(FRAME_MS);
    // Compares visible pictures, because the first segment depends on the time at which the input arrived.
    const expected = BREAK_SECONDS.map((at) => {
      const segment = readFileSync(join(folder.path, `s${Math.floor(at / SEGMENT_SECONDS)}.ts`));
      return picturesOf(segment)[((at % SEGMENT_SECONDS) * 1000) / FRAME_MS];
    });
    expect(await Promise.all(starts.map(async (ms) => firstPicture(playlist, ms)))).toEqual(expected);
    const [cue, range] = playlist.dateRanges.filter((one) => one.has('SCTE35-OUT'));
    expect([cue?.get('PLANNED-DURATION'), range?.get('PLANNED-DURATION')]).toEqual(['4', '3']);
    const back = playlist.dateRanges.find((one) => one.has('SCTE35-IN'));
    expect(Number(back?.get('DURATION'))).toBeCloseTo(4, 1);
    const events = await eventsOf('hls');
    expect(starts.filter((ms) => !events.includes(ms))).toEqual([]);
  });

  it('from the cue points of an RTMP encoder are at their pictures', async () => {
    await until('the picture', async () => (await text('rtmp/v1/index.m3u8')).includes('EXTINF') || undefined, 30_000);
    // The test picture has a key frame at each full second of the encoder.
    const atMs = Math.ceil((encoder.nowMs + 2500) / 1000) * 1000;
    encoder.data(encoder.nowMs, ['onAdCue', amfObject({ type: 'SpliceOut', id: '5', duration: 3, time: atMs / 1000 })]);
    const parameters = amfObject({
      messageType: 'scte35',
      splice_event_id: 6,
      out_of_network_indicator: true,
      pre_roll_time: 3000,
      break_duration: 2000,
    });
    encoder.data(atMs, ['onCuePoint', amfObject({ type: 'scte35', parameters })]);
    const playlist = await playlistAfter('rtmp', 2);
    const [first = 0, second = 0] = startsOf(playlist);
    expect(second - first).toBe(3000);
    for (const ms of [first, second]) expect(distance(playlist, ms)).toBeLessThanOrEqual(FRAME_MS);
    const events = await eventsOf('rtmp');
    expect([first, second].filter((ms) => !events.includes(ms))).toEqual([]);
  });
});
