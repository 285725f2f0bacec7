import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FastClock } from '../../../tests/helpers/fast-clock.ts';
import { HlsFolder } from '../../../tests/helpers/hls-folder.ts';
import { LivePlaylist, type LiveSegment } from '../../../tests/helpers/live-playlist.ts';
import { RecordingInput } from '../../../tests/helpers/recording-input.ts';
import { spliceInsert, type GeneratedSplice } from '../../../tests/helpers/splice-sections.ts';
import { writeTsSegments } from '../../../tests/helpers/ts-segments.ts';
import { readSpliceInfo } from '../../media/scte35/splice-info.ts';
import { readSplicePoint, spliceTimeOf } from '../../media/scte35/splice-point.ts';

const FIRST_TICKS = 2 ** 33 - 7 * 90_000;
const START_MS = Date.parse('2026-11-21T12:00:00Z');
const FRAME_SECONDS = 0.04;

const folder = new HlsFolder();
let segments: LiveSegment[];

beforeAll(() => {
  // The timestamps wrap in the middle of the fourth segment.
  segments = writeTsSegments(folder.path, { count: 10, seconds: 2, firstTicks: FIRST_TICKS });
});
afterEach(() => folder.reset());
afterAll(() => folder.close());

/** Segments with playlist tags before some of them. */
function marked(tags: Readonly<Record<number, readonly string[]>>, list = segments): LiveSegment[] {
  return list.map((segment, index) => (tags[index] ? { ...segment, tags: tags[index] } : segment));
}

/** The segments, each with its date. */
function dated(list: readonly LiveSegment[]): LiveSegment[] {
  return list.map((segment, index) => {
    const date = `#EXT-X-PROGRAM-DATE-TIME:${new Date(START_MS + index * 2000).toISOString()}`;
    return { ...segment, tags: [date, ...(segment.tags ?? [])] };
  });
}

function base64(splice: GeneratedSplice): string {
  return Buffer.from(spliceInsert(splice)).toString('base64');
}

function hex(splice: GeneratedSplice): string {
  return `0x${Buffer.from(spliceInsert(splice)).toString('hex').toUpperCase()}`;
}

function dateAt(seconds: number): string {
  return new Date(START_MS + seconds * 1000).toISOString();
}

/** Plays a live playlist from its first segment to its end. */
async function play(list: readonly LiveSegment[], options: Readonly<Record<string, string>> = {}) {
  const clock = new FastClock();
  const playlist = new LivePlaylist(clock, list, 6);
  playlist.windowLength = 20;
  playlist.serveAt(folder, '/live.m3u8');
  const sink = new RecordingInput();
  folder.open(`${await folder.serve()}/live.m3u8`, sink, options, clock);
  expect((await sink.end()).code).toBe('input_ended');
  return { sink, splices: splicesOf(sink), problems: sink.problems.map(({ code }) => code) };
}

/** Splices: kind, event id, seconds from the first picture, and duration of the break in milliseconds. */
function splicesOf(sink: RecordingInput): (string | number | null)[][] {
  const first = sink.units('v1')[0]?.ptsTicks ?? 0;
  return sink.calls.flatMap((call) => {
    const info = 'splice' in call && readSpliceInfo(call.splice.section);
    if (!info) return [];
    const { kind, eventId, durationMs } = readSplicePoint(info);
    return [[kind, eventId, (spliceTimeOf(info, call.splice) - first) / 90_000, durationMs]];
  });
}

/** Seconds of video between the first announcement of a kind and its splice point. */
function noticeOf(sink: RecordingInput, kind: string): number {
  let shown = 0;
  for (const call of sink.calls) {
    if ('unit' in call && call.unit.trackId === 'v1') shown++;
    const info = 'splice' in call && readSpliceInfo(call.splice.section);
    if (!info || readSplicePoint(info).kind !== kind) continue;
    const first = sink.units('v1')[0]?.ptsTicks ?? 0;
    return Math.round((spliceTimeOf(info, call.splice) - first) / 3600 - shown) * FRAME_SECONDS;
  }
  return Number.NaN;
}

