import { beforeEach, describe, expect, it } from 'vitest';
import { ListWindow } from '../../tests/helpers/list-window.ts';
import { testTracks } from '../../tests/helpers/ad-windows.ts';
import { madeAudio } from '../../tests/helpers/made-input.ts';
import type { Track } from '../media/track.ts';
import type { WindowSegment } from '../segment/segment-window.ts';
import type { Session } from '../sessions/session.ts';
import type { MediaAddress, MediaResource } from './media-address.ts';
import { SessionTracks } from './session-tracks.ts';

const SECOND_MS = 1000;
const [video] = testTracks();
const TRACKS: readonly Track[] = [video as Track, { ...madeAudio(), id: 'a1' }, { ...madeAudio(), id: 'a2' }];

/** Segment `msn` of a track, a second long, of one part without bytes. */
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

/** Window of three tracks with segments from 0 on. */
function lists(count: number, mutability: 'live' | 'static') {
  const tracks = TRACKS.map((track) => ({
    track,
    segments: Array.from({ length: count }, (_, msn) => segment(track, msn)),
  }));
  return { tracks, mutability };
}

function session(tracks?: readonly string[]): Session {
  // Only the requested tracks of a session are read.
  return { tracks } as unknown as Session;
}

const of = (kind: 'multivariant' | 'mpd' | 'ts-segment'): MediaAddress => {
  const resource: MediaResource = kind === 'ts-segment' ? { kind, address: '0' } : { kind };
  return { stream: 'cam', resource };
};

describe('tracks that a session requests', () => {
  let requested: SessionTracks;
  beforeEach(() => {
    requested = new SessionTracks();
  });

  it('replace the tracks in the query', () => {
    const window = new ListWindow(lists(2, 'live'));
    const query = (text: string): string | undefined =>
      requested.queryOf(of('multivariant'), text, session(['v1', 'a2']), window);
    expect(query('')).toBe('filter.tracks=v1a2');
    expect(query('token=x&filter.tracks=v1a1')).toBe('token=x&filter.tracks=v1a2');
    expect(query('filter.tracks=v1a2')).toBeUndefined();
  });

  it('change nothing without a session, for addresses with tracks, and for segments', () => {
    const window = new ListWindow(lists(2, 'live'));
    const wants = session(['v1']);
    expect(requested.queryOf(of('multivariant'), '', undefined, window)).toBeUndefined();
    expect(requested.queryOf(of('multivariant'), '', session(), window)).toBeUndefined();
    expect(requested.queryOf({ ...of('multivariant'), tracks: ['a1'] }, '', wants, window)).toBeUndefined();
    expect(requested.queryOf(of('ts-segment'), '', wants, window)).toBeUndefined();
  });

  it('start with the next segment of a growing MPD, and stay listed for earlier ones', () => {
    const window = new ListWindow(lists(2, 'live'));
    const wants = session(['v1', 'a2']);
    expect(requested.queryOf(of('mpd'), '', wants, window)).toBeUndefined();
    window.grow(lists(3, 'live'));
    const query = requested.queryOf(of('mpd'), '', wants, window);
    expect(query).toBe('filter.tracks=v1a2&filter.until=all.2000');
    expect(requested.queryOf(of('mpd'), query ?? '', wants, window)).toBeUndefined();
    Object.assign(wants, { tracks: undefined });
    requested.queryOf(of('mpd'), query ?? '', wants, window);
    window.grow(lists(4, 'live'));
    expect(requested.queryOf(of('mpd'), query ?? '', wants, window)).toBe('filter.until=all.2000,v1a2.3000');
  });

  it('of an MPD keep a track of each kind', () => {
    const window = new ListWindow(lists(2, 'live'));
    const wants = session(['v1']);
    requested.queryOf(of('mpd'), '', wants, window);
    window.grow(lists(3, 'live'));
    // All sounds were listed before: no player continues if a Period has none.
    expect(requested.queryOf(of('mpd'), '', wants, window)).toBeUndefined();
  });

  it('of an MPD that does not grow apply at once', () => {
    const window = new ListWindow(lists(2, 'static'));
    expect(requested.queryOf(of('mpd'), '', session(['v1']), window)).toBe('filter.tracks=v1');
  });
});
