import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyOptions, plainInput } from '../../../tests/helpers/any-stream.ts';
import { ArchiveStage } from '../../../tests/helpers/archive-stage.ts';
import { windowFaults } from '../../../tests/helpers/check-window.ts';
import type { MadeInput } from '../../../tests/helpers/made-input.ts';
import { settled } from '../../../tests/helpers/settled.ts';
import { StreamRun } from '../../../tests/helpers/stream-run.ts';
import { ChosenTracks } from '../../packaging/chosen-tracks.ts';
import { renderMpd } from '../../packaging/dash/mpd.ts';
import { readMedia } from '../../segment/media-bytes.ts';
import { renderMediaPlaylist } from '../../packaging/hls/media-playlist.ts';
import { RewindWindow } from './rewind-window.ts';

const PLAIN: MadeInput = {
  video: { fps: 25, gopFrames: 25, bFrames: 0 },
  audio: { sampleRate: 48_000, lateMs: 0 },
  seconds: 20,
};

async function opened(stage: ArchiveStage, depthMs: number): Promise<RewindWindow> {
  const opening = stage.playback.open('c/03', { kind: 'rewind', depthMs }, 1000);
  let isOpen = false;
  void opening.finally(() => (isOpen = true));
  // Opening waits while the recorder lags.
  for (let wait = 0; wait < 20; wait++) {
    await settled();
    if (isOpen) break;
    stage.stream.clock.advance(250);
  }
  const window = await opening;
  if (!(window instanceof RewindWindow)) throw new Error('another window');
  return window;
}

/** Segments of a window whose number differs from their live number. */
function wrongNumbers(window: RewindWindow, stage: ArchiveStage): unknown[] {
  const numbers = new Map<string, number>();
  for (const event of stage.stream.events)
    if (event.type === 'segment-start') numbers.set(`${event.trackId} ${event.startTicks}`, event.msn);
  return window.tracks.flatMap(({ track: { id } }) =>
    window.segments(id).filter(({ msn, segment }) => numbers.get(`${id} ${segment.startTicks}`) !== msn),
  );
}

