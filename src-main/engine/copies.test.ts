import { because } from '../../src-preload/contract/explanations/explanations.ts';
import { describe, expect, it } from 'vitest';
import { RecordingInput } from '../../tests/helpers/recording-input.ts';
import { madeUnits, type MadeInput } from '../../tests/helpers/made-input.ts';
import { StreamRun } from '../../tests/helpers/stream-run.ts';
import { CopyInput } from '../ingest/copy/copy-input.ts';
import type { CopySourcePort } from '../ingest/copy/copy-source-port.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { firstUse, isUsed } from '../segment/shared-use.ts';
import { Copies } from './copies.ts';
import type { PartEvent } from '../segment/window-event.ts';
import { Channel, type MessagePipe, type Silence } from '../lib/channel/channel.ts';
import { copySource } from './inputs-by-server.ts';
import { InFlightParts } from './in-flight-parts.ts';
import type { ToMediaThread } from './messages.ts';

const INPUT: MadeInput = {
  video: { fps: 25, gopFrames: 25, bFrames: 2 },
  audio: { sampleRate: 48_000, lateMs: 0 },
  seconds: 6,
  startTicks: 900_000,
};

const MIB = 1024 * 1024;

interface CopyTable extends Silence {
  readonly subscriptions: ToMediaThread['subscriptions'];
}

/** The server thread and a media thread. Messages arrive at once unless a test delays them. */
class CopyStage {
  readonly clock = new FakeClock();
  readonly copies = new Copies();
  readonly flight = new InFlightParts();
  readonly requests: CopySourcePort;
  /** Messages to the media thread while it is busy. Undefined if they arrive at once. */
  pending: unknown[] | undefined;
  readonly #listeners: ((message: unknown) => void)[] = [];

