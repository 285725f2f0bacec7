import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyStream } from '../../tests/helpers/any-stream.ts';
import type { MadeInput } from '../../tests/helpers/made-input.ts';
import { RecordingStage } from '../../tests/helpers/recording-stage.ts';
import { settled } from '../../tests/helpers/settled.ts';
import { trackNumber } from '../media/track.ts';
import { toShared } from '../segment/shared-bytes.ts';
import { writeIndexBox } from './block/block-index.ts';
import { endOf } from './recovery.ts';

/** Number of random streams per run. Set AIRDESK_RUNS to test more of them. */
const RUNS = Number(process.env['AIRDESK_RUNS'] ?? 25);

const VIDEO = { fps: 25, gopFrames: 25, bFrames: 0 };
const PLAIN: MadeInput = { video: VIDEO, audio: { sampleRate: 48_000, lateMs: 0 }, seconds: 10 };

function full(): Error {
  return Object.assign(new Error('no space left on the disk'), { code: 'ENOSPC' });
}

/** Segments of a track on disk, in order: start and end in ticks of the track, and whether each is a gap. */
async function segmentsOf(
  stage: RecordingStage,
  id: string,
): Promise<{ startTicks: number; endTicks: number; isGap: boolean }[]> {
  const blocks = await stage.scan();
  return blocks
    .flatMap(({ index }) => index.segments)
    .filter((segment) => segment.trackNumber === trackNumber(id))
    .map(({ startTicks, durationTicks, isGap }) => ({ startTicks, endTicks: startTicks + durationTicks, isGap }))
    .sort((a, b) => a.startTicks - b.startTicks);
}

