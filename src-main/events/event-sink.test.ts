import { describe, expect, it } from 'vitest';
import { CrashingFolder } from '../../tests/helpers/crashing-folder.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { silentLog } from '../lib/log.ts';
import type { Delivery, DeliveryResult } from './delivery.ts';
import { EventSink, type EventSinkOptions } from './event-sink.ts';
import type { QueueRecord } from './queue-record.ts';

const DELIVERED: DeliveryResult = { kind: 'delivered' };
const FAILED: DeliveryResult = { kind: 'failed', code: 'event_sink_refused', message: 'answered with status 500' };

/** Receiver with scripted answers that records its requests. */
class Receiver implements Delivery {
  answer: (records: readonly QueueRecord[]) => DeliveryResult | Promise<DeliveryResult> = () => DELIVERED;
  readonly attempts: string[][] = [];
  readonly taken: string[] = [];

  async deliver(records: readonly QueueRecord[]): Promise<DeliveryResult> {
    const texts = records.map(({ text }) => text);
    this.attempts.push(texts);
    const result = await this.answer(records);
    if (result.kind === 'delivered') this.taken.push(...texts);
    return result;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** Runs all work that needs no time. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 40; turn++) await new Promise(setImmediate);
}

interface Stage {
  readonly clock: FakeClock;
  readonly folder: CrashingFolder;
  readonly receiver: Receiver;
  readonly sink: EventSink;
  readonly dropped: [string, number][];
  readonly disabled: string[];
  /** Advances the clock in steps, so that everything happens at its time. */
  pass(ms: number, stepMs?: number): Promise<void>;
}

async function stage(
  options: Partial<EventSinkOptions> = {},
  folder = new CrashingFolder(),
  clock = new FakeClock(),
): Promise<Stage> {
  const receiver = new Receiver();
  const dropped: [string, number][] = [];
  const disabled: string[] = [];
  const sink = new EventSink({
    name: 'test',
    url: 'http://192.0.2.1/',
    openFolder: () => Promise.resolve(folder),
    delivery: receiver,
    throttleDelayMs: 0,
    resendLimit: null,
    resendTimeoutMs: null,
    maxBytes: 1_000_000,
    clock,
    log: silentLog,
    dropped: (reason, count) => dropped.push([reason, count]),
    disabled: (message) => disabled.push(message),
    random: () => 0,
    ...options,
  });
  sink.start();
  await settle();
  const pass = async (ms: number, stepMs = ms): Promise<void> => {
    for (let at = 0; at < ms; at += stepMs) {
      clock.advance(stepMs);
      await settle();
    }
  };
  return { clock, folder, receiver, sink, dropped, disabled, pass };
}

let nextId = 0;
const events = (count: number, clock: FakeClock): string[] =>
  Array.from({ length: count }, () =>
    JSON.stringify({ event: 'stream_idle', event_id: nextId++, utc_ms: clock.now() }),
  );