describe('splice points of an HLS input', () => {
  it('are taken from cue tags at the starts of their segments, each once, across a wrap of the timestamps', async () => {
    const { splices, problems } = await play(
      marked({
        2: ['#EXT-X-CUE-OUT:DURATION=4'],
        3: ['#EXT-X-CUE-OUT-CONT:2.000/4'],
        4: ['#EXT-X-CUE-IN'],
        6: ['#EXT-X-CUE-OUT:4.000'],
        7: ['#EXT-X-CUE-OUT-CONT:ElapsedTime=2,Duration=4'],
      }),
    );
    expect(splices).toEqual([
      ['out', 2, 4, 4000],
      ['in', 2, 8, null],
      ['out', 6, 12, 4000],
    ]);
    expect(problems).toEqual([]);
  });

  it('are announced as soon as the playlist lists them, also after a discontinuity', async () => {
    const cut = (index: number, ...tags: string[]): Record<number, string[]> => ({
      [index]: ['#EXT-X-DISCONTINUITY', ...tags],
    });
    const { sink, splices } = await play(marked({ ...cut(6, '#EXT-X-CUE-OUT:4'), 8: ['#EXT-X-CUE-IN'] }));
    const { out, back } = { out: noticeOf(sink, 'out'), back: noticeOf(sink, 'in') };
    // The input starts three segments before the live edge.
    expect(out).toBeGreaterThanOrEqual(2 - FRAME_SECONDS);
    expect(back).toBeGreaterThanOrEqual(2 - FRAME_SECONDS);
    for (const [kind, , seconds] of splices)
      expect(Math.abs(Number(seconds) - (kind === 'out' ? 12 : 16))).toBeLessThan(FRAME_SECONDS / 2);
  });

  it('are announced with their segment if the playlist rounds durations', async () => {
    const rounded = marked({ 6: ['#EXT-X-CUE-OUT:4'] }).map((segment) => ({ ...segment, seconds: 2.1 }));
    const { sink, splices } = await play(rounded);
    expect(splices).toEqual([['out', 6, 12, 4000]]);
    expect(noticeOf(sink, 'out')).toBe(0);
  });

  it('are replaced by the section in the media, with its event id', async () => {
    const point = FIRST_TICKS + 12 * 90_000;
    const sections = [{ atSeconds: 11, section: spliceInsert({ eventId: 9, ptsTicks: point, durationMs: 4000 }) }];
    const options = { count: 10, seconds: 2, firstTicks: FIRST_TICKS, sections, name: 'late' };
    const { splices } = await play(marked({ 6: ['#EXT-X-CUE-OUT:4'] }, writeTsSegments(folder.path, options)));
    expect(splices.map(([kind, event]) => `${kind} ${event}`)).toEqual(['out 6', 'cancel 6', 'out 9']);
  });

  it('take event id and duration from the section of a tag, and the time from the cue tag', async () => {
    const section = base64({ eventId: 77, ptsTicks: 123_456, durationMs: 8000 });
    const end = base64({ eventId: 77, isOut: false });
    const { splices } = await play(
      marked({
        1: [`#EXT-OATCLS-SCTE35:${section}`, '#EXT-X-CUE-OUT:8'],
        2: [`#EXT-X-CUE-OUT-CONT:ElapsedTime=2,Duration=8,SCTE35=${section}`],
        3: [`#EXT-X-SCTE35:CUE="${end}",CUE-IN=YES`, '#EXT-X-CUE-IN'],
        5: [`#EXT-X-SCTE35:CUE="${base64({ eventId: 78, durationMs: 4000 })}",ID="78",CUE-OUT=YES`],
        7: ['#EXT-X-CUE-IN'],
      }),
    );
    expect(splices).toEqual([
      ['out', 77, 2, 8000],
      ['in', 77, 6, null],
      ['out', 78, 10, 4000],
      ['in', 78, 14, null],
    ]);
  });

  it('are taken from date ranges at their dates, and announced as soon as they are listed', async () => {
    const out = hex({ eventId: 5, ptsTicks: 1, durationMs: 6000 });
    const { splices, problems } = await play(
      dated(
        marked({
          1: [`#EXT-X-DATERANGE:ID="a",START-DATE="${dateAt(9.2)}",PLANNED-DURATION=6,SCTE35-OUT=${out}`],
          5: [
            `#EXT-X-DATERANGE:ID="a",START-DATE="${dateAt(9.2)}",DURATION=5,SCTE35-IN=${hex({ eventId: 5, isOut: false })}`,
          ],
          6: [`#EXT-X-DATERANGE:ID="b",START-DATE="${dateAt(16)}",SCTE35-CMD=${hex({ eventId: 6, durationMs: null })}`],
        }),
      ),
    );
    expect(splices.map(([kind, event]) => [kind, event])).toEqual([
      ['out', 5],
      ['in', 5],
      ['out', 6],
    ]);
    for (const [index, seconds] of [9.2, 14.2, 16].entries())
      expect(Math.abs(Number(splices[index]?.[2]) - seconds)).toBeLessThan(FRAME_SECONDS);
    expect(problems).toEqual([]);
  });

  it('at a date after a discontinuity wait for the segments with that clock', async () => {
    const list = dated(segments).map((segment, index) => {
      if (index < 5) return segment;
      const date = `#EXT-X-PROGRAM-DATE-TIME:${dateAt(7200 + (index - 5) * 2)}`;
      return { ...segment, tags: index === 5 ? ['#EXT-X-DISCONTINUITY', date] : [date] };
    });
    const range = `#EXT-X-DATERANGE:ID="a",START-DATE="${dateAt(7202)}",SCTE35-OUT=${hex({ eventId: 5 })}`;
    const { splices } = await play(list.map((segment) => ({ ...segment, tags: [range, ...(segment.tags ?? [])] })));
    expect(splices).toEqual([['out', 5, 12, 30_000]]);
  });

  it('are announced once if media, cue tags and date ranges describe the same point', async () => {
    const point = (seconds: number): number => FIRST_TICKS + seconds * 90_000;
    const sections = [
      { atSeconds: 3, section: spliceInsert({ eventId: 9, ptsTicks: point(6), durationMs: 4000 }) },
      { atSeconds: 5, section: spliceInsert({ eventId: 9, ptsTicks: point(6), durationMs: 4000 }) },
      { atSeconds: 9, section: spliceInsert({ eventId: 9, isOut: false, ptsTicks: point(10) }) },
    ];
    const list = writeTsSegments(folder.path, {
      count: 10,
      seconds: 2,
      firstTicks: FIRST_TICKS,
      sections,
      name: 'both',
    });
    const range = `#EXT-X-DATERANGE:ID="a",START-DATE="${dateAt(6)}",SCTE35-OUT=${hex({ eventId: 9, durationMs: 4000 })}`;
    const { splices } = await play(
      dated(
        marked({ 2: [range], 3: ['#EXT-X-CUE-OUT:4'], 4: ['#EXT-X-CUE-OUT-CONT:2/4'], 5: ['#EXT-X-CUE-IN'] }, list),
      ),
    );
    // Repeated sections in the media are merged by the window.
    expect([...new Set(splices.map((splice) => splice.join(' ')))]).toEqual(['out 9 6 4000', 'in 9 10 ']);
  });

  it('of a break that started before the input have the start of the break', async () => {
    const { splices } = await play(marked({ 0: ['#EXT-X-CUE-OUT-CONT:8.5/30'], 1: ['#EXT-X-CUE-OUT-CONT:10.5/30'] }));
    expect(splices).toEqual([['out', 0, -8.5, 30_000]]);
  });

  it('are repeated in each pass of a looped recording', async () => {
    const clock = new FastClock();
    const range = `#EXT-X-DATERANGE:ID="a",START-DATE="${dateAt(5)}",SCTE35-OUT=${hex({ eventId: 5 })}`;
    const lines = dated(marked({ 1: ['#EXT-X-CUE-IN'], 2: [range] })).flatMap(({ uri, seconds, tags = [] }) => [
      ...tags,
      `#EXTINF:${seconds},`,
      uri,
    ]);
    folder.handlers.set('/vod.m3u8', (_request, response) =>
      response.end(['#EXTM3U', '#EXT-X-TARGETDURATION:2', ...lines, '#EXT-X-ENDLIST'].join('\n')),
    );
    const sink = new RecordingInput();
    folder.open(`${await folder.serve()}/vod.m3u8`, sink, { loop: 'true' }, clock);
    await sink.until(() => sink.units('v1').length >= 3 * 20 * 25);
    const times = splicesOf(sink).map(([kind, , seconds]) => `${kind} ${Math.round(Number(seconds) * 10) / 10}`);
    expect(times.slice(0, 6)).toEqual(['out 5', 'in 2', 'out 25', 'in 22', 'out 45', 'in 42']);
  });

  it('are reported and skipped if they cannot be parsed', async () => {
    const { splices, problems } = await play(
      dated(
        marked({
          0: ['#EXT-X-CUE-OUT:-5', '#EXT-OATCLS-SCTE35:not base64!'],
          1: [`#EXT-OATCLS-SCTE35:${base64({}).slice(0, 20)}`],
          2: [`#EXT-X-DATERANGE:ID="x",START-DATE="${dateAt(4)}",SCTE35-OUT=0xZZ`],
          3: ['#EXT-X-CUE-OUT:99999999999', `#EXT-X-SCTE35:CUE="${'A'.repeat(9000)}"`],
          4: Array.from({ length: 5000 }, (_, index) => `#EXT-X-CUE-OUT:${index}`),
        }),
      ),
    );
    expect(splices).toEqual([['out', 4, 8, 0]]);
    expect(new Set(problems)).toEqual(new Set(['hls_bad_splice_mark']));
    expect(problems.length).toBeLessThan(10);
  });
});