  constructor() {
    const server = new Channel<CopyTable, Silence>(this.clock, {
      calls: {},
      feeds: {},
      subscriptions: { copy: (names, feed) => this.copies.open(names, feed, this.flight) },
      events: {},
    });
    const media = new Channel<Silence, CopyTable>(this.clock, { calls: {}, feeds: {}, subscriptions: {}, events: {} });
    server.attach(this.#pipe((message) => (this.pending ? this.pending.push(message) : this.#listeners[1]?.(message))));
    media.attach(this.#pipe((message) => this.#listeners[0]?.(message)));
    this.requests = copySource(media, this.flight.handled);
  }

  #pipe(post: (message: unknown) => unknown): MessagePipe {
    return {
      post: (message) => void post(message),
      onMessage: (listener) => this.#listeners.push(listener),
      close() {},
    };
  }

  open(source: string, follower: string): { readonly sink: RecordingInput; readonly input: CopyInput } {
    const sink = new RecordingInput();
    const input = new CopyInput({ source, follower, port: this.requests, clock: this.clock }, sink);
    input.start();
    return { sink, input };
  }

  /** Plays an input into the stream `name`. */
  play(name: string, input = INPUT): StreamRun {
    const run = new StreamRun({ partMs: 500 });
    this.copies.opened(name, run.run);
    run.play(input);
    return run;
  }
}

describe('copies of streams', () => {
  it('count as followers of the source stream, whether it exists or not', async () => {
    const stage = new CopyStage();
    const first = stage.open('origin', 'a');
    const second = stage.open('origin', 'b');
    expect([stage.copies.isFollowed('origin'), stage.copies.isFollowed('a')]).toEqual([true, false]);
    await first.input.close();
    expect(stage.copies.isFollowed('origin')).toBe(true);
    await second.input.close();
    expect(stage.copies.isFollowed('origin')).toBe(false);
    stage.open('origin', 'a');
    stage.play('origin').run.close();
    expect(stage.copies.isFollowed('origin')).toBe(false);
  });

  it('carry the access units of the source, byte for byte and with the same time steps', () => {
    const stage = new CopyStage();
    const { sink } = stage.open('source', 'copy');
    stage.play('source').close();
    expect(sink.announcements).toHaveLength(1);
    for (const trackId of ['v1', 'a1']) {
      const all = madeUnits(INPUT)
        .map(({ unit }) => unit)
        .filter((unit) => unit.trackId === trackId);
      const copied = sink.units(trackId);
      // Audio before the first picture is not in the window.
      expect(all.length - copied.length).toBeLessThanOrEqual(trackId === 'a1' ? 4 : 0);
      const sent = all.slice(all.length - copied.length);
      expect(copied.map(({ data }) => Buffer.from(data))).toEqual(sent.map(({ data }) => Buffer.from(data)));
      expect(copied.map(({ isRandomAccess }) => isRandomAccess)).toEqual(
        sent.map(({ isRandomAccess }) => isRandomAccess),
      );
      const shift = (copied[0]?.ptsTicks ?? 0) - (sent[0]?.ptsTicks ?? 0);
      // Audio times are computed from counted samples. They differ by less than a tick of 48 kHz.
      for (const [index, unit] of copied.entries())
        expect(Math.abs(unit.ptsTicks - (sent[index]?.ptsTicks ?? 0) - shift)).toBeLessThanOrEqual(2);
    }
    expect(sink.bytes).toBeGreaterThan(10_000);
  });

  it('release all memory while they are still open', async () => {
    const stage = new CopyStage();
    const copy = stage.open('source', 'copy');
    const { input } = stage.open('source', 'other');
    await input.close();
    const run = stage.play('source');
    run.close();
    run.window.clear();
    const parts = run.events.flatMap((event) => (event.type === 'part' ? [event.bytes] : []));
    expect(parts.length).toBeGreaterThan(10);
    expect(
      parts.filter(({ buffer, useOffset }) => useOffset >= 0 && isUsed(new Int32Array(buffer, useOffset, 1), 0)),
    ).toEqual([]);
    expect(copy.sink.units().length).toBeGreaterThan(100);
  });

  it('end if their media thread does not keep up, and release their memory', () => {
    const stage = new CopyStage();
    stage.open('source', 'copy');
    const run = stage.play('source');
    const open = run.events.findLast((event) => event.type === 'segment-start');
    stage.pending = [];
    // 40 MB of parts, 8 MB at a time.
    const parts = Array.from({ length: 5 }, (_, index): PartEvent => {
      const bytes = { buffer: new SharedArrayBuffer(8 * MIB + 8), offset: 8, length: 8 * MIB, useOffset: 0 };
      firstUse(bytes);
      const { trackId = '', msn = 0, startTicks = 0 } = open ?? {};
      return {
        type: 'part',
        trackId,
        msn,
        index,
        startTicks,
        durationTicks: 1,
        isIndependent: true,
        bytes,
        arrivedMs: 0,
      };
    });
    const free = (): number => parts.filter(({ bytes }) => !isUsed(new Int32Array(bytes.buffer, 0, 1), 0)).length;
    for (const part of parts) run.run.apply([part]);
    expect(stage.copies.isFollowed('source')).toBe(false);
    run.window.clear();
    // The last part was not sent.
    expect(free()).toBe(1);
    // The thread dies before it takes the other parts.
    stage.flight.releaseAll();
    expect(free()).toBe(5);
  });

  it('join a running source with its current tracks', () => {
    const stage = new CopyStage();
    const run = stage.play('source');
    const { sink } = stage.open('source', 'copy');
    expect(sink.announcements).toHaveLength(1);
    expect(sink.units()).toHaveLength(0);
    run.play({ ...INPUT, startTicks: 900_000 + 6 * 90_000 });
    expect(sink.units().length).toBeGreaterThan(100);
  });

  it('end when the source is closed, or has had no input for two seconds', () => {
    const stage = new CopyStage();
    const first = stage.play('first');
    const run = stage.play('second');
    const copyOfFirst = stage.open('first', 'a').sink;
    const second = stage.open('second', 'b').sink;
    first.run.close();
    expect(copyOfFirst.ends).toEqual([{ code: 'input_ended', ...because('copy_source_closed', { source: 'first' }) }]);
    run.idle(0);
    stage.clock.advance(1900);
    expect(second.ends).toEqual([]);
    stage.clock.advance(200);
    expect(second.ends).toEqual([{ code: 'input_ended', ...because('copy_without_input', { source: 'second' }) }]);
    run.run.close();
    expect(second.ends).toHaveLength(1);
  });

  it('continue if the source gets another input in time', () => {
    const stage = new CopyStage();
    const { sink } = stage.open('source', 'copy');
    const run = stage.play('source');
    run.idle(100);
    run.play({ ...INPUT, video: { fps: 50, gopFrames: 50, bFrames: 0, variant: 1 } });
    stage.clock.advance(5000);
    expect(sink.ends).toEqual([]);
    expect(sink.announcements).toHaveLength(2);
  });

  it('follow a source that was closed and opened again, after they are reopened', () => {
    const stage = new CopyStage();
    stage.play('source').run.close();
    const { sink } = stage.open('source', 'copy');
    expect(sink.calls).toEqual([]);
    stage.play('source');
    expect(sink.units().length).toBeGreaterThan(100);
  });

  it('are refused if a stream would copy itself', async () => {
    const stage = new CopyStage();
    expect(stage.open('a', 'a').sink.ends).toEqual([
      { code: 'bad_input_url', ...because('copy_of_itself', { source: 'a' }) },
    ]);
    const { input } = stage.open('b', 'a');
    stage.open('c', 'b');
    expect(stage.open('a', 'c').sink.ends).toEqual([
      { code: 'bad_input_url', ...because('copy_circle', { source: 'a', follower: 'c' }) },
    ]);
    await input.close();
    expect(stage.open('a', 'c').sink.ends).toEqual([]);
  });
});
