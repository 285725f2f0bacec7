import { describe, expect, it } from 'vitest';
import { spliceInsert } from '../../tests/helpers/splice-sections.ts';
import { StreamRun } from '../../tests/helpers/stream-run.ts';
import { checkUpdate, readStrictMpd } from '../../tests/helpers/strict-mpd.ts';
import { readStrictPlaylist } from '../../tests/helpers/strict-playlist.ts';
import { readSpliceInfo } from '../media/scte35/splice-info.ts';
import { renderMpd } from './dash/mpd.ts';
import { renderMediaPlaylist } from './hls/media-playlist.ts';
import type { SpliceMarks } from './hls/splice-marks.ts';
import { renderTsPlaylist } from './hls/ts-playlist.ts';

const INPUT = { video: { fps: 25, gopFrames: 25, bFrames: 0 }, seconds: 20 };
const START_MS = 1_800_000_000_000;

/**
 * A stream with a break of 6 s that is announced at 3 s, starts at 7 s and is ended after 5 s. Another break starts at
 * 15 s and never ends.
 */
function stream(seconds: number): StreamRun {
  const run = new StreamRun({ segmentCount: 20 });
  const play = run.playing(INPUT);
  const announce = (announcedMs: number, atMs: number, section: Parameters<typeof spliceInsert>[0]): void => {
    if (announcedMs > seconds * 1000) return;
    play(announcedMs);
    run.hub.splice({
      sourceId: 1,
      section: spliceInsert({ ...section, ptsTicks: atMs * 90 }),
      atTicks: announcedMs * 90,
    });
  };
  announce(3000, 7000, { eventId: 5, durationMs: 6000 });
  announce(11_000, 12_000, { eventId: 5, isOut: false });
  announce(14_000, 15_000, { eventId: 6, durationMs: null });
  play(seconds * 1000);
  return run;
}

function playlist(run: StreamRun, marks: SpliceMarks): string {
  return renderMediaPlaylist(run.window, { trackId: 'v1', marks }) ?? '';
}

/** Tags of marks, and the starts of the segments between them in seconds. */
function outline(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    if (/^#EXT-(X-CUE|OATCLS)/.test(line)) return [line.replace(/(OATCLS-SCTE35:).*/, '$1…')];
    const date = /^#EXT-X-PROGRAM-DATE-TIME:(.*)$/.exec(line)?.[1];
    return date === undefined ? [] : [String((Date.parse(date) - START_MS) / 1000)];
  });
}

describe('splice points in HLS', () => {
  it('are date ranges with their sections, also before they take effect', () => {
    const { dateRanges } = readStrictPlaylist(playlist(stream(20), 'rfc8216'));
    const at = (seconds: number): string => new Date(START_MS + seconds * 1000).toISOString();
    expect(
      dateRanges.map((range) => Object.fromEntries([...range].map(([name, value]) => [name, value.slice(0, 40)]))),
    ).toEqual([
      {
        ID: `splice-5-${START_MS + 7000}`,
        'START-DATE': at(7),
        'PLANNED-DURATION': '6',
        'SCTE35-OUT': expect.stringMatching(/^0xFC/) as string,
      },
      {
        ID: `splice-5-${START_MS + 7000}`,
        'START-DATE': at(7),
        DURATION: '5',
        'SCTE35-IN': expect.stringMatching(/^0xFC/) as string,
      },
      {
        ID: `splice-6-${START_MS + 15_000}`,
        'START-DATE': at(15),
        'SCTE35-OUT': expect.stringMatching(/^0xFC/) as string,
      },
    ]);
    const section = Buffer.from(dateRanges[0]?.get('SCTE35-OUT')?.slice(2) ?? '', 'hex');
    expect(readSpliceInfo(section)?.command).toMatchObject({ type: 'insert', eventId: 5, isOutOfNetwork: true });
    // The break was announced four seconds ahead.
    expect(readStrictPlaylist(playlist(stream(4), 'rfc8216')).dateRanges).toHaveLength(1);
  });

  it('are cue tags before the segments that start at the points, and continuation tags in between', () => {
    const expected = [
      '0',
      '2',
      '4',
      '6',
      '#EXT-X-CUE-OUT:6.000',
      '7',
      '#EXT-X-CUE-OUT-CONT:2.000/6',
      '9',
      '#EXT-X-CUE-OUT-CONT:4.000/6',
      '11',
      '#EXT-X-CUE-IN',
      '12',
      '14',
      '#EXT-X-CUE-OUT',
      '15',
      '#EXT-X-CUE-OUT-CONT:2.000',
      '17',
      '#EXT-X-CUE-OUT-CONT:4.000',
      '19',
    ];
    expect(outline(playlist(stream(20), 'aws'))).toEqual(expected);
    const enhanced = expected.flatMap((line) => (/CUE-OUT($|:)/.test(line) ? ['#EXT-OATCLS-SCTE35:…', line] : [line]));
    expect(outline(playlist(stream(20), 'scte35'))).toEqual(enhanced);
    readStrictPlaylist(playlist(stream(20), 'scte35'));
    expect(outline(renderTsPlaylist(stream(20).window, { marks: 'aws' }) ?? '')).toEqual(expected.slice(0, -2));
  });

  it('keep their continuation tags after the start of the break has left the window', () => {
    const run = stream(11.5);
    run.run.apply([
      {
        type: 'trim',
        firstMsn: run.window.segments('v1').find(({ startMs }) => startMs === START_MS + 9000)?.msn ?? 0,
      },
    ]);
    expect(outline(playlist(run, 'aws'))[0]).toBe('#EXT-X-CUE-OUT-CONT:2.000/6');
  });
});

describe('splice points in DASH', () => {
  it('are events of their Period, with the unchanged section', () => {
    const render = (seconds: number): string =>
      renderMpd(stream(seconds).window, { nowMs: START_MS + seconds * 1000 }) ?? '';
    const text = render(20);
    const events = [...text.matchAll(/<Event presentationTime="(\d+)"(?: duration="(\d+)")? id="(\d+)">/g)].map(
      (match) => match.slice(1),
    );
    expect(events.map(([at, duration]) => [Number(at) - START_MS, duration])).toEqual([
      [7000, '6000'],
      [12_000, undefined],
      [15_000, undefined],
    ]);
    expect(new Set(events.map(([, , id]) => id)).size).toBe(3);
    expect(Math.max(...events.map(([, , id]) => Number(id)))).toBeLessThan(2 ** 32);
    checkUpdate(readStrictMpd(render(13)), readStrictMpd(text));
  });
});
