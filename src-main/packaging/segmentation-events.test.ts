import { describe, expect, it } from 'vitest';
import { spliceInsert, timeSignal, type MadeSegmentation } from '../../tests/helpers/splice-sections.ts';
import { StreamRun } from '../../tests/helpers/stream-run.ts';
import { spliceBreakAt, spliceBreakEnd } from '../ads/schedule/splice-breaks.ts';
import { writeSpliceInfo } from '../media/scte35/splice-info.ts';
import { renderMediaPlaylist } from './hls/media-playlist.ts';

const INPUT = { video: { fps: 25, gopFrames: 25, bFrames: 0 }, audio: { sampleRate: 48_000, lateMs: 0 }, seconds: 14 };
const HEAD = { sapType: 3, ptsAdjustmentTicks: 0, cwIndex: 0, tier: 0xfff, descriptors: [] } as const;

/** A section and the second of the input at which it arrives. */
type Sent = readonly [second: number, section: Uint8Array];

const signal = (second: number, ...segmentations: readonly MadeSegmentation[]): Uint8Array =>
  timeSignal(second * 90_000, segmentations);

/** A stream with a key frame every second and segments of 2 s, with its splice points in seconds from its start. */
class SplicedStream {
  readonly stream = new StreamRun({ segmentCount: 100 });

  constructor(sent: readonly Sent[]) {
    const play = this.stream.playing(INPUT);
    for (const [second, section] of sent) {
      play(second * 1000);
      this.stream.hub.splice({ sourceId: 1, section, atTicks: second * 90_000 });
    }
    play(Infinity);
    this.stream.close();
  }

  get startMs(): number {
    return this.stream.window.bounds()?.fromMs ?? 0;
  }

  /** Splice points such as `4 out 51`. */
  get points(): string[] {
    return this.stream.window
      .splices()
      .map(({ atMs, kind, eventId }) => `${(atMs - this.startMs) / 1000} ${kind} ${eventId}`);
  }

  /** Cues with the second at which their segment starts, such as `CUE-OUT:3.000 at 4`. */
  get cues(): string[] {
    let second = 0;
    return this.#lines('aws').flatMap((line) => {
      if (line.startsWith('#EXTINF:')) second += Number.parseFloat(line.slice('#EXTINF:'.length));
      return /CUE-(OUT(:|$)|IN)/.test(line) ? [`${line.slice('#EXT-X-'.length)} at ${second}`] : [];
    });
  }

  /** Ids of date ranges. True if the range is closed by SCTE35-IN. */
  get dateRanges(): Map<string, boolean> {
    const found = new Map<string, boolean>();
    for (const line of this.#lines('rfc8216')) {
      const id = /DATERANGE:ID="([^"]+)"/.exec(line)?.[1];
      if (id) found.set(id, line.includes('SCTE35-IN') || found.get(id) === true);
    }
    return found;
  }

  /** Date range lines. */
  get dateRangeLines(): string[] {
    return this.#lines('rfc8216').filter((line) => line.startsWith('#EXT-X-DATERANGE'));
  }

  /** Start and end of the advertisement break at a second of the stream, in seconds. */
  breakAt(second: number): readonly [number, number] | undefined {
    const { window } = this.stream;
    const found = spliceBreakAt(window, { startMs: this.startMs + second * 1000 }, 0);
    return found && [(found.atMs - this.startMs) / 1000, (spliceBreakEnd(window, found) - this.startMs) / 1000];
  }

  get segmentStarts(): number[] {
    return this.stream.window.segments('v1').map(({ startMs }) => (startMs - this.startMs) / 1000);
  }

  #lines(marks: 'aws' | 'rfc8216'): string[] {
    return (renderMediaPlaylist(this.stream.window, { trackId: 'v1', marks }) ?? '').split('\n');
  }
}

