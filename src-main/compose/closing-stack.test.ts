import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { ClosingStack, type Closable } from './closing-stack.ts';

type Step = Closable & { readonly name: string };

const NEVER = new Promise<void>(() => {});

async function settled(): Promise<void> {
  for (let turn = 0; turn < 200; turn++) await Promise.resolve();
}

/**
 * Opens the steps in reverse order and closes them while the clock advances. Returns a message for each step that
 * failed or hung, and the elapsed time.
 */
async function close(steps: readonly Step[]): Promise<{ faults: readonly string[]; tookMs: number }> {
  const clock = new FakeClock();
  const startMs = clock.now();
  let faults: readonly string[] | undefined;
  const stack = new ClosingStack({ clock, totalMs: 8000, stepMs: 5000 });
  for (const step of steps.toReversed()) stack.use(step.name, step);
  void stack.close().then((names) => {
    faults = names;
  });
  await settled();
  while (!faults) {
    clock.advance(100);
    await settled();
  }
  return { faults, tookMs: clock.now() - startMs };
}

describe('ClosingStack', () => {
  it('closes in reverse order, one at a time, and reports nothing on success', async () => {
    const done: string[] = [];
    const step = (name: string): Step => ({
      name,
      close: async () => {
        await Promise.resolve();
        done.push(name);
      },
    });
    expect(await close([step('http'), step('engine'), step('database')])).toEqual({ faults: [], tookMs: 0 });
    expect(done).toEqual(['http', 'engine', 'database']);
  });

  it('continues within a limited time after failures and hangs, and names these steps', async () => {
    const done: string[] = [];
    const steps: Step[] = [
      { name: 'http', close: () => NEVER },
      {
        name: 'engine',
        close: () => {
          throw new Error('the media threads 0 did not end');
        },
      },
      { name: 'processes', close: () => NEVER },
      ...['a', 'b', 'c'].map((name) => ({ name, close: () => NEVER })),
      { name: 'database', close: () => void done.push('database') },
    ];
    const { faults, tookMs } = await close(steps);
    expect(faults.slice(0, 3)).toEqual([
      'http: not closed after 5000 ms',
      'engine: the media threads 0 did not end',
      'processes: not closed after 3000 ms',
    ]);
    expect(done).toEqual(['database']);
    expect(tookMs).toBeLessThan(9000);
  });

  it('closes once, however often close is called', async () => {
    let count = 0;
    const stack = new ClosingStack({ clock: new FakeClock(), totalMs: 8000, stepMs: 5000 });
    stack.use('http', { close: () => void count++ });
    await Promise.all([stack.close(), stack.close()]);
    expect(count).toBe(1);
  });

  it('closes late openings at once, and throws to stop the code that opens them', async () => {
    const done: string[] = [];
    const stack = new ClosingStack({ clock: new FakeClock(), totalMs: 8000, stepMs: 5000 });
    void stack.close();
    expect(() => stack.use('engine', { close: () => void done.push('engine') })).toThrow('engine');
    await settled();
    expect(done).toEqual(['engine']);
  });
});
