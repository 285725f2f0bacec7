import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MediaPlaylist, PlaylistPart, PlaylistSegment } from '../../media/manifests/hls/media-playlist.ts';
import type { MediaItem } from './media-item.ts';
import { PlaylistCursor } from './playlist-cursor.ts';
import { distanceFromEnd, holdBackMs, startPosition } from './start-position.ts';

/** All media that the server will have listed. Each segment has four parts of half a second. */
interface ServerContent {
  /** Numbers of segments that follow a discontinuity. */
  readonly discontinuities: ReadonlySet<number>;
  readonly hasParts: boolean;
  readonly name?: string;
  readonly statesSequence?: boolean;
}

const PARTS = 4;

function part(msn: number, index: number): PlaylistPart {
  return { uri: `${msn}.${index}.m4s`, durationMs: 500, isIndependent: index === 0, isGap: false };
}

/** Playlist after `parts` parts, with a window of `window` segments. */
function playlistAfter(content: ServerContent, parts: number, window: number): MediaPlaylist {
  const completeSegments = Math.floor(parts / PARTS);
  const first = Math.max(0, completeSegments - window);
  const hasOpenSegment = content.hasParts && parts % PARTS > 0;
  const segments: PlaylistSegment[] = [];
  let discontinuities = 0;
  for (let msn = first; msn < completeSegments + (hasOpenSegment ? 1 : 0); msn++) {
    if (content.discontinuities.has(msn)) discontinuities++;
    const isComplete = msn < completeSegments;
    // Parts are listed only near the end.
    const count = content.hasParts && msn >= completeSegments - 2 ? (isComplete ? PARTS : parts % PARTS) : 0;
    segments.push({
      msn,
      durationMs: isComplete ? 2000 : count * 500,
      ...(isComplete ? { uri: `${content.name ?? 's'}${msn}.m4s` } : {}),
      keys: [],
      discontinuities,
      isGap: false,
      parts: Array.from({ length: count }, (_, index) => part(msn, index)),
    });
  }
  const trimmedCount = [...content.discontinuities].filter((msn) => msn < first).length;
  return {
    kind: 'media',
    targetMs: 2000,
    ...(content.hasParts ? { partTargetMs: 500 } : {}),
    mediaSequence: first,
    ...(content.statesSequence ? { discontinuitySequence: trimmedCount } : {}),
    isEnded: false,
    serverControl: { canBlockReload: content.hasParts },
    segments,
    skippedSegments: 0,
  };
}

/** Numbers of the half seconds covered by an item. */
function halves({ msn, part: index }: MediaItem): number[] {
  return index === undefined ? [0, 1, 2, 3].map((half) => msn * PARTS + half) : [msn * PARTS + index];
}

const PLAIN: ServerContent = { discontinuities: new Set(), hasParts: false };

describe('PlaylistCursor without media sequence numbers', () => {
  const unnumbered = (from: number, to: number): MediaPlaylist => {
    const playlist = playlistAfter({ discontinuities: new Set(), hasParts: false }, to * PARTS, to - from);
    const segments = playlist.segments.map((segment, index) => ({ ...segment, msn: index }));
    return { ...playlist, mediaSequence: 0, isUnnumbered: true, segments };
  };

  it('recognizes known segments by their addresses', () => {
    const cursor = new PlaylistCursor();
    const addresses = [
      [0, 4],
      [1, 5],
      [1, 5],
      [3, 7],
      // A completely different window.
      [9, 12],
      [10, 13],
    ].flatMap(([from = 0, to = 0]) => cursor.take(unnumbered(from, to)).items.map(({ uri }) => uri));
    expect(addresses.slice(-7)).toEqual([4, 5, 6, 9, 10, 11, 12].map((number) => `s${number}.m4s`));
    expect(new Set(addresses).size).toBe(addresses.length);
  });
});

