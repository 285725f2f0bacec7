import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyStream, type AnyStream } from '../../../tests/helpers/any-stream.ts';
import { ArchiveStage } from '../../../tests/helpers/archive-stage.ts';
import { windowFaults } from '../../../tests/helpers/check-window.ts';
import type { MadeInput } from '../../../tests/helpers/made-input.ts';
import { fileOf } from '../../../tests/helpers/recording-stage.ts';
import { settled } from '../../../tests/helpers/settled.ts';
import { bytesInMemory, readMedia } from '../../segment/media-bytes.ts';
import type { SegmentWindow } from '../../segment/segment-window.ts';
import type { BlockIndex } from '../block/block-index.ts';
import { scanBlock } from '../block/block-scan.ts';
import type { ArchiveRequest } from './archive-request.ts';
import { ArchiveWindow } from './archive-window.ts';

/** Number of random streams per run. Set AIRDESK_RUNS to test more of them. */
const RUNS = Number(process.env['AIRDESK_RUNS'] ?? 15);
const VIDEO = { fps: 25, gopFrames: 25, bFrames: 0 };
const PLAIN: MadeInput = { video: VIDEO, audio: { sampleRate: 48_000, lateMs: 0 }, seconds: 10 };

async function opened(stage: ArchiveStage, request: ArchiveRequest): Promise<ArchiveWindow> {
  const window = await stage.playback.open('c/03', request, 2000);
  if (!(window instanceof ArchiveWindow)) throw new Error('another window');
  return window;
}

const QUICK: Pick<MadeInput, 'video' | 'seconds'> = { video: { fps: 25, gopFrames: 1, bFrames: 0 }, seconds: 1 };
const SOUND = { sampleRate: 48_000, lateMs: 0 };
const CUT = { partMs: 200, segmentMs: 1000, segmentCount: 1, maxSegmentMs: 8000 };
/** Late audio in another format, for a segment whose pictures are in the previous block. */
const LATE_FORMAT: AnyStream = {
  steps: [
    { play: { ...QUICK, audio: { ...SOUND, sampleRate: 44_100 }, silences: [{ track: 'a1', fromMs: 0, toMs: 976 }] } },
    { play: { ...QUICK, audio: SOUND } },
  ],
  options: CUT,
};
/** Pictures that change their format while the audio of their last segment continues. */
const CHANGED_PICTURES: AnyStream = {
  steps: [
    { play: { audio: SOUND, seconds: 11 } },
    {
      play: {
        ...QUICK,
        video: { fps: 25, gopFrames: 1, bFrames: 0, variant: 1 },
        audio: SOUND,
        silences: [{ track: 'v1', fromMs: 201, toMs: 961 }],
      },
    },
    { play: { ...QUICK, audio: SOUND, jumps: [{ atMs: 1, byMs: -3_600_000 }] } },
  ],
  options: CUT,
};

/** Properties of window segments that must equal the live segments, without gaps. */
function listed(window: SegmentWindow, id: string): { readonly address: string }[] {
  return (
    window
      .segments(id)
      // Segments shorter than a millisecond are not in the catalog.
      .filter(({ segment: { isGap, parts, durationTicks } }) => !isGap && parts.length > 0 && durationTicks > 90)
      .map(({ segment: { startTicks, durationTicks, initId, sizeBytes }, address }) => ({
        startTicks,
        durationTicks,
        initId,
        sizeBytes,
        address,
      }))
  );
}

