import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LineOutput, type WriteBytes } from './line-output.ts';

/** Descriptor that accepts as many bytes as the test allows. */
class Descriptor {
  text = '';
  #pending: { bytes: Buffer; offset: number; done: Parameters<WriteBytes>[3] } | undefined;

  readonly write: WriteBytes = (_descriptor, bytes, offset, done) => {
    if (this.#pending) throw new Error('two writes at once');
    this.#pending = { bytes, offset, done };
  };

  get isBusy(): boolean {
    return this.#pending !== undefined;
  }

  take(maxBytes = Infinity): void {
    const pending = this.#pending;
    this.#pending = undefined;
    if (!pending) return;
    const taken = pending.bytes.subarray(pending.offset, pending.offset + maxBytes);
    this.text += taken.toString('latin1');
    pending.done(null, taken.length);
  }

  fail(code: string): void {
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.done(Object.assign(new Error(code), { code }), 0);
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('LineOutput', () => {
  it('writes every line once and in order, however few bytes are accepted at a time', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constant('line' as const), fc.constant('again' as const))),
        (steps) => {
          const descriptor = new Descriptor();
          const output = new LineOutput(2, descriptor.write);
          let expected = '';
          for (const [at, step] of steps.entries()) {
            if (step === 'line') {
              output.line(`line ${at}`);
              expected += `line ${at}\n`;
            } else if (step === 'again') {
              descriptor.fail('EAGAIN');
              vi.advanceTimersByTime(50);
            } else descriptor.take(step);
            expect(expected.startsWith(descriptor.text)).toBe(true);
          }
          while (descriptor.isBusy) descriptor.take();
          expect(descriptor.text).toBe(expected);
        },
      ),
    );
  });

  it('stops writing after the reader has closed the pipe, and counts as drained', async () => {
    const descriptor = new Descriptor();
    const output = new LineOutput(2, descriptor.write);
    output.line('one');
    output.line('two');
    const drained = output.drained(60_000);
    descriptor.fail('EPIPE');
    await drained;
    output.line('three');
    expect(descriptor.isBusy).toBe(false);
    expect(descriptor.text).toBe('');
  });

  it('buffers a limited amount of unread output, and reports the number of dropped lines', () => {
    const descriptor = new Descriptor();
    const output = new LineOutput(2, descriptor.write);
    const line = 'x'.repeat(1023);
    for (let count = 0; count < 5000; count++) output.line(line);
    while (descriptor.isBusy) descriptor.take();
    expect(descriptor.text.length).toBeLessThan(1100 * 1024);
    expect(descriptor.text).toMatch(/^(x{1023}\n)+3974 lines of the log were dropped: nothing read them\n$/);
  });

  it('does not block the thread while a pipe is not read', async () => {
    const module = JSON.stringify(new URL('line-output.ts', import.meta.url).href);
    const script = `
      const { standardError } = await import(${module});
      for (let at = 0; at < 1000; at++) standardError.line('x'.repeat(1000));
      setTimeout(() => { console.log('goes on'); process.kill(process.pid, 'SIGKILL'); }, 1);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script]);
    const [text] = (await once(child.stdout, 'data')) as [Buffer];
    expect(text.toString()).toBe('goes on\n');
    child.kill('SIGKILL');
  });

  it('waits for a limited time until it is drained', async () => {
    const descriptor = new Descriptor();
    const output = new LineOutput(2, descriptor.write);
    output.line('one');
    let isDrained = false;
    const drained = output.drained(500).then(() => (isDrained = true));
    await vi.advanceTimersByTimeAsync(499);
    expect(isDrained).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await drained;
    expect(isDrained).toBe(true);
  });
});
