import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { ListWindow } from '../../tests/helpers/list-window.ts';
import { testTracks } from '../../tests/helpers/ad-windows.ts';
import { madeAudio } from '../../tests/helpers/made-input.ts';
import type { Track } from '../media/track.ts';
import type { WindowSegment } from '../segment/segment-window.ts';
import type { Session } from '../sessions/session.ts';
import type { MediaAddress, MediaResource } from './media-address.ts';
import { SessionTracks } from './session-tracks.ts';
import { MAX_EARLIER, readEarlier } from './track-query.ts';

const SECOND_MS = 1000;
const [video] = testTracks();
const TRACKS: readonly Track[] = [video as Track, { ...madeAudio(), id: 'a1' }, { ...madeAudio(), id: 'a2' }];

/** Segment `msn` of a track: one second, with one part without bytes. */
function segment({ id: trackId, timescale }: Track, msn: number): WindowSegment {
  const startMs = msn * SECOND_MS;
  const times = { startTicks: msn * timescale, durationTicks: timescale };
  const part = { ...times, index: 0, isIndependent: true, arrivedMs: 0, sizeBytes: 0, pieces: [] };
  return {
    segment: { ...times, trackId, startMs, parts: [part], sizeBytes: 0, isComplete: true, isGap: false, initId: 0 },
    msn,
    startMs,
    isDiscontinuity: false,
    discontinuitySequence: 0,
    address: String(startMs),
  };
}

/**
 * Content of a window: three tracks with segments from number 0.
 *
 * @param counts number of segments, for all tracks or for each
 */
function lists(counts: number | readonly number[], mutability: 'live' | 'static') {
  const tracks = TRACKS.map((track, at) => ({
    track,
    segments: Array.from({ length: typeof counts === 'number' ? counts : (counts[at] ?? 0) }, (_, msn) =>
      segment(track, msn),
    ),
  }));
  return { tracks, mutability };
}

function session(tracks?: readonly string[]): Session {
  // Only the requested tracks of a session are read.
  return { tracks } as unknown as Session;
}

const of = (kind: 'multivariant' | 'mpd' | 'ts-segment' | 'media-info'): MediaAddress => {
  const resource: MediaResource = kind === 'ts-segment' ? { kind, address: '0' } : { kind };
  return { stream: 'cam', resource };
};