describe('PlaylistCursor', () => {
  it('returns every segment and part once and in order, for any sequence of playlist versions', () => {
    const scenario = fc.record({
      start: fc.integer({ min: 13, max: 30 }),
      steps: fc.array(fc.integer({ min: 0, max: 8 }), { maxLength: 40 }),
      discontinuities: fc.uniqueArray(fc.integer({ min: 0, max: 80 })),
      hasParts: fc.boolean(),
      statesSequence: fc.boolean(),
    });
    fc.assert(
      fc.property(scenario, ({ start, steps, discontinuities, hasParts, statesSequence }) => {
        const content = { discontinuities: new Set(discontinuities), hasParts, statesSequence };
        const cursor = new PlaylistCursor();
        let parts = start;
        const items: MediaItem[] = [...cursor.take(playlistAfter(content, parts, 5)).items];
        for (const step of steps) {
          parts += step;
          const news = cursor.take(playlistAfter(content, parts, 5));
          expect([news.missed, news.hasRestarted]).toEqual([0, false]);
          items.push(...news.items);
        }
        const covered = items.flatMap(halves);
        const first = covered[0] ?? 0;
        const end = hasParts ? parts : parts - (parts % PARTS);
        expect(covered).toEqual(Array.from({ length: end - first }, (_, index) => first + index));
        // The era number counts the discontinuities since the start.
        for (const { msn, era } of items)
          expect(era).toBe(discontinuities.filter((one) => one > items[0]!.msn && one <= msn).length);
        expect(items.some(({ isAfterGap }) => isAfterGap)).toBe(false);
        expect(cursor.next).toEqual({ msn: Math.floor(end / PARTS), part: end % PARTS });
      }),
    );
  });

  it('reports missed segments, and continues near the edge', () => {
    const cursor = new PlaylistCursor();
    cursor.take(playlistAfter(PLAIN, 20, 5));
    const news = cursor.take(playlistAfter(PLAIN, 60, 5));
    expect(news.missed).toBe(5);
    expect(news.items.map(({ msn, isAfterGap }) => [msn, isAfterGap])).toEqual([
      [12, true],
      [13, false],
      [14, false],
    ]);
  });

  it('skips the rest of a segment whose parts have left the playlist', () => {
    const content = { ...PLAIN, hasParts: true };
    const cursor = new PlaylistCursor();
    cursor.take(playlistAfter(content, 22, 9));
    expect(cursor.next).toEqual({ msn: 5, part: 2 });
    const { items } = cursor.take(playlistAfter(content, 36, 9));
    expect(items.map(({ msn, part: index, isAfterGap }) => [msn, index, isAfterGap])).toEqual([
      [6, undefined, true],
      [7, undefined, false],
      [8, undefined, false],
    ]);
  });

  it('distinguishes a restarted server from an old copy of the playlist', () => {
    const cursor = new PlaylistCursor();
    cursor.take(playlistAfter(PLAIN, 40, 5));
    for (let copy = 0; copy < 5; copy++)
      expect(cursor.take(playlistAfter(PLAIN, 32, 5))).toEqual({ items: [], missed: 0, hasRestarted: false });
    const next = { ...PLAIN, name: 'new' };
    expect(cursor.take(playlistAfter(next, 8, 5)).hasRestarted).toBe(false);
    const news = cursor.take(playlistAfter(next, 12, 5));
    expect(news.hasRestarted).toBe(true);
    expect(news.items.map(({ msn, era }) => [msn, era])).toEqual([
      [0, 1],
      [1, 1],
      [2, 1],
    ]);
  });

  it('continues after the last segment it returned if the same segments get other numbers', () => {
    const restarted = (parts: number, window: number): MediaPlaylist => {
      const { segments, ...playlist } = playlistAfter({ ...PLAIN, discontinuities: new Set([12]) }, parts, window);
      return { ...playlist, segments: segments.map((segment) => ({ ...segment, msn: segment.msn - 7 })) };
    };
    const cursor = new PlaylistCursor();
    cursor.take(playlistAfter(PLAIN, 40, 3));
    const { items, hasRestarted } = cursor.take(restarted(44, 3));
    expect(hasRestarted).toBe(true);
    expect(items.map(({ msn, uri, era, isAfterGap }) => [msn, uri, era, isAfterGap])).toEqual([
      [3, 's10.m4s', 0, false],
    ]);
    const later = [48, 52, 56].flatMap((parts) => cursor.take(restarted(parts, 3)).items);
    expect(later.map(({ msn, uri, era }) => [msn, uri, era])).toEqual([
      [4, 's11.m4s', 0],
      [5, 's12.m4s', 1],
      [6, 's13.m4s', 1],
    ]);
  });

  it('does not mistake reused addresses of a restarted encoder for known segments', () => {
    const cursor = new PlaylistCursor();
    const names = ['c', 'a', 'b', 'c'];
    const list = (first: number, uris: readonly string[]): MediaPlaylist => {
      const { segments: made, ...playlist } = playlistAfter(PLAIN, uris.length * PARTS, 9);
      const segments = made.map((segment, index) => ({ ...segment, msn: first + index, uri: uris[index]! }));
      return { ...playlist, mediaSequence: first, segments };
    };
    cursor.take(list(100, names));
    expect(cursor.take(list(0, ['x', 'c', 'd'])).items).toEqual([]);
    expect(cursor.take(list(1, ['c', 'd', 'e'])).items.map(({ uri, era }) => [uri, era])).toEqual([
      ['c', 1],
      ['d', 1],
      ['e', 1],
    ]);
  });

  it('returns a recording from its start, and again after a rewind', () => {
    const cursor = new PlaylistCursor();
    const recording = { ...playlistAfter({ ...PLAIN, discontinuities: new Set([3]) }, 20, 9), isEnded: true };
    expect(cursor.take(recording).items.map(({ msn, era }) => [msn, era])).toEqual([
      [0, 0],
      [1, 0],
      [2, 0],
      [3, 1],
      [4, 1],
    ]);
    expect(cursor.rewind(recording).items.map(({ era }) => era)).toEqual([2, 2, 2, 3, 3]);
  });
});

