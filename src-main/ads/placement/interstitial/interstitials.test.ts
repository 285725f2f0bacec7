import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clipOf, LiveStream, testTracks } from '../../../../tests/helpers/ad-windows.ts';
import { StreamOutput } from '../../../delivery/stream-output.ts';
import { renderMediaPlaylist } from '../../../packaging/hls/media-playlist.ts';
import { USUAL_RULES, type AdDecision, type BreakRules } from '../../decision/ad-decision.ts';
import type { AdOutput } from '../../ad-output.ts';
import { viewerOutput } from '../../viewer-output.ts';
import type { Clip } from '../../clips/clip.ts';

// Breaks as HLS interstitials: their announcement in playlists, and the clips that the player loads.

const SEGMENT_MS = 2000;

/** A viewer whose player loads the playlist after each segment. */
class Viewer {
  readonly stream = new LiveStream({ segmentMs: SEGMENT_MS, listed: 10 });
  readonly clipsByPath: Map<string, Clip>;
  readonly sent: string[] = [];
  readonly output: AdOutput;
  /** Announced attributes of each break. */
  readonly #announced = new Map<string, string>();

  constructor(
    decision: Partial<AdDecision>,
    { clips = [], before }: { readonly clips?: readonly Clip[]; readonly before?: (stream: LiveStream) => void },
  ) {
    this.clipsByPath = new Map(clips.map((clip) => [clip.path, clip]));
    this.stream.growTo(10);
    before?.(this.stream);
    this.output = viewerOutput({
      live: new StreamOutput('cam', this.stream.window),
      decision: {
        form: 'in_place',
        prerolls: [],
        midrolls: [],
        insertBy: 'interval',
        intervalMs: undefined,
        rules: USUAL_RULES,
        ...decision,
      },
      clips: (path) => this.clipsByPath.get(path) ?? { path, reason: 'clip_not_found', detail: '' },
      asInterstitials: true,
      delivered: ({ showing, index }) => this.sent.push(`${showing.clip.path}${index}`),
    });
    this.poll();
  }

