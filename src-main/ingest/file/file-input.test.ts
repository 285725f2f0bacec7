import { copyFileSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { AllowedPaths } from '../../lib/allowed-paths.ts';
import type { Clock } from '../../lib/clock.ts';
import type { AccessUnit } from '../../media/access-unit.ts';
import { ClipFolder, H264, CollectingSink } from '../../../tests/helpers/clip-folder.ts';
import { FileInput } from './file-input.ts';
import type { FileInputOptions } from './file-input.ts';

const folder = new ClipFolder();
afterAll(() => {
  folder.close();
});

const AAC = ['-c:a', 'aac', '-ac', '2'];
const mp4 = folder.make('clip.mp4', [...H264, ...AAC]);
const ts = folder.make('clip.bin', [...H264, ...AAC, '-f', 'mpegts']);

/** Clock whose time passes only during a wait, and then instantly. */
class WaitedClock implements Clock {
  timers = 0;
  /** Stalls of the machine in milliseconds, by the number of the timer that they delay. */
  pauses = new Map<number, number>();
  #now = 1_800_000_000_000;

  now(): number {
    return this.#now;
  }

  after(delayMs: number, callback: () => void): () => void {
    let isCancelled = false;
    const number = this.timers++;
    setImmediate(() => {
      if (isCancelled) return;
      this.#now += delayMs + (this.pauses.get(number) ?? 0);
      callback();
    });
    return () => {
      isCancelled = true;
    };
  }
}

interface Played {
  readonly sink: CollectingSink;
  /** Arrival time of each access unit, in milliseconds from the first. */
  readonly atMs: readonly number[];
  readonly clock: WaitedClock;
}

/** Plays until the input ends, or `units` access units have arrived. */
async function play(
  options: Omit<FileInputOptions, 'clock'>,
  units = Infinity,
  clock = new WaitedClock(),
): Promise<Played> {
  const sink = new CollectingSink();
  const atMs: number[] = [];
  const start = clock.now();
  await new Promise<void>((resolve) => {
    const input = new FileInput({ ...options, clock }, sink);
    const ended = sink.ended.bind(sink);
    sink.ended = (end) => {
      ended(end);
      resolve(input.close());
    };
    sink.onUnit = () => {
      atMs.push(clock.now() - start);
      if (atMs.length === units) resolve(input.close());
    };
    input.start();
  });
  return { sink, atMs, clock };
}

function unitsOf(sink: CollectingSink, trackId: string): AccessUnit[] {
  return sink.units.filter((unit) => unit.trackId === trackId);
}

function endCode(played: Played): string | undefined {
  expect(played.sink.ends).toHaveLength(1);
  return played.sink.ends[0]?.code;
}

describe('file input', () => {
  it.each([
    ['MP4', mp4],
    ['MPEG-TS under another name', ts],
  ])('plays %s once, in real time', async (_name, path) => {
    const played = await play({ path, loop: false });
    const { sink, atMs } = played;
    expect(endCode(played)).toBe('input_ended');
    expect(sink.problems).toEqual([]);
    expect(sink.trackSets).toHaveLength(1);
    expect(sink.trackSets[0]?.map((track) => track.codec)).toEqual(['h264', 'aac']);
    expect(unitsOf(sink, 'v1')).toHaveLength(50);
    expect(unitsOf(sink, 'a1').length).toBeGreaterThan(90);
    expect(sink.receivedBytes).toBeGreaterThan(10_000);
    const first = sink.units[0]?.dtsTicks ?? NaN;
    for (const [index, unit] of sink.units.entries()) {
      const dueMs = (unit.dtsTicks - first) / 90;
      const early = dueMs - (atMs[index] ?? NaN);
      // A transport stream carries audio up to a second after the video of the same time.
      expect(early).toBeLessThan(500);
      if (path === mp4) expect(Math.abs(early)).toBeLessThanOrEqual(60);
    }
  });

  it.each([
    ['MP4', mp4],
    ['MPEG-TS', ts],
  ])('loops %s with continuous timestamps', async (_name, path) => {
    const once = await play({ path, loop: false });
    const { sink } = await play({ path }, once.sink.units.length * 3);
    expect(sink.ends).toEqual([]);
    expect(sink.trackSets).toHaveLength(1);
    const lengths = ['v1', 'a1'].map((trackId) => {
      const pass = unitsOf(once.sink, trackId);
      const all = unitsOf(sink, trackId).slice(0, pass.length * 3);
      expect(all).toHaveLength(pass.length * 3);
      const length = (all[pass.length]?.dtsTicks ?? NaN) - (all[0]?.dtsTicks ?? NaN);
      for (const [index, unit] of all.entries()) {
        const before = all[index - 1];
        if (before) expect(unit.dtsTicks).toBeGreaterThan(before.dtsTicks);
        const original = pass[index % pass.length];
        const shift = length * Math.floor(index / pass.length);
        expect([unit.dtsTicks - shift, unit.ptsTicks - shift]).toEqual([original?.dtsTicks, original?.ptsTicks]);
        expect(Buffer.compare(unit.data, original?.data ?? new Uint8Array(0))).toBe(0);
      }
      return length;
    });
    expect(lengths[0]).toBe(lengths[1]);
    expect((lengths[0] ?? 0) / 90_000).toBeGreaterThanOrEqual(2);
    expect((lengths[0] ?? 0) / 90_000).toBeLessThan(2.2);
  });

  it('catches up after a stall in bursts of at most 100 ms, with rests in between', async () => {
    const clock = new WaitedClock();
    clock.pauses.set(20, 1000);
    const { sink, atMs } = await play({ path: mp4, loop: false }, Infinity, clock);
    const burst = new Map<number, number[]>();
    for (const [index, unit] of sink.units.entries()) {
      const at = atMs[index] ?? NaN;
      burst.set(at, [...(burst.get(at) ?? []), unit.dtsTicks / 90]);
    }
    const spans = [...burst.values()].map((times) => Math.max(...times) - Math.min(...times));
    expect(Math.max(...spans)).toBeLessThanOrEqual(150);
    const first = sink.units[0]?.dtsTicks ?? NaN;
    const lags = sink.units.map((unit, index) => (atMs[index] ?? NaN) - (unit.dtsTicks - first) / 90);
    expect(Math.max(...lags)).toBeGreaterThan(900);
    expect(lags.at(-1)).toBeLessThan(60);
  });

  it('does not catch up after a stall of hours', async () => {
    const clock = new WaitedClock();
    clock.pauses.set(20, 3_600_000);
    const { atMs } = await play({ path: mp4, loop: false }, Infinity, clock);
    const steps = atMs.map((at, index) => at - (atMs[index - 1] ?? 0));
    expect(steps.filter((step) => step > 1000)).toHaveLength(1);
    expect(atMs.at(-1)).toBeGreaterThan(3_600_000 + 1500);
  });

  it('emits nothing after close, and closes its file', async () => {
    const sink = new CollectingSink();
    const input = new FileInput({ path: mp4, clock: new WaitedClock() }, sink);
    const received = new Promise<void>((resolve) => {
      sink.onUnit = () => {
        if (sink.units.length === 10) resolve(input.close());
      };
    });
    input.start();
    await received;
    expect(sink.units).toHaveLength(10);
    expect(sink.ends).toEqual([]);
    await input.close();
  });

  it('reports why a file cannot be played', async () => {
    const text = join(folder.path, 'text.mp4');
    writeFileSync(text, 'No film at all. '.repeat(100));
    const silent = folder.make('silent.mp4', ['-c:v', 'mpeg4', '-an']);
    const cut = join(folder.path, 'cut.mp4');
    copyFileSync(mp4, cut);
    truncateSync(cut, 5000);
    const empty = join(folder.path, 'empty.ts');
    writeFileSync(empty, '');
    const noTracks = join(folder.path, 'null-packets.ts');
    writeFileSync(noTracks, Buffer.alloc(188 * 50, Buffer.from([0x47, 0x1f, 0xff, 0x10, ...new Uint8Array(184)])));
    const codes: Record<string, string | undefined> = {};
    for (const path of [
      join(folder.path, 'missing.ts'),
      join(mp4, 'inside'),
      folder.path,
      text,
      silent,
      cut,
      empty,
      noTracks,
    ]) {
      codes[path.slice(folder.path.length + 1)] = endCode(await play({ path }));
    }
    expect(codes).toEqual({
      'missing.ts': 'input_file_not_found',
      'clip.mp4/inside': 'input_file_not_found',
      '': 'input_unreadable',
      'text.mp4': 'input_unreadable',
      'silent.mp4': 'input_no_tracks',
      'cut.mp4': 'input_unreadable',
      'empty.ts': 'input_unreadable',
      'null-packets.ts': 'input_no_tracks',
    });
  });

  it('accepts a path below its root, and refuses a path that leaves the root', async () => {
    const root = join(folder.path, 'root');
    mkdirSync(root);
    copyFileSync(mp4, join(root, 'inside.mp4'));
    expect(endCode(await play({ path: 'inside.mp4', root, loop: false }))).toBe('input_ended');
    expect(endCode(await play({ path: 'a/../inside.mp4', root, loop: false }))).toBe('input_ended');
    expect(endCode(await play({ path: mp4, root, loop: false }))).toBe('input_ended');
    expect(endCode(await play({ path: '../clip.mp4', root, loop: false }))).toBe('bad_input_url');
    expect(endCode(await play({ path: 'clip.mp4', loop: false }))).toBe('bad_input_url');
  });

  it('checks where its path leads when the file is opened', async () => {
    const root = join(folder.path, 'allowed');
    mkdirSync(root);
    copyFileSync(mp4, join(root, 'clip.mp4'));
    const link = join(root, 'link.mp4');
    const locate = new AllowedPaths(root).locateConfigured;
    symlinkSync(join(root, 'clip.mp4'), link);
    expect(endCode(await play({ path: link, root, locate, loop: false }))).toBe('input_ended');
    rmSync(link);
    symlinkSync(mp4, link);
    const refused = await play({ path: link, root, locate, loop: false });
    expect(endCode(refused)).toBe('path_not_allowed');
    expect(refused.sink.ends[0]?.detail).not.toContain(mp4);
    // The owner of the configuration may name any path.
    expect(endCode(await play({ path: mp4, root, locate, loop: false }))).toBe('input_ended');
  });
});