describe('Recordings', () => {
  it('records all media of the window, for any input, and releases all memory', async () => {
    await fc.assert(
      fc.asyncProperty(anyStream, async ({ steps, options }) => {
        const stage = new RecordingStage({ ...options, segmentCount: 1000 });
        await stage.recordSteps(steps);
        await stage.close();
        expect(stage.gaps).toEqual([]);
        const started = stage.stream.events.filter((event) => event.type === 'segment-start');
        const ended = stage.stream.events.filter((event) => event.type === 'segment-end');
        for (const id of new Set(started.map(({ trackId }) => trackId))) {
          // Tracks may be rounded differently, so each track is checked by itself.
          const found = await segmentsOf(stage, id);
          const expected = ended
            .filter(({ trackId }) => trackId === id)
            .map(({ msn, durationTicks, isGap }) => {
              const startTicks = started.find((event) => event.trackId === id && event.msn === msn)?.startTicks ?? 0;
              return { startTicks, endTicks: startTicks + durationTicks, isGap };
            })
            .sort((a, b) => a.startTicks - b.startTicks);
          // A late gap in another format, with a segment number of the previous block, is omitted.
          const isFound = (one: (typeof found)[number]): boolean =>
            found.some(({ startTicks }) => startTicks === one.startTicks);
          expect(found).toEqual(expected.filter((one) => !one.isGap || isFound(one)));
        }
        const parts = stage.stream.events.filter((event) => event.type === 'part');
        const blocks = await stage.scan();
        const pieces = blocks.flatMap(({ index }) => index.segments.flatMap((segment) => segment.pieces));
        expect(pieces.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)).toBe(
          parts.reduce((sum, { bytes }) => sum + bytes.length, 0),
        );
        expect(stage.disks.opened).toBe(0);
        stage.stream.window.clear();
        expect(stage.stream.pool.inUse).toBe(0);
      }),
      { numRuns: RUNS },
    );
  });

  it('starts blocks at the first segment of each minute, at the same time in all tracks', async () => {
    const stage = new RecordingStage();
    await stage.record();
    await stage.play({ ...PLAIN, seconds: 150 });
    await stage.close();
    expect(stage.blocks.map(({ path }) => path)).toEqual([
      'c/03/2027/01/15/08/00.mp4',
      'c/03/2027/01/15/08/01.mp4',
      'c/03/2027/01/15/08/02.mp4',
    ]);
    for (const { head, index } of stage.blocks) {
      const first = (number: number): number =>
        index.segments.find(({ trackNumber }) => trackNumber === number)?.startTicks ?? 0;
      expect(Math.abs(first(1) / 90 - head.startMs)).toBeLessThan(1);
      expect(Math.abs(first(2) / 48 - head.startMs)).toBeLessThan(50);
      expect(index.segments.filter(({ isDiscontinuity }) => isDiscontinuity).length).toBe(
        head.startMs === stage.blocks[0]?.head.startMs ? 2 : 0,
      );
    }
  });

  it('writes media to disk at most one second after its part has ended', async () => {
    const stage = new RecordingStage();
    await stage.record();
    const play = stage.stream.playing({ ...PLAIN, seconds: 20 });
    for (let ms = 100; ms < 20_000; ms += 100) {
      play(ms);
      await settled();
      const written = [...stage.disks.files.values()].reduce((sum, { length }) => sum + length, 0);
      const { events, clock } = stage.stream;
      const old = events.filter((event) => event.type === 'part' && event.arrivedMs < clock.now() - 1500);
      const due = old.reduce((sum, event) => sum + (event.type === 'part' ? event.bytes.length : 0), 0);
      expect(written).toBeGreaterThanOrEqual(due);
    }
    expect(stage.disks.syncs).toBeGreaterThan(15);
    await stage.close();
  });

  it('is over soon after its end, also if the newest block has no media yet', async () => {
    for (let ms = 20; ms < 1500; ms += 20) {
      const stage = new RecordingStage();
      await stage.record();
      stage.stream.playing({ ...PLAIN, seconds: 5 })(ms);
      stage.recordings.stop('c/03');
      for (let turns = 0; turns < 5 && !stage.recordings.isOver('c/03'); turns++) {
        stage.stream.clock.advance(1000);
        await settled();
      }
      expect([ms, stage.recordings.isOver('c/03')]).toEqual([ms, true]);
      await stage.close();
    }
  });

  it('resumes after a full disk, and reports the gap', async () => {
    const stage = new RecordingStage();
    await stage.record();
    await stage.play(PLAIN);
    // At each step the recorded media is either in an unfinished block or listed.
    const missing: string[] = [];
    stage.disks.before = (operation) => {
      if (stage.recordings.unfinished('c/03') === undefined && stage.blocks.length === 0) missing.push(operation);
      if (operation === 'write' || operation === 'create') throw full();
    };
    await stage.play(PLAIN);
    expect(missing).toEqual([]);
    expect(stage.recordings.unfinished('c/03')).toBeUndefined();
    const [started] = stage.gaps;
    expect(started).toMatchObject({ failure: { code: 'ENOSPC' } });
    expect(started?.toMs).toBeUndefined();
    // The block is listed although its index did not fit on the disk, so its media can be played.
    const [listed] = stage.blocks;
    const file = stage.disks.files.get(`/a/${listed?.path}`);
    expect(file?.length).toBe(listed?.sizeBytes);
    expect(listed?.index.segments.length).toBeGreaterThan(5);
    stage.disks.before = () => undefined;
    await stage.play({ ...PLAIN, seconds: 30 });
    await stage.close();
    expect(stage.gaps.length).toBe(2);
    const gap = stage.gaps[1];
    const segments = await segmentsOf(stage, 'v1');
    const afterGap = segments.findIndex(
      ({ startTicks }, index) => startTicks - (segments[index - 1]?.endTicks ?? startTicks) > 90_000,
    );
    expect(segments[afterGap]?.startTicks).toBe((gap?.toMs ?? 0) * 90);
    expect(gap?.fromMs).toBeLessThanOrEqual((segments[afterGap - 1]?.endTicks ?? 0) / 90 + 1);
    const blocks = await stage.scan();
    const resumed = blocks.find(({ head }) => head.startMs === gap?.toMs);
    expect(resumed?.index.segments[0]?.isDiscontinuity).toBe(true);
    expect(stage.stream.window.segments('v1').length).toBeGreaterThan(20);
  });

  it('continues on another disk of the storage at the next segment', async () => {
    const stage = new RecordingStage({}, { storage: 'main', disks: ['/a', '/b'] });
    await stage.record();
    await stage.play(PLAIN);
    const used = [...stage.disks.files.keys()][0]?.slice(0, 2) ?? '';
    stage.disks.before = (operation, path) => {
      if (path.startsWith(used) && operation !== 'read') throw Object.assign(new Error('gone'), { code: 'EIO' });
    };
    await stage.play({ ...PLAIN, seconds: 20 });
    await stage.close();
    expect(stage.gaps.map(({ failure, toMs }) => [failure.code, toMs === undefined])).toEqual([
      ['EIO', true],
      ['EIO', false],
    ]);
    expect((stage.gaps[1]?.toMs ?? 0) - (stage.gaps[1]?.fromMs ?? 0)).toBeLessThan(4000);
    expect(stage.blocks.at(-1)?.disk).toBe(used === '/a' ? '/b' : '/a');
  });

  it('detects that its file was removed, reports the loss, and starts another file', async () => {
    const stage = new RecordingStage();
    await stage.record();
    await stage.play(PLAIN);
    const [first] = await segmentsOf(stage, 'v1');
    stage.disks.files.clear();
    await stage.play({ ...PLAIN, seconds: 20 });
    await stage.close();
    expect(stage.gaps.map(({ failure, fromMs }) => [failure.code, fromMs * 90])).toEqual([
      ['ENOENT', first?.startTicks],
      ['ENOENT', first?.startTicks],
    ]);
    const [next] = await segmentsOf(stage, 'v1');
    expect(next?.startTicks).toBe((stage.gaps[1]?.toMs ?? 0) * 90);
    expect(stage.blocks.map(({ head }) => head.startMs)).toEqual([stage.gaps[1]?.toMs]);
    expect(stage.disks.opened).toBe(0);
  });

  it('drops data that waited 10 s for a hanging disk, while the stream continues', async () => {
    const stage = new RecordingStage();
    await stage.record();
    let release = (): void => undefined;
    const hang = new Promise<void>((resolve) => (release = resolve));
    let isHanging = true;
    stage.disks.before = (operation) => (isHanging && operation === 'write' ? hang : undefined);
    await stage.play({ ...PLAIN, seconds: 30 });
    expect(stage.gaps).toMatchObject([{ failure: { code: 'disk_slow' } }]);
    expect(stage.stream.window.segments('v1').length).toBeGreaterThan(12);
    expect(stage.recordings.unwrittenBytes).toBe(0);
    isHanging = false;
    release();
    await stage.play({ ...PLAIN, seconds: 30 });
    await stage.close();
    expect(stage.gaps.length).toBe(2);
    const [first] = await stage.scan();
    // The part that reached the disk is kept, with an index.
    expect(first?.isFinished).toBe(true);
    stage.stream.window.clear();
    expect(stage.stream.pool.inUse).toBe(0);
  });

  it('drops a block if too many bytes wait for its disk', async () => {
    const stage = new RecordingStage();
    await stage.record();
    let release = (): void => undefined;
    const hang = new Promise<void>((resolve) => (release = resolve));
    stage.disks.before = (operation) => (operation === 'create' ? hang : undefined);
    const play = stage.stream.playing({ ...PLAIN, seconds: 4 });
    for (let ms = 200; ms <= 3000; ms += 200) {
      play(ms);
      await settled();
    }
    const last = stage.stream.window.lastSegment('v1');
    // The same memory is passed several times. It is counted, but not written.
    const bytes = toShared(new Uint8Array(64 << 20));
    const part = {
      type: 'part',
      trackId: 'v1',
      msn: last?.msn ?? 0,
      isIndependent: false,
      arrivedMs: 0,
      bytes,
    } as const;
    const startTicks = last?.segment.startTicks ?? 0;
    for (let index = 50; index < 55; index++)
      stage.stream.run.apply([{ ...part, index, startTicks, durationTicks: 1 }]);
    expect(stage.gaps).toEqual([]);
    stage.stream.clock.advance(1000);
    expect(stage.gaps).toMatchObject([
      { failure: { code: 'disk_slow', detail: '/a is too slow: too much data waits to be written' } },
    ]);
    release();
    await stage.close();
    expect(stage.disks.opened).toBe(0);
  });

  it('combines writes while a disk is slow, and reports it', async () => {
    const stage = new RecordingStage();
    await stage.record();
    const waiting: (() => void)[] = [];
    stage.disks.before = (operation) =>
      operation === 'sync' ? new Promise<void>((resolve) => waiting.push(resolve)) : undefined;
    const play = stage.stream.playing({ ...PLAIN, seconds: 30 });
    for (let ms = 500; ms < 33_000; ms += 500) {
      play(ms);
      await settled();
      if (ms % 4000 === 0) waiting.shift()?.();
    }
    stage.disks.before = () => undefined;
    for (const resolve of waiting) resolve();
    await stage.close();
    expect(stage.late).toBeGreaterThan(3);
    expect(stage.gaps).toEqual([]);
    expect((await segmentsOf(stage, 'v1')).length).toBe(stage.stream.window.segments('v1').length);
  });

  it('repairs the last block after a crash of the server, and continues after it', async () => {
    const stage = new RecordingStage();
    await stage.record();
    await stage.play({ ...PLAIN, seconds: 25 });
    const [path] = [...stage.disks.files.keys()];
    const left = stage.disks.files.get(path ?? '')?.slice(0, -777) ?? new Uint8Array();
    await stage.close();
    // The state of the disk when the server crashed.
    stage.disks.files.set(path ?? '', left);
    stage.blocks.length = 0;
    stage.recordings = stage.open();
    stage.stream.restart();
    expect(stage.recordings.isChecked('c/03')).toBe(false);
    await stage.record();
    expect(stage.recordings.isChecked('c/03')).toBe(true);
    const [repaired] = stage.blocks;
    expect(`/a/${repaired?.path}`).toBe(path);
    await stage.play({ ...PLAIN, seconds: 20 });
    await stage.close();
    const blocks = await stage.scan();
    expect(blocks.map(({ isFinished }) => isFinished)).toEqual([true, true]);
    const [before, after] = [blocks.find((block) => block.path === path), blocks.find((block) => block.path !== path)];
    if (!before || !after || !repaired) throw new Error('a block is missing');
    expect(before.index.segments.at(-1)?.isComplete).toBe(false);
    expect(before.bytes.length).toBe(repaired.sizeBytes);
    expect(before.endBytes - writeIndexBox(before.index).length).toBeLessThanOrEqual(left.length);
    expect(after.head.startMs).toBeGreaterThanOrEqual(endOf(before.head, before.index));
    expect(after.index.segments[0]?.isDiscontinuity).toBe(true);
  });

  it('reports the newest finished blocks at start, because the catalog may lack them after a crash', async () => {
    const stage = new RecordingStage();
    await stage.record();
    await stage.play({ ...PLAIN, seconds: 200 });
    await stage.close();
    const finished = stage.blocks.slice(-2);
    expect(finished).toHaveLength(2);
    stage.recordings = stage.open();
    stage.stream.restart();
    await stage.record();
    expect(stage.recordings.isChecked('c/03')).toBe(true);
    const facts = (of: typeof finished) =>
      of.map(({ disk, path, sizeBytes, packedIndex }) => ({ disk, path, sizeBytes, index: Buffer.from(packedIndex) }));
    expect(facts(stage.found)).toEqual(facts(finished.toReversed()));
    await stage.close();
  });

  it('keeps incoming media while it reads the disks at start, and waits at most 5 s for a hanging disk', async () => {
    const stage = new RecordingStage({}, { storage: 'main', disks: ['/a', '/b'] });
    stage.disks.before = (operation, path) =>
      operation === 'list' && path.startsWith('/a') ? new Promise<void>(() => undefined) : undefined;
    stage.recordings.record('c/03', stage.stream.run, stage.settings);
    await stage.play({ ...PLAIN, seconds: 30 });
    expect(stage.faults).toEqual(['/a does not answer']);
    const { startTicks } = stage.stream.window.segments('v1')[0]?.segment ?? {};
    const [first] = await segmentsOf(stage, 'v1');
    // The first block may have gone to the hanging disk. Its part there is reported as a gap.
    if (first?.startTicks === startTicks) expect(stage.gaps).toEqual([]);
    else expect(stage.gaps.at(-1)?.toMs).toBe((first?.startTicks ?? 0) / 90);
    expect([...stage.disks.files.keys()].every((path) => path.startsWith('/b'))).toBe(true);
  });

  it.each([
    ['continues if the archive ends slightly later than now', 4000, 4000],
    ['records beside an archive that was made with a clock of another day', 86_400_000, 0],
  ])('%s', async (_, aheadMs, laterMs) => {
    const stage = new RecordingStage();
    const startMs = stage.stream.clock.now();
    await stage.record();
    await stage.play({ ...PLAIN, seconds: 10 });
    await stage.close();
    const endMs = Math.max(...stage.blocks.map(({ head, index }) => endOf(head, index)));
    const next = new RecordingStage();
    for (const [path, bytes] of stage.disks.files) next.disks.files.set(path, bytes);
    next.stream.clock.advance(endMs - aheadMs - startMs);
    await next.record();
    await next.play({ ...PLAIN, seconds: 20 });
    await next.close();
    const fromMs = next.blocks[0]?.head.startMs ?? 0;
    expect(fromMs).toBeGreaterThanOrEqual(endMs - aheadMs + laterMs);
    expect(fromMs).toBeLessThan(endMs - aheadMs + laterMs + 3000);
    expect(next.gaps).toEqual([]);
    next.stream.window.clear();
    expect(next.stream.pool.inUse).toBe(0);
  });

  it('removes a file without a complete head, and reports an unreadable disk', async () => {
    const stage = new RecordingStage();
    stage.disks.files.set('/a/c/03/2027/01/15/07/59.mp4', Buffer.from('....ftyp'));
    await stage.record();
    expect([...stage.disks.files.keys()]).toEqual([]);
    await stage.close();
    const other = new RecordingStage();
    other.disks.before = (operation) => {
      if (operation === 'list') throw full();
    };
    await other.record();
    expect(other.faults).toEqual(['no space left on the disk']);
    await other.play(PLAIN);
    await other.close();
    expect(other.blocks.length).toBe(1);
  });
});
