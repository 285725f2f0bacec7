import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { areFilesBusy, FileTurns, releaseFileTurns } from './file-turns.ts';

const NEVER = new Promise<never>(() => {});

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

/** State of work: `done`, its error, or undefined while it runs. */
function outcome(work: Promise<unknown>): { value: string | undefined } {
  const out: { value: string | undefined } = { value: undefined };
  work.then(
    () => (out.value = 'done'),
    (error: unknown) => (out.value = String(error)),
  );
  return out;
}

describe('FileTurns', () => {
  it('limits hanging operations of all threads to its limit, and fails further operations', async () => {
    const clock = new FakeClock();
    const memory = new SharedArrayBuffer(12);
    const [here, there] = [0, 1].map((place) => new FileTurns({ clock, limit: 2, memory, place }));
    let started = 0;
    const hang = (): Promise<never> => {
      started++;
      return NEVER;
    };
    const first = outcome(here!.run('/mnt/a', hang));
    outcome(there!.run('/mnt/b', hang));
    const third = outcome(here!.run('/mnt/c', hang));
    clock.advance(4000);
    await settled();
    expect([started, first.value, third.value]).toEqual([2, undefined, undefined]);
    clock.advance(1000);
    await settled();
    expect(first.value).toBe('Error: /mnt/a does not answer');
    expect(third.value).toContain('other files do not answer');
    // The same file is not read again while the operation hangs.
    const again = outcome(here!.run('/mnt/a', hang));
    await settled();
    expect([started, again.value]).toEqual([2, 'Error: /mnt/a does not answer']);
    // The thread with the other operations ends, so its place is free.
    releaseFileTurns(memory, 1);
    const fourth = outcome(here!.run('/srv/d', () => Promise.resolve()));
    await settled();
    expect(fourth.value).toBe('done');
  });

  it('starts the next operation, and reads a file again after its late answer', async () => {
    const clock = new FakeClock();
    const turns = new FileTurns({ clock, limit: 1 });
    const late = Promise.withResolvers<void>();
    const first = outcome(turns.run('/mnt/a', () => late.promise));
    const second = outcome(turns.run('/mnt/b', () => Promise.resolve()));
    clock.advance(1000);
    await settled();
    expect(second.value).toBeUndefined();
    late.resolve();
    await settled();
    expect([first.value, second.value]).toEqual(['done', 'done']);
    const slow = Promise.withResolvers<void>();
    outcome(turns.run('/mnt/a', () => slow.promise));
    clock.advance(5000);
    slow.resolve();
    await settled();
    const again = outcome(turns.run('/mnt/a', () => Promise.resolve()));
    await settled();
    expect(again.value).toBe('done');
  });
});

describe('areFilesBusy', () => {
  it('reports a file that does not answer, and waits for one that answers', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'airdesk-busy-'));
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    // Opening a named pipe returns when its other end is opened.
    const read = readFile(pipe, 'utf8');
    expect(await areFilesBusy(20)).toBe(true);
    const waiting = areFilesBusy(60_000);
    await writeFile(pipe, 'late');
    expect(await read).toBe('late');
    expect(await waiting).toBe(false);
    rmSync(folder, { recursive: true, force: true });
  });
});