describe('RewindWindow: the live window preceded by the archive', () => {
  it('ends when the encoder will not return, and keeps its segment numbers', async () => {
    const stage = new ArchiveStage({ segmentMs: 1000, segmentCount: 4 });
    await stage.record();
    await stage.play({ ...PLAIN, seconds: 20 });
    const before = await opened(stage, 600_000);
    expect(renderMediaPlaylist(before, { trackId: 'v1' })).not.toContain('#EXT-X-ENDLIST');
    const last = before.segments('v1').findLast(({ segment }) => segment.isComplete);
    stage.isRecorded = false;
    stage.hasEnded = true;
    await stage.close();
    const window = await stage.playback.open('c/03', { kind: 'rewind', depthMs: 600_000 }, 1000);
    if (typeof window === 'string') throw new Error(window);
    expect(renderMediaPlaylist(window, { trackId: 'v1' })).toContain('#EXT-X-ENDLIST');
    expect(window.segments('v1').find(({ startMs }) => startMs === last?.startMs)?.msn).toBe(last?.msn);
  });

  it('extends the live numbers into the archive, slides, and reports every change', async () => {
    const stage = new ArchiveStage({ segmentMs: 1000, segmentCount: 4 });
    await stage.record();
    await stage.play({ ...PLAIN, seconds: 60 });
    const window = await opened(stage, 30_000);
    expect(windowFaults(window, Infinity)).toEqual([]);
    expect(wrongNumbers(window, stage)).toEqual([]);
    const before = window.segments('v1');
    expect(before.length).toBeGreaterThan(26);
    expect(stage.stream.window.segments('v1').length).toBeLessThan(6);
    let changes = 0;
    window.onChange(() => changes++);
    await stage.play({ ...PLAIN, seconds: 20 });
    expect(changes).toBeGreaterThan(20);
    expect(windowFaults(window, Infinity)).toEqual([]);
    expect(wrongNumbers(window, stage)).toEqual([]);
    const [first] = window.segments('v1');
    expect(first?.msn).toBeGreaterThan(before[0]?.msn ?? Infinity);
    expect(window.lastSegment('v1')).toBe(stage.stream.window.lastSegment('v1'));
    stage.playback.close();
    await stage.close();
  });

  it('gives every segment its live number, also at the start of the live window, for any stream and depth', async () => {
    await fc.assert(
      fc.asyncProperty(plainInput, anyOptions, fc.integer({ min: 1, max: 60 }), async (input, options, seconds) => {
        const stage = new ArchiveStage(options);
        await stage.record();
        await stage.play(input);
        const window = await opened(stage, seconds * 1000);
        for (let step = 0; step < 2; step++) {
          expect(windowFaults(window, Infinity)).toEqual([]);
          expect(wrongNumbers(window, stage)).toEqual([]);
          for (const { track } of stage.stream.window.tracks) {
            const live = stage.stream.window.segments(track.id).map(({ msn, address }) => ({ msn, address }));
            const shown = window.segments(track.id).map(({ msn, address }) => ({ msn, address }));
            expect(shown.slice(-live.length)).toEqual(live);
          }
          await stage.play({ ...input, seconds: 5 });
        }
        stage.playback.close();
        await stage.close();
      }),
      // The live window is longer than the requested depth.
      { numRuns: 8, examples: [[{ ...PLAIN, seconds: 10 }, { segmentMs: 4000, segmentCount: 2 }, 5]] },
    );
  });

  it('keeps its first period while it slides', async () => {
    const stage = new ArchiveStage({ segmentMs: 1000, segmentCount: 4 });
    await stage.record();
    await stage.play({ ...PLAIN, seconds: 40 });
    const window = await opened(stage, 30_000);
    const starts = (): readonly (string | number | undefined)[] => [
      /<Period id="[^>]*>/.exec(renderMpd(window, { nowMs: 0 }) ?? '')?.[0],
      window.segments('v1')[0]?.msn,
    ];
    const [period, msn] = starts();
    await stage.play({ ...PLAIN, seconds: 5 });
    expect(starts()[0]).toBe(period);
    expect(starts()[1]).not.toBe(msn);
    stage.playback.close();
    await stage.close();
  });

  it('plays in HLS and DASH after a server restart, including the media from before the restart', async () => {
    const stage = new ArchiveStage({ segmentMs: 1000, segmentCount: 4 });
    await stage.record();
    await stage.play(PLAIN);
    const before = (await opened(stage, 60_000)).segments('v1');
    await stage.startAgain({ isKilled: false, awayMs: 5000 });
    await stage.play({ ...PLAIN, seconds: 8 });
    const window = await opened(stage, 60_000);
    expect(windowFaults(window, Infinity)).toEqual([]);
    const after = new Map(window.segments('v1').map(({ msn, address }) => [msn, address]));
    expect(before.map(({ msn }) => after.get(msn))).toEqual(before.map(({ address }) => address));
    expect(renderMpd(window, { nowMs: 0 })?.match(/<Period /g)).toHaveLength(2);
    const playlist = renderMediaPlaylist(window, { trackId: 'v1' }) ?? '';
    expect([playlist.match(/#EXT-X-GAP/g), playlist.match(/#EXT-X-DISCONTINUITY$/gm)?.length]).toEqual([null, 1]);
    stage.playback.close();
    await stage.close();
  });

  it('keeps DASH viewers at their position, at normal speed', async () => {
    const stage = new ArchiveStage({ segmentMs: 1000, segmentCount: 4 });
    await stage.record();
    await stage.play(PLAIN);
    const window = await opened(stage, 30_000);
    const described = (mpd = ''): string => /<ServiceDescription.*<\/ServiceDescription>/.exec(mpd)?.[0] ?? '';
    const live = described(renderMpd(stage.stream.window, { nowMs: 0 }));
    expect(live).toMatch(/<Latency target="\d+" min="\d+" max="\d+"\/><PlaybackRate min="0.96" max="1.04"\/>/);
    const back = described(renderMpd(window, { nowMs: 0 }));
    expect(back).toMatch(/<Latency target="\d+"\/><PlaybackRate min="1.00" max="1.00"\/>/);
    expect(described(renderMpd(new ChosenTracks(window, ['v1']), { nowMs: 0 }))).toBe(back);
    stage.playback.close();
    await stage.close();
  });

  it('lists parts of the live window only', async () => {
    const stage = new ArchiveStage({ segmentMs: 1000, segmentCount: 1 });
    await stage.record();
    await stage.play({ ...PLAIN, seconds: 20 });
    const window = await opened(stage, 30_000);
    const live = new Set(stage.stream.window.segments('v1').map(({ address }) => address));
    const playlist = renderMediaPlaylist(window, { trackId: 'v1' }) ?? '';
    const parts = [...playlist.matchAll(/EXT-X-PART:.*URI="(\d+)\.\d+\.m4s"/g)].map(([, address = '']) => address);
    expect(parts.length).toBeGreaterThan(0);
    expect(parts.filter((address) => !live.has(address))).toEqual([]);
    stage.playback.close();
    await stage.close();
  });

  it('does not list the first, still open segment of a restarted stream until it is complete', async () => {
    const stage = new ArchiveStage({ segmentMs: 1000, segmentCount: 4 });
    await stage.record();
    await stage.play({ ...PLAIN, seconds: 10 });
    await stage.close();
    stage.stream.clock.advance(60_000);
    const restarted = new StreamRun({ segmentMs: 1000 }, stage.stream.clock);
    const playTo = restarted.playing({ ...PLAIN, seconds: 3 });
    playTo(900);
    const window = new RewindWindow(restarted.window);
    window.show(await stage.tables.of('c/03', { startMs: 0, endMs: Infinity }), 0);
    const listed = (): readonly (number | boolean)[] => {
      const text = renderMediaPlaylist(window, { trackId: 'v1' }) ?? '';
      return [/EXT-X-PART:/, /EXT-X-PRELOAD-HINT/, /EXT-X-DISCONTINUITY\n/].map((line) => line.test(text));
    };
    expect(window.lastSegment('v1')?.segment.parts.length).toBeGreaterThan(0);
    expect(listed()).toEqual([false, false, false]);
    playTo(1900);
    expect(listed()).toEqual([true, true, true]);
    window.close();
    restarted.close();
    stage.playback.close();
  });

  it('marks a gap in the recording as a discontinuity, and never changes that mark', async () => {
    const stage = new ArchiveStage({ segmentMs: 1000, segmentCount: 4 });
    await stage.record();
    await stage.play(PLAIN);
    await stage.idle(30_000);
    await stage.play({ ...PLAIN, seconds: 2 });
    const window = await opened(stage, 120_000);
    const discontinuities = new Map<number, boolean>();
    for (let second = 0; second < 8; second++) {
      for (const { msn, isDiscontinuity } of window.segments('v1')) {
        expect(discontinuities.get(msn) ?? isDiscontinuity).toBe(isDiscontinuity);
        discontinuities.set(msn, isDiscontinuity);
      }
      expect(windowFaults(window, Infinity)).toEqual([]);
      const input = stage.stream.playing({ ...PLAIN, seconds: 1 });
      input(Infinity);
      await settled();
    }
    expect([...discontinuities.values()].filter((isCut) => isCut).length).toBeGreaterThan(0);
    expect(window.periods().length).toBeGreaterThan(1);
    stage.playback.close();
    await stage.close();
  });

  it('lists every number and all media while the recorder lags behind a short live window', async () => {
    const stage = new ArchiveStage({ segmentMs: 1000, segmentCount: 2 });
    await stage.record();
    await stage.play(PLAIN);
    const window = await opened(stage, 600_000);
    expect(wrongNumbers(window, stage)).toEqual([]);
    // Nothing reaches the disk for a while.
    const waiting: (() => void)[] = [];
    let isSlow = true;
    stage.disks.before = (operation) =>
      isSlow && operation === 'write' ? new Promise((resolve) => waiting.push(resolve)) : undefined;
    for (let second = 0; second < 8; second++) {
      await stage.play({ ...PLAIN, seconds: 1 });
      expect(windowFaults(window, Infinity)).toEqual([]);
      expect(wrongNumbers(window, stage)).toEqual([]);
    }
    const late = window.segments('v1').at(-5);
    expect(late?.segment.startMs).toBeLessThan(stage.stream.window.bounds()?.fromMs ?? 0);
    expect(late?.segment.isGap).toBe(false);
    // A viewer who opens the window now gets the same numbers.
    const opening = stage.playback.open('c/03', { kind: 'rewind', depthMs: 500_000 }, 1000);
    await settled();
    isSlow = false;
    for (const resolve of waiting) resolve();
    const before = (late?.segment.parts ?? []).flatMap(({ pieces }) => pieces);
    const lateBytes = await Promise.all(before.map(async (piece) => ('file' in piece ? undefined : [...piece.bytes])));
    await stage.play({ ...PLAIN, seconds: 6 });
    const other = await opening;
    if (!(other instanceof RewindWindow)) throw new Error('another window');
    for (const one of [window, other]) {
      expect(windowFaults(one, Infinity)).toEqual([]);
      expect(wrongNumbers(one, stage)).toEqual([]);
    }
    // The same media is now read from the disk.
    const recorded = window.segmentByMsn('v1', late?.msn ?? -1);
    expect(recorded).not.toBe(late);
    expect(recorded?.segment.parts.flatMap(({ pieces }) => pieces).every((piece) => 'file' in piece)).toBe(true);
    const media = await Promise.all((recorded?.segment.parts ?? []).map(async (part) => [...(await readMedia(part))]));
    expect(media.flat()).toEqual(lateBytes.flat());
    stage.playback.close();
    await stage.close();
    stage.stream.window.clear();
    expect(stage.stream.pool.inUse).toBe(0);
  });

  it('equals the live window if nothing is recorded, and refuses a depth of more than a day', async () => {
    const stage = new ArchiveStage({ segmentMs: 1000, segmentCount: 4 });
    await stage.play(PLAIN);
    const window = await opened(stage, 60_000);
    expect(window.segments('a1')).toEqual(stage.stream.window.segments('a1'));
    expect(window.bounds()).toEqual(stage.stream.window.bounds());
    expect(await stage.playback.open('c/03', { kind: 'rewind', depthMs: 86_401_000 }, 1000)).toBe('range_too_long');
    stage.playback.close();
    await stage.close();
  });
});