describe('EventSink', () => {
  it('delivers events in order, 100 per request', async () => {
    const { sink, receiver, clock, folder } = await stage();
    const texts = events(250, clock);
    sink.accept(texts);
    await settle();
    expect(receiver.taken).toEqual(texts);
    expect(receiver.attempts.map(({ length }) => length)).toEqual([100, 100, 50]);
    expect(sink.state()).toMatchObject({
      status: 'idle',
      backlog: 0,
      backlog_bytes: 0,
      delivered: 250,
      dropped: 0,
      last_error: null,
      oldest_waiting_at: null,
      delivered_at: clock.now(),
    });
    await sink.close();
    expect([...folder.files.keys()].filter((name) => name.includes('dead'))).toEqual([]);
  });

  it('loses no event in an hour of outage with a restart', async () => {
    const first = await stage();
    const { clock, folder } = first;
    first.receiver.answer = () => FAILED;
    const texts: string[] = [];
    const emit = (sink: EventSink, count: number): void => {
      const more = events(count, clock);
      texts.push(...more);
      sink.accept(more);
    };
    const startMs = clock.now();
    for (let minute = 0; minute < 30; minute++) {
      emit(first.sink, 50);
      await first.pass(60_000, 5000);
    }
    expect(first.sink.state()).toMatchObject({
      status: 'retrying',
      backlog: 1500,
      delivered: 0,
      oldest_waiting_at: startMs,
      last_error: { code: 'event_sink_refused' },
    });
    // Waits grow to a minute: about one attempt a minute after the first six.
    expect(first.receiver.attempts.length).toBeGreaterThan(25);
    expect(first.receiver.attempts.length).toBeLessThan(40);
    // Each attempt has the same events, so that a receiver can recognize them.
    expect(new Set(first.receiver.attempts.map((attempt) => attempt.join())).size).toBe(1);
    // Simulates a kill: nothing is closed. The next process has only the files on disk.
    first.folder.changesLeft = 0;
    const copy = new CrashingFolder();
    for (const [name, bytes] of folder.files) copy.files.set(name, bytes);
    const second = await stage({}, copy, clock);
    second.receiver.answer = () => FAILED;
    for (let minute = 0; minute < 30; minute++) {
      emit(second.sink, 50);
      await second.pass(60_000, 5000);
    }
    second.receiver.answer = () => DELIVERED;
    await second.pass(60_000, 5000);
    expect(second.receiver.taken).toEqual(texts);
    expect(second.sink.state()).toMatchObject({
      status: 'idle',
      backlog: 0,
      delivered: 3000,
      dropped: 0,
      dead_letters: 0,
    });
    await second.sink.close();
  });

  it('collects up to 100 events for its delay', async () => {
    const { sink, receiver, clock, pass } = await stage({ throttleDelayMs: 5000 });
    sink.accept(events(3, clock));
    await pass(4000);
    sink.accept(events(2, clock));
    await settle();
    expect(receiver.attempts).toEqual([]);
    await pass(1000);
    expect(receiver.attempts.map(({ length }) => length)).toEqual([5]);
    sink.accept(events(120, clock));
    await settle();
    expect(receiver.attempts.map(({ length }) => length)).toEqual([5, 100]);
    await pass(5000);
    expect(receiver.attempts.map(({ length }) => length)).toEqual([5, 100, 20]);
    await sink.close();
  });

  it('waits for Retry-After and for resend_timeout', async () => {
    const { sink, receiver, clock, pass } = await stage({ resendTimeoutMs: 10_000 });
    receiver.answer = () => ({ ...FAILED, retryAfterMs: 30_000 });
    sink.accept(events(1, clock));
    await settle();
    expect(sink.state().next_attempt_at).toBe(clock.now() + 30_000);
    await pass(29_000, 1000);
    expect(receiver.attempts.length).toBe(1);
    receiver.answer = () => FAILED;
    await pass(1000);
    expect(receiver.attempts.length).toBe(2);
    await pass(9000);
    expect(receiver.attempts.length).toBe(2);
    await pass(1000);
    expect(receiver.attempts.length).toBe(3);
    expect(sink.state().resent).toBe(2);
    await sink.close();
  });

  it('stops after status 410 and stores new events', async () => {
    const { sink, receiver, clock, disabled, pass, folder } = await stage();
    receiver.answer = () => ({ kind: 'gone', message: 'answered with status 410' });
    const texts = events(2, clock);
    sink.accept(texts);
    await settle();
    const later = events(1, clock);
    texts.push(...later);
    sink.accept(later);
    await pass(3_600_000, 600_000);
    expect(receiver.attempts.length).toBe(1);
    expect(disabled).toEqual(['answered with status 410']);
    expect(sink.state()).toMatchObject({ status: 'disabled', backlog: 3, last_error: { code: 'event_sink_gone' } });
    await sink.close();
    const again = await stage({}, folder, clock);
    await settle();
    expect(again.receiver.taken).toEqual(texts);
    await again.sink.close();
  });

  it('sends smaller batches after status 413, and moves a single event that is too large to the dead letters', async () => {
    const { sink, receiver, clock, dropped, folder, pass } = await stage();
    const texts = events(40, clock);
    const [, , big = ''] = texts;
    receiver.answer = (records) =>
      records.length > 10 || records.some(({ text }) => text === big)
        ? { kind: 'too_large', message: 'answered with status 413' }
        : DELIVERED;
    sink.accept(texts);
    await pass(10_000, 1000);
    expect(receiver.taken).toEqual(texts.filter((text) => text !== big));
    expect(dropped).toEqual([['too_large', 1]]);
    expect(folder.files.get('dead-letters.jsonl')?.toString()).toBe(`${big}\n`);
    await sink.close();
  });

  it('keeps the newest events within its limit, and moves older ones to the dead letters', async () => {
    const { sink, receiver, clock, dropped, folder, pass } = await stage({ resendLimit: 10 });
    const texts = events(25, clock);
    sink.accept(texts);
    await settle();
    // There is no limit while the receiver accepts events.
    expect(receiver.taken).toEqual(texts);
    receiver.answer = () => FAILED;
    const later = events(25, clock);
    sink.accept(later);
    await pass(1000);
    expect(sink.state()).toMatchObject({ backlog: 10, dead_letters: 15 });
    receiver.answer = () => DELIVERED;
    await pass(120_000, 1000);
    expect(receiver.taken).toEqual([...texts, ...later.slice(15)]);
    expect(folder.files.get('dead-letters.jsonl')?.toString()).toBe(
      later
        .slice(0, 15)
        .map((text) => `${text}\n`)
        .join(''),
    );
    expect(dropped.reduce((sum, [, count]) => sum + count, 0)).toBe(15);
    await sink.close();
  });

  it('sends dead letters again, oldest first, and then removes them', async () => {
    const { sink, receiver, clock, folder, pass } = await stage({ resendLimit: 5 });
    receiver.answer = () => FAILED;
    const texts = events(3000, clock);
    sink.accept(texts);
    await pass(3000);
    expect(sink.state()).toMatchObject({ backlog: 5, dead_letters: 2995 });
    expect(await sink.replay()).toMatchObject({ count: 0 });
    receiver.answer = () => DELIVERED;
    await pass(120_000, 1000);
    expect([await sink.replay(), await sink.replay(), await sink.replay()]).toEqual([
      { count: 2000, isMore: true },
      { count: 995, isMore: false },
      { count: 0, isMore: false },
    ]);
    await pass(5000, 1000);
    expect(receiver.taken).toEqual([...texts.slice(2995), ...texts.slice(0, 2995)]);
    expect(folder.files.get('dead-letters.jsonl')).toBeUndefined();
    await sink.close();
  });

  it('keeps dead letters if the disk fails during the replay', async () => {
    const { sink, receiver, clock, folder, pass } = await stage({ resendLimit: 5 });
    receiver.answer = () => FAILED;
    sink.accept(events(50, clock));
    await pass(3000);
    receiver.answer = () => DELIVERED;
    await pass(120_000, 1000);
    const before = folder.files.get('dead-letters.jsonl')?.toString();
    folder.changesLeft = 0;
    await sink.replay().catch(() => undefined);
    expect(folder.files.get('dead-letters.jsonl')?.toString()).toBe(before);
  });

  it('resumes delivery on request after status 410', async () => {
    const { sink, receiver, clock } = await stage();
    receiver.answer = () => ({ kind: 'gone', message: 'answered with status 410' });
    sink.accept(events(3, clock));
    await settle();
    expect(sink.state().status).toBe('disabled');
    receiver.answer = () => DELIVERED;
    sink.resume();
    await settle();
    expect([receiver.taken.length, sink.state().status]).toEqual([3, 'idle']);
    await sink.close();
  });

  it('limits its disk space, including dead letters', async () => {
    const { sink, receiver, clock, folder, pass } = await stage({ maxBytes: 50_000 });
    receiver.answer = () => FAILED;
    for (let round = 0; round < 100; round++) {
      sink.accept(events(100, clock));
      await pass(1000);
    }
    const { backlog, dead_letters: deadLetters, backlog_bytes: bytes, dropped } = sink.state();
    expect(bytes).toBeLessThanOrEqual(50_000);
    expect(backlog + deadLetters + dropped).toBe(10_000);
    expect(dropped).toBe(0);
    const size = [...folder.files]
      .filter(([name]) => name.startsWith('dead'))
      .reduce((sum, [, file]) => sum + file.length, 0);
    expect(size).toBeLessThan(17 * 1024 * 1024);
    await sink.close();
  });

  it('keeps events in memory while the disk is full, and delivers them later', async () => {
    const { sink, receiver, clock, folder, pass } = await stage();
    folder.isFull = true;
    const texts = events(30, clock);
    sink.accept(texts);
    await pass(5000, 1000);
    expect(sink.state()).toMatchObject({ backlog: 30, last_error: { code: 'event_queue_failed' } });
    folder.isFull = false;
    await pass(2000, 1000);
    expect(receiver.taken).toEqual(texts);
    await sink.close();
  });

  it('drops and counts events that neither disk nor memory can store', async () => {
    const { sink, clock, folder, dropped } = await stage();
    folder.isFull = true;
    for (let round = 0; round < 25; round++) sink.accept(events(1000, clock));
    await settle();
    expect(sink.state().dropped).toBe(5000);
    expect(dropped.reduce((sum, [, count]) => sum + count, 0)).toBe(5000);
    await sink.close();
  });

  it('delivers nothing after it is closed', async () => {
    const { sink, receiver, folder, clock } = await stage();
    const read = folder.read.bind(folder);
    let closing: Promise<void> | undefined;
    // The loop of the sink is about to deliver.
    folder.read = (...range) => {
      closing ??= sink.close();
      return read(...range);
    };
    sink.accept(events(1, clock));
    await settle();
    expect(closing).toBeDefined();
    await closing;
    expect(receiver.attempts).toEqual([]);
    expect(sink.state().backlog).toBe(1);
  });

  it('continues its counters across restarts', async () => {
    const { sink, clock, folder } = await stage();
    sink.accept(events(7, clock));
    await settle();
    await sink.close();
    const again = await stage({}, folder, clock);
    expect(again.sink.state()).toMatchObject({ delivered: 7, backlog: 0, backlog_bytes: 0 });
    await again.sink.close();
  });

  it('drops events without a supported delivery, and reports the error', async () => {
    const { sink, clock } = await stage({ delivery: undefined });
    sink.accept(events(5, clock));
    await settle();
    expect(sink.state()).toMatchObject({
      status: 'not_supported',
      backlog: 0,
      last_error: { code: 'event_sink_not_supported' },
    });
    await sink.close();
  });
});