describe('the tracks that a session requests', () => {
  let requested: SessionTracks;
  beforeEach(() => {
    requested = new SessionTracks();
  });

  it('replace the track selection in the query', () => {
    const window = new ListWindow(lists(2, 'live'));
    const query = (text: string): string | undefined =>
      requested.queryOf(of('multivariant'), text, session(['v1', 'a2']), window);
    expect(query('')).toBe('filter.tracks=v1a2');
    expect(query('token=x&filter.tracks=v1a1')).toBe('token=x&filter.tracks=v1a2');
    expect(query('filter.tracks=v1a2')).toBeUndefined();
  });

  it('do not apply without a session, to addresses that select tracks, to segments and to other resources', () => {
    const window = new ListWindow(lists(2, 'live'));
    const viewerSession = session(['v1']);
    expect(requested.queryOf(of('multivariant'), '', undefined, window)).toBeUndefined();
    expect(requested.queryOf(of('multivariant'), '', session(), window)).toBeUndefined();
    expect(requested.queryOf({ ...of('multivariant'), tracks: ['a1'] }, '', viewerSession, window)).toBeUndefined();
    expect(requested.queryOf(of('ts-segment'), '', viewerSession, window)).toBeUndefined();
    expect(requested.queryOf(of('media-info'), '', viewerSession, window)).toBeUndefined();
    // An MPD whose session never requested tracks keeps the tracks of its address.
    expect(requested.queryOf(of('mpd'), 'filter.tracks=a1', session(), window)).toBeUndefined();
  });

  it('start with the next segment of a growing MPD, which still lists earlier selections', () => {
    const window = new ListWindow(lists(2, 'live'));
    const viewerSession = session(['v1', 'a2']);
    expect(requested.queryOf(of('mpd'), '', viewerSession, window)).toBeUndefined();
    window.grow(lists(3, 'live'));
    const query = requested.queryOf(of('mpd'), '', viewerSession, window);
    expect(query).toBe('filter.tracks=v1a2&filter.until=all.2000');
    expect(requested.queryOf(of('mpd'), query ?? '', viewerSession, window)).toBeUndefined();
    Object.assign(viewerSession, { tracks: undefined });
    requested.queryOf(of('mpd'), query ?? '', viewerSession, window);
    window.grow(lists(4, 'live'));
    expect(requested.queryOf(of('mpd'), query ?? '', viewerSession, window)).toBe('filter.until=all.2000,v1a2.3000');
  });

  it('keep a track of each kind in an MPD', () => {
    const window = new ListWindow(lists(2, 'live'));
    const viewerSession = session(['v1']);
    requested.queryOf(of('mpd'), '', viewerSession, window);
    window.grow(lists(3, 'live'));
    // The MPD had all audio tracks before: no player continues if a Period has none.
    expect(requested.queryOf(of('mpd'), '', viewerSession, window)).toBeUndefined();
  });

  describe('in a growing MPD', () => {
    let window: ListWindow;
    const viewerSession = session();
    const request = (tracks: readonly string[] | undefined): void => {
      Object.assign(viewerSession, { tracks });
    };
    /** Query of the next MPD, when the tracks have these numbers of segments. */
    const next = (...counts: number[]): string | undefined => {
      window.grow(lists(counts, 'live'));
      return requested.queryOf(of('mpd'), '', viewerSession, window);
    };
    beforeEach(() => {
      window = new ListWindow(lists(0, 'live'));
    });

    it('start with the first segment if the window was empty', () => {
      request(['v1', 'a2']);
      expect(next(0, 0, 0)).toBeUndefined();
      expect(next(1, 1, 1)).toBe('filter.tracks=v1a2&filter.until=all.0');
    });

    it('apply once all requested tracks have the next segment', () => {
      request(['v1', 'a2']);
      next(2, 2, 2);
      expect(next(3, 3, 2)).toBeUndefined();
      expect(next(3, 2, 3)).toBe('filter.tracks=v1a2&filter.until=all.2000');
    });

    it('apply only when the next segment has media', () => {
      request(['v1', 'a2']);
      next(2, 2, 2);
      const { tracks, mutability } = lists(3, 'live');
      const empty = tracks.map(({ track, segments }) => ({
        track,
        segments: segments.map((one) => (one.msn < 2 ? one : { ...one, segment: { ...one.segment, parts: [] } })),
      }));
      window.grow({ tracks: empty, mutability });
      expect(requested.queryOf(of('mpd'), '', viewerSession, window)).toBeUndefined();
      expect(next(3, 3, 3)).toBe('filter.tracks=v1a2&filter.until=all.2000');
    });

    it.each([
      ['the first', [2, 3, 3], [2, 4, 4]],
      ['the last', [3, 3, 2], [4, 4, 2]],
    ])('apply without waiting for a track whose media has ended: %s', (_, at, after) => {
      request(['v1', 'a2']);
      next(2, 2, 2);
      expect(next(...at)).toBeUndefined();
      expect(next(...after)).toBe('filter.tracks=v1a2&filter.until=all.2000');
    });

    it('start after the newest segment of all tracks', () => {
      request(['v1', 'a2']);
      next(2, 4, 2);
      expect(next(4, 4, 4)).toBeUndefined();
      expect(next(5, 5, 5)).toBe('filter.tracks=v1a2&filter.until=all.4000');
    });

    it('start after the newest request, even if an earlier request was withdrawn', () => {
      request(['v1', 'a2']);
      next(2, 2, 2);
      request(undefined);
      expect(next(2, 2, 2)).toBeUndefined();
      request(['v1', 'a1']);
      expect(next(9, 9, 9)).toBeUndefined();
      expect(next(10, 10, 10)).toBe('filter.tracks=v1a1&filter.until=all.9000');
    });

    it('are no selection if the session requests all tracks', () => {
      request(['a2', 'v1', 'a1']);
      next(2, 2, 2);
      expect(next(3, 3, 3)).toBeUndefined();
    });

    it('keep the previous track of a kind that the request omits, and no other track of that kind', () => {
      request(['v1', 'a2']);
      next(2, 2, 2);
      next(3, 3, 3);
      request(['v1']);
      next(3, 3, 3);
      expect(next(4, 4, 4)).toBe('filter.tracks=v1a2&filter.until=all.2000');
      request(['a1']);
      next(4, 4, 4);
      expect(next(5, 5, 5)).toBe('filter.tracks=a1v1&filter.until=all.2000,v1a2.4000');
    });

    it('list at most the last eight changes, in order of time', () => {
      fc.assert(
        fc.property(fc.array(fc.subarray(['v1', 'a1', 'a2']), { minLength: 1, maxLength: 20 }), (requests) => {
          requested = new SessionTracks();
          let count = 1;
          let query = '';
          for (const tracks of requests) {
            request(tracks.length > 0 ? tracks : undefined);
            // The first MPD notices the request, the second has media of the next segment.
            for (const more of [0, 1]) {
              count += more;
              query = next(count, count, count) ?? '';
            }
            const earlier = readEarlier(query);
            const last = earlier?.at(-1);
            expect(earlier?.length).toBeLessThanOrEqual(MAX_EARLIER);
            // Two adjacent entries differ, and the last entry differs from the current tracks.
            const names = [...(earlier ?? []).map(({ ids }) => ids?.join('')), /tracks=(\w+)/.exec(query)?.[1]];
            expect(names.every((name, at) => at === 0 || name !== names[at - 1])).toBe(true);
            expect(last === undefined || last.untilMs < count * SECOND_MS).toBe(true);
          }
        }),
      );
    });
  });

  it('apply at once to an MPD that does not grow', () => {
    const window = new ListWindow(lists(2, 'static'));
    expect(requested.queryOf(of('mpd'), '', session(['v1']), window)).toBe('filter.tracks=v1');
  });
});
