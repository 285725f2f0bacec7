import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MadeInput } from '../../../tests/helpers/made-input.ts';
import { StreamRun } from '../../../tests/helpers/stream-run.ts';
import { checkReload, readStrictPlaylist, type ReadPlaylist } from '../../../tests/helpers/strict-playlist.ts';
import type { SegmenterOptions } from '../../segment/segmenter-options.ts';
import { announcedWindow } from './announced-window.ts';
import { lastPosition, renderMediaPlaylist } from './media-playlist.ts';

const RUNS = Number(process.env['AIRDESK_RUNS'] ?? 60);
const AUDIO = { sampleRate: 48_000, lateMs: 0 };

/** Playlists of a player that loads each change of a stream from its first part on. */
class Viewer {
  readonly targets = new Set<number>();
  /** Newest playlist of each track. */
  readonly newest = new Map<string, ReadPlaylist>();
  /** Parts of each segment that its pieces have, by track and address. */
  readonly pieces = new Map<string, Set<string>>();
  readonly #stream: StreamRun;

  constructor(stream: StreamRun) {
    this.#stream = stream;
    stream.onBatch = () => {
      for (const { track } of stream.window.tracks) this.#load(track.id);
    };
  }

  #load(trackId: string): void {
    const window = announcedWindow(this.#stream.window);
    const text = renderMediaPlaylist(window, { trackId });
    if (text === undefined) return;
    const playlist = readStrictPlaylist(text);
    const before = this.newest.get(trackId);
    if (before) checkReload(before, playlist);
    this.newest.set(trackId, playlist);
    this.targets.add(playlist.targetSeconds);
    for (const { uri } of playlist.segments) {
      const [, address = '', range = ''] = /^(\d+)\.(\d+-\d+)\.m4s$/.exec(uri ?? '') ?? [];
      if (range !== '') this.#add(`${trackId} ${address}`, range);
    }
    const { msn, part } = lastPosition(window, trackId);
    const last = playlist.segments.findLast(({ parts, uri }) => parts.length > 0 || uri !== undefined);
    expect(msn).toBe(last?.msn);
    if (last && last.parts.length > 0) expect(part).toBe(last.parts.length - 1);
  }

  #add(key: string, range: string): void {
    const ranges = this.pieces.get(key) ?? new Set();
    this.pieces.set(key, ranges.add(range));
  }
}

function viewed(input: MadeInput, options: Partial<SegmenterOptions> = {}): { stream: StreamRun; viewer: Viewer } {
  const stream = new StreamRun(options);
  const viewer = new Viewer(stream);
  stream.play(input);
  return { stream, viewer };
}

describe('announcedWindow', () => {
  it('keeps the target duration of the first playlist while GOPs are longer, and lists every part once', () => {
    const { stream, viewer } = viewed({ video: { fps: 25, gopFrames: 250, bFrames: 0 }, audio: AUDIO, seconds: 45 });
    expect([...viewer.targets]).toEqual([2]);
    // The segments of the stream are as long as its GOPs.
    expect(Math.round(stream.window.longestSegmentMs / 1000)).toBe(10);
    for (const { segment, address } of stream.window.segments('v1').filter((entry) => entry.segment.isComplete)) {
      const listed = [...(viewer.pieces.get(`v1 ${address}`) ?? [])].flatMap((range) => {
        const [from = 0, to = 0] = range.split('-').map(Number);
        return segment.parts.slice(from, to + 1);
      });
      expect(listed).toEqual(segment.parts);
    }
    const start = viewer.newest.get('v1')?.startSeconds;
    expect(start).toBeDefined();
  });

  it('is the window itself if the first GOP is not longer than announced, or was complete before the first playlist', () => {
    const short = viewed({ video: { fps: 25, gopFrames: 50, bFrames: 0 }, audio: AUDIO, seconds: 12 });
    expect(announcedWindow(short.stream.window)).toBe(short.stream.window);
    expect(short.viewer.pieces.size).toBe(0);
    const late = new StreamRun();
    late.play({ video: { fps: 25, gopFrames: 250, bFrames: 0 }, audio: AUDIO, seconds: 12 });
    expect(announcedWindow(late.window)).toBe(late.window);
  });

  it('keeps the target duration, and gives players playlists that continue each other, for any GOPs and pauses', () => {
    const pause = fc.record({
      track: fc.constantFrom('v1' as const, 'a1' as const, 'all' as const),
      fromMs: fc.integer({ min: 0, max: 35_000 }),
      lengthMs: fc.integer({ min: 40, max: 9000 }),
    });
    const given = fc.record({
      gopFrames: fc.constantFrom(25, 50, 55, 62, 100, 250, 400),
      fps: fc.constantFrom(25, 30_000 / 1001, 12.5),
      bFrames: fc.constantFrom(0, 2),
      lateMs: fc.constantFrom(0, -400, 300),
      partMs: fc.constantFrom(200, 500, 1000),
      pauses: fc.array(pause, { maxLength: 2 }),
    });
    fc.assert(
      fc.property(given, ({ gopFrames, fps, bFrames, lateMs, partMs, pauses }) => {
        const { viewer } = viewed(
          {
            video: { fps, gopFrames, bFrames },
            audio: { ...AUDIO, lateMs },
            seconds: 40,
            silences: pauses.map(({ track, fromMs, lengthMs }) => ({ track, fromMs, toMs: fromMs + lengthMs })),
          },
          { partMs, segmentCount: 4 },
        );
        expect([...viewer.targets]).toEqual([2]);
      }),
      { numRuns: RUNS },
    );
  });
});