describe('startPosition', () => {
  it('is the third segment from the end, or the segment at HOLD-BACK', () => {
    expect(startPosition(playlistAfter(PLAIN, 40, 8), {})).toEqual({ msn: 7, part: 0 });
    expect(startPosition(playlistAfter(PLAIN, 4, 8), {})).toEqual({ msn: 0, part: 0 });
    const playlistHeld = { ...playlistAfter(PLAIN, 40, 8), serverControl: { canBlockReload: false, holdBackMs: 8500 } };
    expect([startPosition(playlistHeld, {}), holdBackMs(playlistHeld)]).toEqual([{ msn: 5, part: 0 }, 8500]);
  });

  it('is an independent part for a low-latency playlist', () => {
    const playlist = playlistAfter({ ...PLAIN, hasParts: true }, 39, 8);
    expect(holdBackMs(playlist)).toBe(1500);
    expect(startPosition(playlist, {})).toEqual({ msn: 9, part: 0 });
    expect(distanceFromEnd(playlist, { msn: 9, part: 1 })).toBe(1000);
    const playlistHeld = { ...playlist, serverControl: { canBlockReload: true, partHoldBackMs: 1600 } };
    expect(startPosition(playlistHeld, {})).toEqual({ msn: 8, part: 0 });
  });

  it('is after the gaps at the start of a stream', () => {
    const playlist = { ...playlistAfter(PLAIN, 40, 8), serverControl: { canBlockReload: false, holdBackMs: 8500 } };
    const gaps = (...msns: readonly number[]): MediaPlaylist => ({
      ...playlist,
      segments: playlist.segments.map((segment) => ({ ...segment, isGap: msns.includes(segment.msn) })),
    });
    expect(startPosition(gaps(2, 4), {})).toEqual({ msn: 5, part: 0 });
    expect(startPosition(gaps(4, 6), {})).toEqual({ msn: 7, part: 0 });
    const started = gaps(2, 3);
    const segments = started.segments.map((one) =>
      one.msn === 4 ? { ...one, uri: 'i', map: { uri: 'i', keys: [] } } : one,
    );
    expect(startPosition({ ...started, segments }, {})).toEqual({ msn: 5, part: 0 });
    // If nothing comes after the gaps, the start position is before them.
    expect(startPosition(gaps(6, 7, 8, 9), {})).toEqual({ msn: 5, part: 0 });
  });

  it('matches another rendition, by date or by distance from the end', () => {
    const playlist = playlistAfter(PLAIN, 40, 8);
    const dated = {
      ...playlist,
      segments: playlist.segments.map((segment) => ({ ...segment, startMs: 1000 + segment.msn * 2000 })),
    };
    expect(startPosition(dated, { startMs: 1000 + 5 * 2000 + 900, agoMs: 2000 })).toEqual({ msn: 5, part: 0 });
    expect(startPosition(playlist, { startMs: 5, agoMs: 7000 })).toEqual({ msn: 6, part: 0 });
  });
});
