import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { EventChecker } from '../../tests/helpers/check-window.ts';
import { markedClip } from '../../tests/helpers/marked-clip.ts';
import { ORDER_CHANNEL, CONFIRMATION_CHANNEL, type ThreadOrder } from '../../tests/helpers/death-order.ts';
import { until } from '../../tests/helpers/until.ts';
import { systemClock, type Clock } from '../lib/clock.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { silentLog } from '../lib/log.ts';
import { LiveWindow } from '../segment/live-window.ts';
import { RunWindow, type ResumePoint } from '../segment/run-window.ts';
import { SEGMENTER_DEFAULTS } from '../segment/segmenter-options.ts';
import { firstUse, isUsed } from '../segment/shared-use.ts';
import { InFlightParts, countHandled } from './in-flight-parts.ts';
import { Engine } from './engine.ts';
import type { StreamSpec } from './messages.ts';
import type { WorkedInput } from './work-mark.ts';

const ENTRY = new URL('../../tests/helpers/mortal-media-thread.ts', import.meta.url);
const LIMIT_MS = 15_000;
const folder = mkdtempSync(join(tmpdir(), 'airdesk-thread-death-'));
const clip = join(folder, 'clip.ts');

/** A server thread with real media threads that die on command, and file streams that are reopened. */
class ThreadStage {
  readonly engine: Engine;
  readonly checkers = new Map<string, EventChecker>();
  readonly lost: { readonly name: string; readonly detail: string; readonly run: number }[] = [];
  readonly logged: string[] = [];
  readonly culprits: WorkedInput[] = [];
  /** Specifications of the opened streams, by run id. */
  readonly #specs = new Map<number, StreamSpec>();
  readonly #orders = new BroadcastChannel(ORDER_CHANNEL);
  readonly #obeyed = new BroadcastChannel(CONFIRMATION_CHANNEL);
  #nextId = 1;

  constructor(threads: number, clock: Clock = systemClock) {
    this.engine = new Engine(
      {
        threads,
        threadEntry: ENTRY,
        threadHeapMb: 64,
        fileRoot: '/',
        clock,
        log: {
          ...silentLog,
          error: (message) => this.logged.push(message),
          info: (message) => this.logged.push(message),
        },
      },
      {
        window: (id) => {
          const spec = this.#specs.get(id) as StreamSpec;
          const run = new RunWindow(new LiveWindow(spec.segmenter), spec);
          run.onEvents((events) => {
            this.checker(spec.name).take(events);
          });
          return run;
        },
        status: () => {},
        decidePlay: () => Promise.resolve({ code: 'stream_not_found', detail: '' }),
        decidePublish: () => Promise.resolve({ accepted: false, code: 'publish_not_allowed', detail: '' }),
        publishEnded: () => {},
        notice: () => {},
        pushNotice: () => {},
        inputAtFault: (input) => this.culprits.push(input),
        streamLost: (id, end, detail) => {
          const name = this.#specs.get(id)?.name ?? '';
          this.lost.push({ name, detail, run: id });
          this.open(name, end);
        },
        testPicture: () => Promise.reject(new Error('not here')),
        readExternal: () => ({ ended: Promise.resolve('not here'), close() {} }),
      },
    );
  }

  checker(name: string): EventChecker {
    const checker = this.checkers.get(name) ?? new EventChecker();
    this.checkers.set(name, checker);
    return checker;
  }

  open(
    name: string,
    { endMs, resume }: ResumePoint = { endMs: 0, resume: { nextMsn: 1, nextInitId: 1, isContinuation: false } },
  ): number {
    const id = this.#nextId++;
    const spec: StreamSpec = {
      id,
      name,
      segmenter: { ...SEGMENTER_DEFAULTS, segmentMs: 1000, partMs: 200 },
      inputs: [{ url: `file://${clip}`, options: {}, priority: 1, framesTimeoutMs: 3000, sourceTimeoutMs: 20_000 }],
      retryLimit: null,
      endMs,
      resume,
    };
    this.#specs.set(id, spec);
    this.engine.open(spec);
    return id;
  }

  /** Makes a thread exit or hang. Resolves when the thread starts to do so. */
  kill(index: number, what: 'exit' | 'hang' | 'exhaust'): Promise<unknown> {
    return this.#order({ index, what });
  }