  poll(): string[] {
    const lines = (renderMediaPlaylist(this.output.window, { trackId: 'v1' }) ?? '')
      .split('\n')
      .filter((line) => line.startsWith('#EXT-X-DATERANGE'));
    for (const line of lines) {
      const [, id = ''] = /ID="([^"]*)"/.exec(line) ?? [];
      for (const [, name = '', value = ''] of line.matchAll(/[:,]([A-Z-]+)=("[^"]*"|[^,]*)/g)) {
        // All lines of one range have the same values (RFC 8216bis 4.4.5.1).
        expect([id, name, this.#announced.get(`${id} ${name}`) ?? value]).toEqual([id, name, value]);
        this.#announced.set(`${id} ${name}`, value);
      }
    }
    return lines;
  }

  watch(segments: number): string[] {
    for (let count = 1; count < segments; count++) {
      this.stream.grow();
      this.poll();
    }
    this.stream.grow();
    return this.poll();
  }

  /** Start, length and limit of each announced break, in seconds. */
  get breaks(): (number | undefined)[][] {
    return (this.output.window.interstitials?.() ?? []).map(({ startMs, durationMs, limitMs }) => [
      startMs / 1000,
      durationMs / 1000,
      ...(limitMs === undefined ? [] : [limitMs / 1000]),
    ]);
  }

  /** Clips of the newest break, one letter per segment. */
  get clips(): string {
    const id = this.output.window.interstitials?.().at(-1)?.id ?? '';
    const segments = this.output.window.interstitial?.(id)?.segments('v1') ?? [];
    return segments.map(({ address }) => /x\d+x(.)/.exec(address)?.[1]).join('');
  }
}

const CLIPS = { clips: [clipOf('a', 3), clipOf('b', 2), clipOf('s', 2)] };

describe('a break as an HLS interstitial', () => {
  it('is announced as one date range with the address of its clips, and a preroll is played once before the stream', () => {
    const viewer = new Viewer({ prerolls: ['a', 'b'] }, CLIPS);
    expect(viewer.poll()).toEqual([
      '#EXT-X-DATERANGE:ID="break-basw",CLASS="com.apple.hls.interstitial",START-DATE="1970-01-01T00:00:14.000Z",' +
        'X-ASSET-URI="../break-basw.m3u8",X-SNAP="OUT",X-RESTRICT="SKIP,JUMP",CUE="PRE,ONCE"',
    ]);
    const media = viewer.output.window.interstitial?.('basw');
    expect(media && renderMediaPlaylist(media, { trackId: 'v1' })?.split('\n')).toEqual([
      '#EXTM3U',
      '#EXT-X-VERSION:9',
      '#EXT-X-TARGETDURATION:1',
      '#EXT-X-PLAYLIST-TYPE:VOD',
      '#EXT-X-MEDIA-SEQUENCE:0',
      '#EXT-X-MAP:URI="baswx0xa-init-0.mp4"',
      ...[0, 1, 2].flatMap((second) => ['#EXTINF:1,', `baswx0xa-${second * 1000}.m4s`]),
      '#EXT-X-DISCONTINUITY',
      '#EXT-X-MAP:URI="baswx1xb-init-0.mp4"',
      ...[0, 1].flatMap((second) => ['#EXTINF:1,', `baswx1xb-${second * 1000}.m4s`]),
      '#EXT-X-ENDLIST',
      '',
    ]);
    // The stream itself is unchanged.
    expect(viewer.output.window.segments('v1')).toBe(viewer.stream.window.segments('v1'));
    expect(viewer.output.window.interstitial?.('b0')).toBeUndefined();
  });

  it('starts one interval later, at the start of a segment', () => {
    const viewer = new Viewer({ midrolls: ['a', 'b'], intervalMs: 20_000 }, CLIPS);
    expect(viewer.breaks).toEqual([]);
    viewer.watch(7);
    expect(viewer.breaks).toEqual([]);
    viewer.watch(1);
    expect(viewer.breaks).toEqual([[34, 5]]);
    viewer.watch(14);
    expect(viewer.breaks).toEqual([[60, 5]]);
  });

  it.each<[string, Partial<BreakRules>, number, string, number]>([
    ['is longer than its clips, which repeat, and ends with a segment', {}, 8, 'aaabbaaa', 8],
    ['is shorter than its clips', {}, 4, 'aaab', 4],
    ['is shorter, and the clip is shown to its end', { overrun: 'complete' }, 4, 'aaabb', 5],
    ['is longer, and the stream follows', { fill: 'programme' }, 8, 'aaabb', 5],
    ['is longer, and a slate follows', { fill: { slate: 's' } }, 8, 'aaabbsss', 8],
  ])('starts at a splice point with a length, and %s', (_what, rules, length, clips, seconds) => {
    const viewer = new Viewer(
      { midrolls: ['a', 'b'], insertBy: 'splicing', rules: { ...USUAL_RULES, ...rules } },
      CLIPS,
    );
    viewer.stream.splice('out', 24_000, length * 1000);
    viewer.watch(3);
    expect([viewer.breaks, viewer.clips]).toEqual([[[24, seconds]], clips]);
    viewer.watch(4);
    expect(viewer.breaks).toEqual([[24, seconds]]);
  });

  it('gets a playout limit if it ends earlier than announced, or if no end was announced', () => {
    for (const [durationMs, rules, limit] of [
      [16_000, {}, 8],
      [null, {}, 8],
      [null, { overrun: 'complete' }, 8],
      [null, { fill: { slate: 's' } }, 8],
    ] as const) {
      const viewer = new Viewer(
        { midrolls: ['a', 'b'], insertBy: 'splicing', rules: { ...USUAL_RULES, ...rules } },
        CLIPS,
      );
      viewer.stream.splice('out', 24_000, durationMs, { eventId: 7 });
      viewer.watch(4);
      expect(viewer.breaks[0]?.[2]).toBeUndefined();
      viewer.stream.splice('in', 32_000, null, { eventId: 7 });
      expect(viewer.watch(2)[0]).toContain(`X-PLAYOUT-LIMIT=${limit}`);
      expect(viewer.breaks[0]).toEqual([24, durationMs === null ? expect.any(Number) : 16, limit]);
      // The limited break ended longer ago than the window lasts.
      viewer.watch(20);
      expect(viewer.breaks).toEqual([]);
    }
  });

  it('does not start after a cancellation, and ends at once if it has already started', () => {
    const viewer = new Viewer({ midrolls: ['a'], insertBy: 'splicing' }, CLIPS);
    viewer.stream.splice('out', 28_000, 10_000, { eventId: 7 });
    viewer.watch(1);
    viewer.stream.unsplice(7);
    expect(viewer.watch(4)).toEqual([]);
    viewer.stream.splice('out', 32_000, 10_000, { eventId: 8 });
    viewer.watch(3);
    viewer.stream.unsplice(8);
    viewer.poll();
    expect(viewer.breaks).toEqual([[32, 10, 4]]);
  });

  it('is joined by a viewer who arrives in the middle, and delays another break that starts inside it', () => {
    const viewer = new Viewer(
      { midrolls: ['a'], insertBy: 'splicing' },
      {
        ...CLIPS,
        before: (stream) => {
          stream.growTo(15);
          stream.splice('out', 30_000, 12_000, { eventId: 1 });
          stream.growTo(20);
        },
      },
    );
    expect(viewer.breaks).toEqual([[34, 8]]);
    viewer.stream.splice('out', 40_000, 8000, { eventId: 2 });
    viewer.watch(2);
    expect(viewer.breaks).toEqual([
      [34, 8],
      [42, 6],
    ]);
  });

  it('is not announced without a fitting clip, or after the file of its clip was deleted', () => {
    const other = clipOf('o', 3, testTracks({ width: 640 }));
    const viewer = new Viewer(
      { midrolls: ['o', 'a'], intervalMs: 20_000, prerolls: ['o', 'none'] },
      { clips: [other, clipOf('a', 3)] },
    );
    expect(viewer.output.plan.skips.map(({ reason }) => reason)).toEqual([
      'clip_differs',
      'clip_not_found',
      'break_without_clips',
    ]);
    viewer.watch(8);
    expect(viewer.breaks).toEqual([[34, 3]]);
    viewer.clipsByPath.delete('a');
    expect(viewer.watch(1)).toEqual([]);
    expect(viewer.output.plan.skips.at(-1)).toMatchObject({ reason: 'clip_not_found', breakId: 'interval-34000' });
  });

  it('takes its clips from a new answer, starting with the next break', () => {
    const viewer = new Viewer({ midrolls: ['a'], intervalMs: 20_000 }, CLIPS);
    viewer.watch(8);
    viewer.output.plan.renew({
      form: 'in_place',
      prerolls: [],
      midrolls: ['b'],
      insertBy: 'interval',
      intervalMs: 30_000,
      rules: USUAL_RULES,
    });
    viewer.watch(16);
    expect(viewer.breaks).toEqual([[66, 2]]);
  });

  it('counts every sent segment of each interstitial once', () => {
    const viewer = new Viewer({ prerolls: ['b', 'b'] }, CLIPS);
    const segments = viewer.output.window.interstitial?.('basw')?.segments('v1') ?? [];
    for (const { address } of [...segments, ...viewer.stream.window.segments('v1'), ...segments])
      viewer.output.delivered('v1', address);
    for (const address of ['baswx2xb-0', 'baswx0xc-0', 'baswx-1xb-0', 'baswxx', '']) {
      viewer.output.delivered('v1', address);
      expect(viewer.output.window.segmentByAddress('v1', address)).toBeUndefined();
    }
    expect(viewer.sent).toEqual(['b0', 'b1', 'b0', 'b1']);
    expect(viewer.output.plan.showings.map(({ startMs, delivered }) => [startMs, delivered.count])).toEqual([
      [14_000, 2],
      [16_000, 2],
    ]);
  });

  it('never overlaps another break, never changes its announcement, and is never empty', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            gap: fc.nat(5),
            length: fc.option(fc.integer({ min: 1, max: 9 })),
            returns: fc.option(fc.integer({ min: 1, max: 9 })),
            isCancelled: fc.boolean(),
          }),
          { maxLength: 6 },
        ),
        fc.record({
          overrun: fc.constantFrom('cut' as const, 'complete' as const),
          fill: fc.constantFrom('repeat' as const, 'programme' as const, { slate: 's' }),
        }),
        (marks, rules) => {
          const viewer = new Viewer({ midrolls: ['a', 'b'], insertBy: 'splicing', rules }, CLIPS);
          for (const [eventId, { gap, length, returns, isCancelled }] of marks.entries()) {
            const atMs = viewer.stream.endMs + gap * SEGMENT_MS;
            viewer.stream.splice('out', atMs, length === null ? null : length * SEGMENT_MS, { eventId });
            viewer.watch(1 + (isCancelled ? 0 : gap));
            if (isCancelled) viewer.stream.unsplice(eventId);
            else if (returns !== null) viewer.stream.splice('in', atMs + returns * SEGMENT_MS, null, { eventId });
            viewer.watch(returns ?? 3);
            const { breaks } = viewer;
            for (const [index, [start = 0, duration = 0, limit = Infinity]] of breaks.entries()) {
              expect(start + Math.min(duration, limit)).toBeLessThanOrEqual(breaks[index + 1]?.[0] ?? Infinity);
              expect(duration).toBeGreaterThan(0);
            }
          }
        },
      ),
      { numRuns: 100 },
    );
  });
});