describe('ArchiveWindow', () => {
  it(
    'lists the live segments byte for byte, with the same numbers in all tracks, for any input',
    async () => {
      await fc.assert(
        fc.asyncProperty(anyStream, async ({ steps, options }) => {
          const stage = new ArchiveStage({ ...options, segmentCount: 1000 });
          await stage.recordSteps(steps);
          const live = stage.stream.window;
          // The end of the input ends its open segments, which may extend more than a segment beyond the newest
          // complete segment.
          stage.stream.idle(0);
          const bounds = live.bounds();
          await stage.recordings.close();
          stage.list();
          stage.stream.clock.advance(60_000);
          if (!bounds) return;
          const request: ArchiveRequest = { kind: 'range', fromMs: bounds.fromMs - 1000, toMs: bounds.toMs + 1000 };
          const window = await opened(stage, request);
          expect(window.mutability).toBe('static');
          expect(windowFaults(window, Infinity)).toEqual([]);
          for (const { track } of live.tracks) {
            const liveAddresses = new Set(listed(live, track.id).map(({ address }) => address));
            expect(listed(window, track.id).filter(({ address }) => liveAddresses.has(address))).toEqual(
              listed(live, track.id),
            );
            for (const { segment, address, isDiscontinuity } of live.segments(track.id).slice(-3)) {
              const found = window.segmentByAddress(track.id, address);
              // Segments shorter than a millisecond are not in the catalog.
              if (segment.parts.length === 0 || segment.durationTicks <= 90) continue;
              // Nothing precedes the first segment. A track that joins after a gap has no live discontinuity for that
              // gap.
              const isFirst = found?.msn === 0 || live.segments(track.id)[0]?.address === address;
              if (!isFirst) expect(found?.isDiscontinuity).toBe(isDiscontinuity);
              const bytes = await Promise.all((found?.segment.parts ?? []).map(readMedia));
              expect(Buffer.concat(bytes)).toEqual(
                Buffer.concat(segment.parts.flatMap((part) => bytesInMemory(part) ?? [])),
              );
              const [ours, theirs] = [window, live].map((one) => one.init(track.id, segment.initId));
              expect(ours && bytesInMemory(ours)).toEqual(theirs && Uint8Array.from(bytesInMemory(theirs) ?? []));
            }
          }
          // Segments with the same live number also have the same number in the archive window.
          const numbers = new Map<number, Set<number>>();
          for (const { track } of live.tracks)
            for (const { msn, address } of live.segments(track.id)) {
              const found = window.segmentByAddress(track.id, address);
              if (found) numbers.set(msn, (numbers.get(msn) ?? new Set()).add(found.msn));
            }
          for (const found of numbers.values()) expect(found.size).toBe(1);
          stage.playback.close();
          stage.stream.close();
          await stage.files.close();
          expect(stage.disks.opened).toBe(0);
        }),
        { numRuns: RUNS, examples: [[LATE_FORMAT], [CHANGED_PICTURES]] },
      );
    },
    Math.max(120_000, RUNS * 2000),
  );

  it('grows while its recording continues, keeps its segment numbers, and is static once complete', async () => {
    const stage = new ArchiveStage({ segmentMs: 1000 });
    await stage.record();
    await stage.play({ ...PLAIN, seconds: 20 });
    const startMs = stage.stream.window.bounds()?.fromMs ?? 0;
    const window = await opened(stage, { kind: 'range', fromMs: startMs, toMs: startMs + 60_000 });
    expect(window.mutability).toBe('event');
    const before = window.segments('v1');
    expect(before.length).toBeGreaterThan(10);
    let changes = 0;
    window.onChange(() => changes++);
    for (let minute = 0; minute < 2; minute++) {
      await stage.play({ ...PLAIN, seconds: 30 });
      stage.list();
      await settled();
    }
    expect(changes).toBeGreaterThan(5);
    expect(window.mutability).toBe('static');
    expect(window.segments('v1').slice(0, before.length)).toMatchObject(
      before.map(({ msn, address }) => ({ msn, address })),
    );
    expect(window.bounds()?.toMs).toBeGreaterThanOrEqual(startMs + 60_000);
    expect(window.segments('v1').every((entry) => entry.startMs < startMs + 60_000)).toBe(true);
    stage.playback.close();
    await stage.close();
  });

  it.each([true, false])(
    'plays recordings from before the clock was set back (still running: %s)',
    async (isRunning) => {
      const stage = new ArchiveStage({ segmentMs: 1000 });
      await stage.record();
      await stage.play({ ...PLAIN, seconds: 70 });
      const startMs = stage.stream.window.bounds()?.fromMs ?? 0;
      const before = listed(stage.stream.window, 'v1').map(({ address }) => address);
      stage.stream.clock.step(-3_600_000);
      if (isRunning) await stage.play({ ...PLAIN, seconds: 70 });
      else await stage.close();
      const request: ArchiveRequest = { kind: 'range', fromMs: startMs, toMs: startMs + 120_000 };
      const window = await opened(stage, request);
      expect(listed(window, 'v1').map(({ address }) => address)).toEqual(expect.arrayContaining(before));
      // Nothing is added to this range: a window without an end would keep readers waiting for an hour.
      expect(window.mutability).toBe('static');
      expect(windowFaults(window, Infinity)).toEqual([]);
      const { initId = 0 } = window.inits[0] ?? {};
      const picture = await stage.playback.openAt('c/03', startMs + 20_000, 1000, () => true);
      expect(typeof picture === 'string' ? picture : picture.bounds()?.toMs).toBeGreaterThan(startMs + 19_000);
      stage.playback.close();
      expect(await stage.playback.openFormat('c/03', 'v1', initId, 1000)).toBeInstanceOf(ArchiveWindow);
      const [ahead, gone] = [stage.stream.clock.now() + 5000, startMs + 600_000];
      const open = async (fromMs: number): Promise<unknown> =>
        stage.playback.open('c/03', { kind: 'range', fromMs, toMs: fromMs + 10_000 }, 1000);
      expect(await open(ahead)).toBe('not_yet');
      expect(await open(gone)).toBe('not_yet');
      if (isRunning) await stage.close();
      stage.playback.close();
    },
  );

  it('grows over recordings from before the clock was set back, without removing segments', async () => {
    const stage = new ArchiveStage({ segmentMs: 1000 });
    await stage.record();
    await stage.play({ ...PLAIN, seconds: 70 });
    const startMs = stage.stream.window.bounds()?.fromMs ?? 0;
    stage.stream.clock.step(-30_000);
    await stage.play({ ...PLAIN, seconds: 10 });
    const request: ArchiveRequest = { kind: 'range', fromMs: startMs, toMs: startMs + 80_000 };
    const window = await opened(stage, request);
    const lists: string[][] = [];
    const see = (): void => {
      lists.push(window.segments('v1').map(({ address, msn }) => `${address} ${msn}`));
    };
    see();
    window.onChange(see);
    await stage.play({ ...PLAIN, seconds: 60 });
    stage.list();
    await settled();
    stage.stream.clock.advance(1000);
    await settled();
    expect(lists.length).toBeGreaterThan(20);
    for (const [at, list] of lists.slice(1).entries()) expect(list.slice(0, lists[at]?.length)).toEqual(lists[at]);
    const cuts = (of: SegmentWindow): string[] =>
      of.segments('v1').flatMap(({ isDiscontinuity, address }) => (isDiscontinuity ? [address] : []));
    expect(cuts(window)).toEqual(cuts(stage.stream.window));
    expect(cuts(window).length).toBeGreaterThan(0);
    const times = window.segments('v1').map(({ startMs: atMs }) => atMs);
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    expect(window.mutability).toBe('static');
    stage.playback.close();
    await stage.close();
  });

  it('keeps its segment numbers when its blocks are read from other copies', async () => {
    const stage = new ArchiveStage();
    await stage.recordSteps([{ play: PLAIN }]);
    await stage.recordings.close();
    stage.list();
    stage.stream.clock.advance(60_000);
    const { fromMs = 0, toMs = 0 } = stage.stream.window.bounds() ?? {};
    const { tables } = await opened(stage, { kind: 'range', fromMs, toMs });
    const window = new ArchiveWindow({ segmentMs: 2000, mutability: 'event' });
    const range = { fromMs: -Infinity, toMs: Infinity };
    const numbers = (): unknown[] => window.segments('v1').map(({ msn, address }) => [msn, address]);
    window.show(tables, range, 'event');
    const before = numbers();
    expect(before.length).toBeGreaterThan(2);
    const copies = tables.map((table) => ({ ...table, disk: '/b', path: `copy/${table.path}` }));
    window.show(copies, range, 'event');
    expect(numbers()).toEqual(before);
    window.show(tables, range, 'static');
    expect(numbers()).toEqual(before);
    stage.playback.close();
  });

  it('lists the segment that contains the range when no segment starts in the range', async () => {
    const stage = new ArchiveStage({ segmentMs: 4000 });
    await stage.record();
    await stage.play({ ...PLAIN, seconds: 40 });
    const startMs = stage.stream.window.bounds()?.fromMs ?? 0;
    const all = await opened(stage, { kind: 'range', fromMs: startMs, toMs: startMs + 20_000 });
    const [, second] = all.segments('v1');
    if (!second) throw new Error('no second segment');
    const within = { fromMs: second.startMs + 1000, toMs: second.startMs + 2000 };
    const window = await opened(stage, { kind: 'range', ...within });
    expect(window.segments('v1').map(({ address }) => address)).toEqual([second.address]);
    stage.playback.close();
    await stage.close();
  });

  it('becomes static when the recording ends, and a new window grows when the recording resumes', async () => {
    const stage = new ArchiveStage({ segmentMs: 1000 });
    await stage.record();
    await stage.play(PLAIN);
    const request: ArchiveRequest = {
      kind: 'range',
      fromMs: stage.stream.window.bounds()?.fromMs ?? 0,
      toMs: Infinity,
    };
    const window = await opened(stage, request);
    expect(window.mutability).toBe('event');
    const counts = [window.count];
    window.onChange(() => counts.push(window.count));
    // Writing the last block takes seconds.
    const hang = Promise.withResolvers<undefined>();
    stage.disks.before = (operation) => (operation === 'write' ? hang.promise : undefined);
    stage.recordings.stop('c/03');
    await stage.idle(3000);
    hang.resolve(undefined);
    // An encoder that has left may come back.
    await stage.idle(30_000);
    expect(window.mutability).toBe('event');
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
    expect(window.count).toBeGreaterThanOrEqual(9);
    stage.isRecorded = false;
    await stage.idle(600);
    expect(window.mutability).toBe('static');
    expect(await opened(stage, request)).toBe(window);
    stage.isRecorded = true;
    await stage.record();
    await stage.play(PLAIN);
    const next = await opened(stage, request);
    expect(next).not.toBe(window);
    expect(next.mutability).toBe('event');
    expect(next.count).toBeGreaterThan(window.count + 5);
    stage.playback.close();
    await stage.close();
  });

  it('lists a block that enters the catalog late on the next request', async () => {
    const stage = new ArchiveStage({ segmentMs: 1000 });
    await stage.record();
    await stage.play({ ...PLAIN, seconds: 130 });
    await stage.close();
    stage.stream.clock.advance(60_000);
    const [first, ...others] = stage.blocks;
    const missing = others.at(-1);
    if (!first || !missing) throw new Error('there are no blocks');
    const request: ArchiveRequest = {
      kind: 'range',
      fromMs: first.head.startMs,
      toMs: stage.stream.clock.now() - 30_000,
    };
    const full = await opened(stage, request);
    // As after a start without the catalog: blocks found on the disks are added over time.
    stage.catalog.remove(missing.disk, missing.path);
    stage.playback.blockRemoved(missing.disk, missing.path);
    const part = await opened(stage, request);
    expect([part.mutability, part.count < full.count]).toEqual(['static', true]);
    stage.catalog.add(missing);
    const again = await opened(stage, request);
    expect(again.count).toBe(full.count);
    // A block that is already known changes nothing.
    stage.catalog.add(missing);
    expect(await opened(stage, request)).toBe(again);
    stage.playback.close();
  });

  it('starts a new period after a gap and at a change of tracks', async () => {
    const stage = new ArchiveStage({ segmentMs: 1000 });
    await stage.record();
    await stage.play(PLAIN);
    await stage.idle(30_000);
    await stage.play(PLAIN);
    await stage.play({ ...PLAIN, video: { ...VIDEO, variant: 1 } });
    await stage.close();
    stage.stream.clock.advance(60_000);
    const [first] = stage.blocks;
    const fromMs = first?.head.startMs ?? 0;
    const window = await opened(stage, { kind: 'range', fromMs, toMs: stage.stream.clock.now() });
    expect(window.periods()).toHaveLength(3);
    expect(window.segments('v1').filter(({ isDiscontinuity }) => isDiscontinuity)).toHaveLength(2);
    const [, second, third] = window.periods();
    expect((second?.startMs ?? 0) - fromMs).toBeGreaterThan(35_000);
    expect(new Set(window.segments('v1').map(({ segment }) => segment.initId)).size).toBe(2);
    expect(window.segmentByMsn('a1', third?.firstMsn ?? 0)?.discontinuitySequence).toBe(1);
    // A known init segment is found without the window that listed it. An unknown one is not found.
    const ids = window.inits.map(({ track, initId }) => ({ id: track.id, initId }));
    stage.playback.close();
    for (const { id, initId } of ids) {
      const found = await stage.playback.openFormat('c/03', id, initId, 1000);
      expect(found).toBeInstanceOf(ArchiveWindow);
      expect(typeof found === 'string' ? undefined : found.init(id, initId)?.track.id).toBe(id);
    }
    expect(await stage.playback.openFormat('c/03', 'v1', 99, 1000)).toBe('nothing_recorded');
  });

  it('has no discontinuity at a block boundary while one track is silent', async () => {
    const stage = new ArchiveStage({ segmentMs: 4000, maxSegmentMs: 8000 });
    // An audio segment starts soon after the full minute, and the video returns later.
    stage.stream.clock.advance(500);
    await stage.record();
    const silences = [{ track: 'v1' as const, fromMs: 54_500, toMs: 61_000 }];
    await stage.play({ ...PLAIN, seconds: 70, silences });
    await stage.close();
    stage.stream.clock.advance(60_000);
    const startMs = stage.blocks[0]?.head.startMs ?? 0;
    const window = await opened(stage, { kind: 'range', fromMs: startMs, toMs: stage.stream.clock.now() });
    expect(stage.blocks.length).toBe(2);
    expect(window.segments('v1').filter(({ isDiscontinuity }) => isDiscontinuity)).toEqual([]);
    expect(window.periods()).toHaveLength(1);
    stage.playback.close();
  });

  it('marks captions like the live window, also for a block read from its file', async () => {
    const stage = new ArchiveStage({ segmentMs: 1000 });
    await stage.record();
    await stage.play({ ...PLAIN, video: { ...VIDEO, hasCaptions: true } });
    const startMs = stage.stream.window.bounds()?.fromMs ?? 0;
    const isCaptioned = async (fromMs: number): Promise<boolean | undefined> =>
      (await opened(stage, { kind: 'range', fromMs, toMs: fromMs + 5000 })).tracks[0]?.hasCaptions;
    expect(stage.stream.window.tracks[0]?.hasCaptions).toBe(true);
    expect(await isCaptioned(startMs)).toBe(true);
    await stage.play(PLAIN);
    await stage.close();
    stage.stream.clock.advance(60_000);
    expect(await isCaptioned(startMs + 1)).toBe(true);
    expect(await isCaptioned(startMs + 14_000)).toBe(false);
    const captioned = (index: BlockIndex): unknown => index.segments.filter(({ hasCaptions }) => hasCaptions).length;
    const scanned = await stage.scan();
    expect(scanned.map(({ index }) => captioned(index))).toEqual(stage.blocks.map(({ index }) => captioned(index)));
    // The index and the chunks agree about captions.
    const cut = await scanBlock(
      fileOf(scanned[0]?.bytes.subarray(0, -40) ?? new Uint8Array()),
      (scanned[0]?.bytes.length ?? 0) - 40,
    );
    expect(cut && captioned(cut.index)).toBe(captioned(scanned[0]?.index ?? { segments: [], splices: [] }));
    stage.playback.close();
  });

  it.each([
    ['a copy exists from the start', true],
    ['it was moved since the window was opened', false],
  ])('reads from another disk after the first disk was removed, if %s', async (_, isEarly) => {
    const stage = new ArchiveStage();
    await stage.record();
    await stage.play({ ...PLAIN, seconds: 70 });
    await stage.close();
    stage.stream.clock.advance(60_000);
    const copy = (): void => {
      for (const block of stage.blocks) {
        stage.catalog.add({ ...block, disk: '/b' });
        const bytes = stage.disks.files.get(`/a/${block.path}`);
        if (bytes) stage.disks.files.set(`/b/${block.path}`, bytes);
      }
    };
    if (isEarly) copy();
    const fromMs = stage.blocks[0]?.head.startMs ?? 0;
    const window = await opened(stage, { kind: 'range', fromMs, toMs: stage.stream.clock.now() });
    if (!isEarly) copy();
    const parts = window.segments('v1').flatMap(({ segment }) => segment.parts);
    const starts = window.segments('v1').map(({ segment }) => segment.startTicks);
    expect(new Set(starts).size).toBe(starts.length);
    expect(windowFaults(window, Infinity)).toEqual([]);
    const before = await Promise.all(parts.map(readMedia));
    for (const { path } of stage.blocks) {
      stage.disks.files.delete(`/a/${path}`);
      if (!isEarly) stage.catalog.remove('/a', path);
    }
    await stage.files.close();
    const [first] = parts;
    if (!first) throw new Error('no part');
    expect(await Promise.all(parts.map(readMedia))).toEqual(before);
    // If no disk has the block, the error of the first disk is reported.
    stage.disks.files.clear();
    await stage.files.close();
    await expect(readMedia(first)).rejects.toThrow('is not there');
    stage.playback.close();
  });

  it('is refused with a reason if there is nothing to play', async () => {
    const stage = new ArchiveStage();
    const now = stage.stream.clock.now();
    const open = async (fromMs: number, toMs: number): Promise<unknown> =>
      stage.playback.open('c/03', { kind: 'range', fromMs, toMs }, 2000);
    expect(await open(now - 100_000, now - 50_000)).toBe('nothing_recorded');
    expect(await open(now + 1000, now + 5000)).toBe('not_yet');
    expect(await open(now - 1000, Infinity)).toBe('not_yet');
    expect(await open(now - 86_401_000, now)).toBe('range_too_long');
    expect(await open(now - 1000, now + 86_400_000)).toBe('range_too_long');
    stage.playback.close();
  });
});