  /** Makes a thread read a file that never gets data. Resolves when the thread waits. */
  block(index: number, path: string): Promise<unknown> {
    return this.#order({ index, what: 'read', path });
  }

  #order(order: ThreadOrder): Promise<unknown> {
    const obeyed = new Promise((resolve) => {
      this.#obeyed.onmessage = resolve;
    });
    this.#orders.postMessage(order);
    return obeyed;
  }

  async plays(name: string, moreThan = 0): Promise<number> {
    await until(`picture of ${name}`, () => this.checker(name).samples('v1') > moreThan + 25, LIMIT_MS);
    return this.checker(name).samples('v1');
  }

  async close(): Promise<void> {
    await this.engine.close();
    this.#orders.close();
    this.#obeyed.close();
  }
}

let stage: ThreadStage;
beforeAll(() => {
  execFileSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', '-i', markedClip(), '-c', 'copy', clip]);
});
afterEach(() => stage.close().catch(() => undefined));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('a media thread that dies', () => {
  it('frees only the connections of its own encoders', async () => {
    stage = new ThreadStage(2);
    await stage.engine.start();
    const { port } = await stage.engine.listenRtmp({ host: '127.0.0.1', port: 0 });
    const encoders = Array.from({ length: 40 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    const ended = encoders.map((encoder) => once(encoder, 'close'));
    await until(
      'the connections of all encoders',
      () => stage.engine.rtmpConnections.total === encoders.length,
      LIMIT_MS,
    );
    await stage.kill(0, 'exit');
    await Promise.race(ended);
    const left = (): number => encoders.filter(({ destroyed }) => !destroyed).length;
    await until(
      'the release of the closed connections',
      () => stage.engine.rtmpConnections.total === left() && left() < encoders.length,
      LIMIT_MS,
    );
    for (const encoder of encoders) encoder.destroy();
    await until('the release of all connections', () => stage.engine.rtmpConnections.total === 0, LIMIT_MS);
  });

  it('is restarted, and its streams continue with a discontinuity', async () => {
    stage = new ThreadStage(1);
    await stage.engine.start();
    stage.open('cam');
    const before = await stage.plays('cam');
    await stage.kill(0, 'exit');
    await until('the loss of its stream', () => stage.lost.length === 1, LIMIT_MS);
    await stage.plays('cam', before);
    const checker = stage.checker('cam');
    expect(checker.faults).toEqual([]);
    expect(checker.of('v1').filter(({ isDiscontinuity }) => isDiscontinuity)).toHaveLength(1);
    expect(
      checker
        .of('v1')
        .slice(0, -1)
        .filter(({ isComplete }) => !isComplete),
    ).toEqual([]);
    expect(stage.logged).toEqual(['a media thread died and will be restarted', 'a media thread was restarted']);
  });

  it('leaves its streams to the other threads at once, and does not affect other streams', async () => {
    stage = new ThreadStage(2);
    await stage.engine.start();
    const [first, second] = [stage.open('first'), stage.open('second')];
    expect([stage.engine.homeOf(first), stage.engine.homeOf(second)]).toEqual([0, 1]);
    const before = await stage.plays('first');
    await stage.plays('second');
    await stage.kill(0, 'exit');
    await until('the loss of its stream', () => stage.lost.length === 1, LIMIT_MS);
    // The thread was stopped on purpose, so no input is blamed.
    expect(stage.culprits).toEqual([]);
    expect(stage.lost).toMatchObject([{ name: 'first', run: first, detail: 'it ended with code 3' }]);
    expect(stage.engine.homeOf(first)).toBeUndefined();
    expect(stage.engine.homeOf(3)).toBe(1);
    await stage.plays('first', before);
    expect(
      stage
        .checker('second')
        .of('v1')
        .some(({ isDiscontinuity }) => isDiscontinuity),
    ).toBe(false);
  });

  it('is terminated if it hangs, and closing one of its streams fails with an error', async () => {
    const clock = new FakeClock(Date.now());
    stage = new ThreadStage(1, clock);
    await stage.engine.start();
    const id = stage.open('cam');
    await stage.plays('cam');
    await stage.kill(0, 'hang');
    const closing = stage.engine.closeStream(id);
    const other = stage.open('other');
    clock.advance(11_000);
    const { endMs, resume } = await closing;
    const last = stage.checker('cam').of('v1').at(-1);
    expect(resume).toMatchObject({ isContinuation: true, nextMsn: (last?.msn ?? 0) + 1 });
    expect(endMs).toBeGreaterThan(((last?.startTicks ?? 0) + (last?.durationTicks ?? 0)) / 90 - 1);
    expect(last?.isComplete).toBe(true);
    await until('the loss of the stream other', () => stage.lost.length === 1, LIMIT_MS);
    expect(stage.lost).toEqual([{ name: 'other', run: other, detail: 'it did not respond for 10 s' }]);
    expect(stage.culprits).toEqual([{ stream: id, input: 0 }]);
    // A stream that waits for the restart of its thread can be closed without the thread.
    expect((await stage.engine.closeStream(other + 1)).resume.nextMsn).toBe(1);
    stage.open('third');
    clock.advance(1000);
    await stage.plays('third');
    expect(stage.checker('other').segments).toEqual([]);
  });

  it('affects no other stream when it is out of memory, and the responsible input is reported', async () => {
    stage = new ThreadStage(2);
    await stage.engine.start();
    const first = stage.open('first');
    stage.open('second');
    const before = await stage.plays('first');
    await stage.plays('second');
    await stage.kill(0, 'exhaust');
    await until('the loss of its stream', () => stage.lost.length === 1, LIMIT_MS);
    expect(stage.lost[0]).toMatchObject({ name: 'first', detail: expect.stringContaining('memory') as string });
    expect(stage.culprits).toEqual([{ stream: first, input: 0 }]);
    await stage.plays('first', before);
    expect(
      stage
        .checker('second')
        .of('v1')
        .some(({ isDiscontinuity }) => isDiscontinuity),
    ).toBe(false);
  });

  it('is not waited for when the server closes', async () => {
    const clock = new FakeClock(Date.now());
    stage = new ThreadStage(1, clock);
    await stage.engine.start();
    stage.open('cam');
    await stage.plays('cam');
    await stage.kill(0, 'exit');
    await until('the loss of its stream', () => stage.lost.length === 1, LIMIT_MS);
    stage.open('again');
    clock.advance(1000);
    await stage.plays('again');
    await stage.kill(0, 'hang');
    const closed = stage.engine.close();
    clock.advance(3000);
    await closed;
    expect(stage.logged).toEqual(['a media thread died and will be restarted', 'a media thread was restarted']);
  });
});

describe('a media thread blocked on a file that never answers', () => {
  it('does not keep the server from closing, and is reported', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    stage = new ThreadStage(1);
    await stage.engine.start();
    stage.open('cam');
    await stage.plays('cam');
    const blocked = stage.block(0, pipe);
    // A pipe can be opened for writing without waiting as soon as it has a reader.
    const writer = await untilOpen(pipe);
    await blocked;
    await expect(stage.engine.close()).rejects.toThrow('the media threads 0 did not end');
    closeSync(writer);
  });
});

/** Opens a pipe for writing, once it is being read. */
async function untilOpen(pipe: string): Promise<number> {
  let writer: number | undefined;
  await until(
    'the reader of the pipe',
    () => {
      try {
        writer = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
      } catch {
        return false;
      }
      return true;
    },
    LIMIT_MS,
  );
  return writer ?? -1;
}

describe('parts sent to a thread that dies', () => {
  it('are released', () => {
    const flight = new InFlightParts();
    const parts = [1, 2, 3].map(() => {
      const buffer = new SharedArrayBuffer(16);
      const bytes = { buffer, offset: 8, length: 8, useOffset: 0 };
      firstUse(bytes);
      return bytes;
    });
    flight.sent(parts.map((bytes) => ({ type: 'part', trackId: 'v1', bytes })));
    // The thread took the first part and released it itself.
    countHandled(flight.handled);
    flight.releaseAll();
    expect(parts.map(({ buffer }) => isUsed(new Int32Array(buffer, 0, 1), 0))).toEqual([true, false, false]);
  });
});
