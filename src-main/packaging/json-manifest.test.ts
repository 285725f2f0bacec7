import { afterAll, describe, expect, it } from 'vitest';
import { LongWindow } from '../../tests/helpers/long-window.ts';
import { fileWindow, RecordedMedia, stitchedWindow } from '../../tests/helpers/recorded-media.ts';
import { runAtOnce } from '../lib/turns.ts';
import type { ChangingWindow, SegmentWindow } from '../segment/segment-window.ts';
import { ChosenTracks } from './chosen-tracks.ts';
import { renderMpd } from './dash/mpd.ts';
import { renderTsPlaylist } from './hls/ts-playlist.ts';
import { jsonManifestSteps } from './json-manifest.ts';
import { Programme } from './programme.ts';

const main = new RecordedMedia(20);
const clip = new RecordedMedia(6, { width: 320, height: 180 });

afterAll(() => {
  main.close();
  clip.close();
});

interface Manifest {
  readonly mutability: string;
  readonly segment_prefix: string;
  readonly periods: readonly {
    readonly dts: number;
    readonly duration: number;
    readonly media_info: { readonly tracks: readonly { readonly track_id: string; readonly width?: number }[] };
    readonly segments: readonly { readonly dts: number; readonly duration: number; readonly address: string }[];
  }[];
}

/** Four segments, two segments of a clip, then the remaining segments a minute later. */
function stitched(): ChangingWindow {
  return stitchedWindow(main, clip, 4, 2, 60_000);
}

function manifest(window: SegmentWindow, query?: string): Manifest {
  return JSON.parse(runAtOnce(jsonManifestSteps(window, query)) ?? 'null') as Manifest;
}

describe('the JSON manifest', () => {
  it('lists the segments of the MPEG-TS playlist, and the tracks of each period', () => {
    for (const window of [fileWindow(main), stitched()]) {
      const { periods, mutability } = manifest(window);
      const listed = periods.flatMap(({ segments }) => segments.map(({ address }) => address));
      const playlist = (renderTsPlaylist(window) ?? '').split('\n').filter((line) => line.endsWith('.ts'));
      expect([mutability, listed]).toEqual([window.mutability, playlist]);
      expect(periods.length).toBe(window.periods().length);
      for (const { segments, dts, duration } of periods) {
        expect(segments[0]?.dts).toBe(dts);
        const last = segments.at(-1);
        expect((last?.dts ?? 0) + (last?.duration ?? 0) - dts).toBe(duration);
      }
    }
    const sizes = manifest(stitched()).periods.map(({ media_info: { tracks } }) =>
      tracks.map(({ track_id: id, width }) => `${id} ${width ?? ''}`.trim()),
    );
    expect(new Set(sizes.flat()).has('v1 320')).toBe(true);
    expect(sizes.every((tracks) => tracks.includes('a1'))).toBe(true);
  });

  it('has a prefix for the source of its segments, and adds the query to addresses', () => {
    const { segment_prefix: prefix, periods } = manifest(fileWindow(main), 'token=a');
    expect(prefix).toBe('vod');
    expect(periods[0]?.segments.every(({ address }) => address.endsWith('.ts?token=a'))).toBe(true);
    expect(manifest(new LongWindow(60)).segment_prefix).toBe('dvr');
  });

  it('lists all segments of a day, in steps', () => {
    const steps = jsonManifestSteps(new LongWindow(86_400));
    let count = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) count++;
    expect(count).toBeGreaterThan(40);
    expect((JSON.parse(step.value ?? '') as Manifest).periods[0]?.segments).toHaveLength(43_200);
  });
});

describe('ChosenTracks', () => {
  it('lists only the chosen tracks, with the segments of the complete window', () => {
    const window = stitched();
    for (const ids of [['v1'], ['a1'], ['a1', 'v1']]) {
      const chosen = new ChosenTracks(window, ids);
      const expected = [...ids].sort().reverse();
      expect(chosen.tracks.map(({ track }) => track.id)).toEqual(expected);
      const leader = expected[0] ?? '';
      expect(new Programme(chosen).segments().map(({ address }) => address)).toEqual(
        window.segments(leader).map(({ address }) => address),
      );
      const mpd = renderMpd(chosen, { nowMs: 0 }) ?? '';
      expect(new Set([...mpd.matchAll(/<Representation id="(\w+)"/g)].map(([, id]) => id))).toEqual(new Set(ids));
    }
    expect(new ChosenTracks(window, ['v1']).segments('a1')).toEqual([]);
    expect(new ChosenTracks(window, ['v1']).inits.map(({ track }) => track.id)).not.toContain('a1');
  });

  it('creates its own segment objects, so that data derived from them is kept apart', () => {
    const file = fileWindow(main);
    const [first] = file.segments('v1');
    const [one, other] = [new ChosenTracks(file, ['v1']), new ChosenTracks(file, ['v1', 'a1'])];
    const address = first?.address ?? '';
    expect(one.segmentByAddress('v1', address)).toEqual(first);
    expect(one.segmentByAddress('v1', address)).toBe(one.segmentByAddress('v1', address));
    expect(one.segmentByAddress('v1', address)).not.toBe(other.segmentByAddress('v1', address));
  });
});