describe('several segmentation descriptors in one message', () => {
  it('are one event each, such as a chapter end and a break start at the same time', () => {
    const spliced = new SplicedStream([
      [1, signal(4, { eventId: 50, typeId: 0x21 }, { eventId: 51, typeId: 0x22, durationMs: 3000 })],
      [5, signal(7, { eventId: 51, typeId: 0x23 }, { eventId: 52, typeId: 0x20, durationMs: 600_000 })],
    ]);
    expect(spliced.points).toEqual(['4 other 50', '4 out 51', '7 in 51', '7 other 52']);
    expect(spliced.cues).toEqual(['CUE-OUT:3.000 at 4', 'CUE-IN at 7']);
    expect(spliced.breakAt(4)).toEqual([4, 7]);
  });

  it('can close a placement opportunity and its advertisement together', () => {
    const spliced = new SplicedStream([
      [1, signal(4, { eventId: 40, typeId: 0x34 })],
      [1.2, signal(4, { eventId: 41, typeId: 0x30, durationMs: 3000 })],
      [5, signal(7, { eventId: 41, typeId: 0x31 }, { eventId: 40, typeId: 0x35 })],
    ]);
    expect(spliced.breakAt(4)).toEqual([4, 7]);
    expect(spliced.cues).toEqual(['CUE-OUT at 4', 'CUE-IN at 7']);
    expect([...spliced.dateRanges]).toEqual([
      [`splice-40-${spliced.startMs + 4000}-52`, true],
      [`splice-41-${spliced.startMs + 4000}-48`, true],
    ]);
  });

  it('can end one advertisement and start the next inside one placement opportunity, which stays one break', () => {
    const ids = [20, 20, 20] as const;
    for (const [outer, first, second] of [[20, 21, 23], ids] as const) {
      const spliced = new SplicedStream([
        [
          2,
          signal(
            5,
            { eventId: outer, typeId: 0x34, durationMs: 4000 },
            { eventId: first, typeId: 0x30, durationMs: 2000 },
          ),
        ],
        [6, signal(7, { eventId: first, typeId: 0x31 }, { eventId: second, typeId: 0x30, durationMs: 2000 })],
        [8, signal(9, { eventId: second, typeId: 0x31 }, { eventId: outer, typeId: 0x35 })],
      ]);
      expect(spliced.points).toHaveLength(6);
      expect(spliced.cues).toEqual(['CUE-OUT:4.000 at 5', 'CUE-IN at 9']);
      expect([5, 7].map((second) => spliced.breakAt(second))).toEqual([
        [5, 9],
        [5, 9],
      ]);
      expect([...spliced.dateRanges.values()]).toEqual([true, true, true]);
    }
  });

  it('can start a second advertisement at the end of the first one, without a placement opportunity', () => {
    const spliced = new SplicedStream([
      [2, signal(5, { eventId: 21, typeId: 0x30, durationMs: 2000 })],
      [6, signal(7, { eventId: 21, typeId: 0x31 }, { eventId: 23, typeId: 0x30, durationMs: 2000 })],
    ]);
    expect([spliced.breakAt(5), spliced.breakAt(7)]).toEqual([
      [5, 7],
      [7, 9],
    ]);
  });
});

describe('a repeated event', () => {
  it('is removed by a time_signal cancellation before it starts', () => {
    const spliced = new SplicedStream([
      [2, signal(6, { eventId: 4, typeId: 0x34, durationMs: 3000 })],
      [3, signal(6, { eventId: 4, isCancel: true })],
    ]);
    expect(spliced.points).toEqual([]);
    expect(spliced.segmentStarts).toEqual([0, 2, 4, 6, 8, 10, 12]);
  });

  it('stays if it started before its cancellation', () => {
    const spliced = new SplicedStream([
      [1, signal(3, { eventId: 96, typeId: 0x34, durationMs: 8000 })],
      [5, signal(3, { eventId: 96, isCancel: true })],
    ]);
    expect(spliced.points).toEqual(['3 out 96']);
  });

  it('has the latest duration and one date range, even if two commands describe it', () => {
    const spliced = new SplicedStream([
      [1, spliceInsert({ ptsTicks: 4 * 90_000, eventId: 95, durationMs: 3000 })],
      [1.04, signal(4, { eventId: 95, typeId: 0x34, durationMs: 3000 })],
      [1.08, signal(4, { eventId: 95, typeId: 0x34, durationMs: 5000 })],
    ]);
    expect(spliced.points).toEqual(['4 out 95']);
    expect(spliced.dateRangeLines).toHaveLength(1);
    expect(spliced.dateRangeLines[0]).toContain('PLANNED-DURATION=5');
  });
});

describe('messages without an event', () => {
  it('leave no mark if they are splice_null or bandwidth_reservation', () => {
    const beats = [{ type: 'null' }, { type: 'raw', commandType: 0x07, data: new Uint8Array(0) }] as const;
    const spliced = new SplicedStream(
      Array.from({ length: 10 }, (_, index) => [
        1 + index,
        writeSpliceInfo({ ...HEAD, command: beats[index % 2] ?? beats[0] }),
      ]),
    );
    expect(spliced.points).toEqual([]);
    expect(spliced.dateRangeLines).toEqual([]);
    expect(spliced.segmentStarts).toEqual([0, 2, 4, 6, 8, 10, 12]);
  });

  it('cut no segments if they are private commands', () => {
    const data = Buffer.from('CUEIxyz');
    const spliced = new SplicedStream(
      Array.from({ length: 10 }, (_, index) => [
        1 + index,
        writeSpliceInfo({ ...HEAD, command: { type: 'raw', commandType: 0xff, data } }),
      ]),
    );
    expect(spliced.segmentStarts).toEqual([0, 2, 4, 6, 8, 10, 12]);
  });
});

describe('a splice in component mode', () => {
  it('takes effect at the earliest time of its components', () => {
    const section = writeSpliceInfo({
      ...HEAD,
      command: {
        type: 'insert',
        eventId: 8,
        isCancel: false,
        isOutOfNetwork: true,
        isImmediate: false,
        hasFreeEventId: false,
        components: [{ tag: 4 }, { tag: 5, ptsTicks: 5.02 * 90_000 }, { tag: 6, ptsTicks: 5 * 90_000 }],
        breakDuration: { isAutoReturn: true, durationTicks: 3 * 90_000 },
        uniqueProgramId: 1,
        availNumber: 0,
        availsExpected: 0,
      },
    });
    expect(new SplicedStream([[2, section]]).points).toEqual(['5 out 8']);
  });
});
