import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { closeInOrder, type ClosingStep } from './close-in-order.ts';

const NEVER = new Promise<void>(() => {});

async function settled(): Promise<void> {
  for (let turn = 0; turn < 200; turn++) await Promise.resolve();
}

/** Closes with time passing as fast as nothing else happens. Returns what hung, and how long it took. */
async function close(steps: readonly ClosingStep[]): Promise<{ hung: string[]; tookMs: number }> {
  const clock = new FakeClock();
  const startMs = clock.now();
  let hung: string[] | undefined;
  void closeInOrder(steps, { clock, totalMs: 8000, stepMs: 5000 }).then((names) => {
    hung = names;
  });
  await settled();
  while (!hung) {
    clock.advance(100);
    await settled();
  }
  return { hung, tookMs: clock.now() - startMs };
}

describe('closeInOrder', () => {
  it('closes one after the other, and says nothing where all goes well', async () => {
    const done: string[] = [];
    const step = (name: string): ClosingStep => ({
      name,
      close: async () => {
        await Promise.resolve();
        done.push(name);
      },
    });
    expect(await close([step('doors'), step('engine'), step('database')])).toEqual({ hung: [], tookMs: 0 });
    expect(done).toEqual(['doors', 'engine', 'database']);
  });

  it('goes on in bounded time behind what hangs or fails, and names it', async () => {
    const done: string[] = [];
    const steps: ClosingStep[] = [
      { name: 'doors', close: () => NEVER },
      {
        name: 'engine',
        close: () => {
          throw new Error('the media threads 0 do not end');
        },
      },
      { name: 'processes', close: () => NEVER },
      ...['a', 'b', 'c'].map((name) => ({ name, close: () => NEVER })),
      { name: 'database', close: () => void done.push('database') },
    ];
    const { hung, tookMs } = await close(steps);
    expect(hung.slice(0, 3)).toEqual([
      'doors: not closed after 5000 ms',
      'engine: the media threads 0 do not end',
      'processes: not closed after 3000 ms',
    ]);
    expect(done).toEqual(['database']);
    expect(tookMs).toBeLessThan(9000);
  });
});
