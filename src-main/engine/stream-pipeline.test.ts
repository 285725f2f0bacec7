import { OutgoingHosts } from '../lib/outgoing-hosts.ts';
import { describe, expect, it } from 'vitest';
import { EventChecker } from '../../tests/helpers/check-window.ts';
import { madeAudio, madeVideo } from '../../tests/helpers/made-input.ts';
import type { FailoverNotice } from '../ingest/failover-notice.ts';
import type { Input, InputSink } from '../ingest/input.ts';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { DatagramPacer } from '../push/mpegts/datagram-pacer.ts';
import { HeapPool } from '../segment/heap-pool.ts';
import { SEGMENTER_DEFAULTS } from '../segment/segmenter-options.ts';
import type { WindowEvent } from '../segment/window-event.ts';
import type { StreamInputSpec, StreamSpec } from './messages.ts';
import { WorkMark } from './work-mark.ts';
import { StreamPipeline } from './stream-pipeline.ts';

const FRAME_MS = 40;

/** A simulated encoder: video and audio, with a key frame every second. */
class Encoder {
  isOn = true;
  clockMs: number;
  readonly #sink: InputSink;
  #frames = 0;

  constructor(sink: InputSink, options: { readonly variant?: number; readonly clockMs?: number } = {}) {
    this.#sink = sink;
    this.clockMs = options.clockMs ?? 5000;
    sink.tracks([madeVideo('v1', options.variant ?? 0), madeAudio()]);
  }

  frame(): void {
    if (this.isOn) {
      const dtsTicks = this.clockMs * 90;
      this.#sink.accessUnit({
        trackId: 'v1',
        dtsTicks,
        ptsTicks: dtsTicks,
        isRandomAccess: this.#frames++ % 25 === 0,
        data: Buffer.alloc(400, 7),
      });
      const audioTicks = Math.round((this.clockMs * 48) / 1024) * ((1024 * 90) / 48);
      this.#sink.accessUnit({
        trackId: 'a1',
        dtsTicks: audioTicks,
        ptsTicks: audioTicks,
        isRandomAccess: true,
        data: Buffer.alloc(100, 9),
      });
      this.#sink.received(500);
    }
    this.clockMs += FRAME_MS;
  }

  end(): void {
    this.isOn = false;
    this.#sink.ended({ code: 'publish_closed', detail: 'the encoder went away' });
  }
}

class Studio {
  readonly clock = new FakeClock();
  readonly events: WindowEvent[] = [];
  readonly notices: FailoverNotice[] = [];
  readonly checker = new EventChecker();
  readonly encoders: Encoder[] = [];
  /** Encoders by address, created when they are opened. */
  readonly opened = new Map<string, Encoder>();
  readonly home: StreamPipeline;
  readonly mark = new WorkMark();
  /** Format variant of each address. */
  readonly variants: Readonly<Record<string, number>>;

  constructor(
    inputs: readonly string[],
    options: { readonly variants?: Readonly<Record<string, number>>; readonly backup?: string } = {},
  ) {
    this.variants = options.variants ?? {};
    const spec: StreamSpec = {
      id: 1,
      name: 'cam',
      segmenter: SEGMENTER_DEFAULTS,
      inputs: inputs.map((url, index): StreamInputSpec => ({
        url,
        options: {},
        priority: index + 1,
        framesTimeoutMs: 3000,
        sourceTimeoutMs: 20_000,
      })),
      ...(options.backup === undefined ? {} : { backup: { url: options.backup, options: {}, afterMs: 2000 } }),
      retryLimit: null,
      endMs: 0,
      resume: { nextMsn: 1, nextInitId: 1, isContinuation: false },
    };
    this.home = new StreamPipeline(spec, {
      clock: this.clock,
      makeInput: ({ url }, sink) => this.#open(url, sink),
      pool: new HeapPool(),
      mark: this.mark,
      emit: (event) => {
        this.events.push(event);
        this.checker.take([event]);
      },
      notice: (notice) => this.notices.push(notice),
      hosts: new OutgoingHosts(),
      pacer: new DatagramPacer(this.clock),
      pushNotice: () => {},
    });
  }

  publish(options: { readonly variant?: number; readonly clockMs?: number } = {}): Encoder {
    const encoder = new Encoder(
      this.home.publish({ label: '127.0.0.1:1', close: () => {} }, () => {}),
      options,
    );
    this.encoders.push(encoder);
    return encoder;
  }

  run(ms: number): void {
    for (let left = ms; left > 0; left -= FRAME_MS) {
      this.clock.advance(FRAME_MS);
      for (const encoder of this.encoders) encoder.frame();
    }
  }

  get cuts(): number {
    return this.checker.of('v1').filter(({ isDiscontinuity }) => isDiscontinuity).length;
  }

  get inits(): number {
    return this.events.filter(({ type }) => type === 'init').length;
  }

  get isIdle(): boolean {
    return this.events.findLast(({ type }) => type === 'idle' || type === 'segment-start')?.type === 'idle';
  }

  /** Gaps between the video segments, in milliseconds. */
  get gapsMs(): number[] {
    const segments = this.checker.of('v1');
    return segments
      .slice(1)
      .map((segment, index) => Math.round((segment.decodeStart - (segments[index]?.decodeEnd ?? 0)) / 90));
  }

  #open(url: string, sink: InputSink): Input {
    return {
      start: () => {
        const encoder = new Encoder(sink, { variant: this.variants[url] ?? 0, clockMs: 77_000 });
        this.encoders.push(encoder);
        this.opened.set(url, encoder);
      },
      close: () => {
        const encoder = this.opened.get(url);
        if (encoder) this.encoders.splice(this.encoders.indexOf(encoder), 1);
        return Promise.resolve();
      },
    };
  }
}

describe('StreamPipeline', () => {
  it('marks the input whose bytes are being processed', () => {
    const studio = new Studio(['publish://', 'udp://239.255.0.1:1234'], { backup: 'file://b.mp4' });
    studio.home.start();
    studio.run(4000);
    expect(studio.mark.current).toEqual({ stream: 1, input: 1 });
    studio.home.publish({ label: '', close: () => {} }, () => {}).received(1);
    expect(studio.mark.current).toEqual({ stream: 1, input: 0 });
  });

  it('has no discontinuity when an encoder reconnects in time with its clock', () => {
    const studio = new Studio(['publish://']);
    studio.home.start();
    const first = studio.publish();
    // A segment has just started: even with the pause it is no longer than the target duration.
    studio.run(10_200);
    first.end();
    studio.run(2000);
    expect(studio.isIdle).toBe(false);
    studio.publish({ clockMs: first.clockMs });
    studio.run(10_000);
    expect([studio.cuts, studio.inits]).toEqual([0, 1]);
    expect(studio.checker.faults).toEqual([]);
    // The last frame before the pause is shown until the first frame after the pause.
    expect(Math.max(...studio.gapsMs)).toBe(0);
    expect(studio.home.status(studio.clock.now())).toMatchObject({
      phase: 'running',
      activeInput: 0,
      inputSwitches: 0,
    });
  });

  it('marks a discontinuity after a pause that the open segment cannot contain, although the encoder clock did not jump', () => {
    const studio = new Studio(['publish://']);
    studio.home.start();
    const first = studio.publish();
    studio.run(10_000);
    first.end();
    studio.run(2000);
    studio.publish({ clockMs: first.clockMs });
    studio.run(10_000);
    expect([studio.cuts, studio.inits]).toEqual([1, 1]);
    expect(studio.checker.faults).toEqual([]);
    const segments = studio.checker.of('v1').slice(0, -1);
    const seconds = segments.map(({ decodeStart, decodeEnd }) => Math.round((decodeEnd - decodeStart) / 90_000));
    expect(Math.max(...seconds)).toBe(2);
    expect(studio.home.status(studio.clock.now()).problems.map(({ code }) => code)).not.toContain('timestamps_jumped');
  });

  it('marks one discontinuity when an encoder returns with a new clock, and keeps the init segment', () => {
    const studio = new Studio(['publish://']);
    studio.home.start();
    const first = studio.publish();
    studio.run(10_000);
    first.end();
    studio.run(2000);
    studio.publish({ clockMs: 0 });
    studio.run(10_000);
    expect([studio.cuts, studio.inits]).toEqual([1, 1]);
    expect(studio.checker.faults).toEqual([]);
    expect(Math.max(...studio.gapsMs)).toBeGreaterThan(1900);
    expect(studio.home.status(studio.clock.now()).problems.map(({ code }) => code)).toContain('timestamps_jumped');
  });

  it('starts a new init segment when an encoder returns with another format', () => {
    const studio = new Studio(['publish://']);
    studio.home.start();
    const first = studio.publish();
    studio.run(10_000);
    first.end();
    studio.run(2000);
    studio.publish({ clockMs: first.clockMs, variant: 1 });
    studio.run(10_000);
    expect([studio.cuts, studio.inits]).toEqual([1, 2]);
    expect(studio.checker.faults).toEqual([]);
  });

  it('ends its segments when the encoder does not return, and reports the error', () => {
    const studio = new Studio(['publish://']);
    studio.home.start();
    studio.publish();
    studio.run(10_000);
    expect(studio.home.status(studio.clock.now())).toMatchObject({ phase: 'running', publisher: '127.0.0.1:1' });
    studio.encoders[0]?.end();
    studio.run(4800);
    expect(studio.isIdle).toBe(false);
    expect(studio.home.status(studio.clock.now()).phase).toBe('error');
    studio.run(600);
    expect(studio.isIdle).toBe(true);
    const { phase, startedMs, inputs } = studio.home.status(studio.clock.now());
    expect([phase, startedMs, inputs[0]?.phase, inputs[0]?.lastFault?.code]).toEqual([
      'idle',
      0,
      'waiting',
      'publish_closed',
    ]);
  });

  it('switches between running inputs without a gap, with a discontinuity', () => {
    const studio = new Studio(['a://', 'b://'], { variants: { 'b://': 3 } });
    studio.home.start();
    studio.run(10_000);
    studio.home.select(1);
    studio.run(10_000);
    expect([studio.cuts, studio.inits]).toEqual([1, 2]);
    // Half a second of margin for tracks that arrive later and start earlier.
    expect(Math.max(...studio.gapsMs)).toBeLessThanOrEqual(500);
    expect(Math.min(...studio.gapsMs)).toBe(0);
    expect(studio.checker.faults).toEqual([]);
    expect(studio.home.status(studio.clock.now())).toMatchObject({
      activeInput: 1,
      selectedInput: 1,
      inputSwitches: 1,
    });
    expect(studio.home.status(studio.clock.now()).problems).toEqual([]);
    studio.home.select(null);
    studio.run(15_000);
    expect(studio.home.status(studio.clock.now())).toMatchObject({
      activeInput: 0,
      selectedInput: null,
      inputSwitches: 2,
    });
    expect(studio.inits).toBe(3);
  });

  it('reports a jumping clock once a minute', () => {
    const studio = new Studio(['a://']);
    studio.home.start();
    studio.run(5000);
    const encoder = studio.opened.get('a://');
    for (let jump = 0; jump < 3; jump++) {
      if (encoder) encoder.clockMs += 3_600_000;
      studio.run(5000);
    }
    expect(studio.notices.filter(({ event }) => event === 'input_problem')).toMatchObject([
      { code: 'timestamps_jumped' },
    ]);
    expect(studio.home.status(studio.clock.now()).problems).toMatchObject([{ code: 'timestamps_jumped', count: 3 }]);
  });

  it('does not drift from the wall clock, however often inputs are switched', () => {
    const studio = new Studio(['a://', 'b://']);
    studio.home.start();
    studio.run(5000);
    for (let turn = 0; turn < 40; turn++) {
      studio.home.select((turn + 1) % 2);
      studio.run(3000);
      expect(studio.home.status(studio.clock.now()).inputSwitches).toBe(turn + 1);
    }
    const last = studio.checker.of('v1').at(-1);
    expect((last?.decodeEnd ?? 0) / 90 - studio.clock.now()).toBeLessThan(1100);
    expect(studio.checker.faults).toEqual([]);
  });

  it('keeps the timeline running while inputs fail one after another, down to the backup file', () => {
    const studio = new Studio(['a://', 'b://'], { backup: 'file://slate.ts', variants: { 'file://slate.ts': 5 } });
    studio.home.start();
    studio.run(10_000);
    for (const name of ['a://', 'b://']) {
      const encoder = studio.opened.get(name);
      if (encoder) encoder.isOn = false;
      studio.run(8000);
    }
    const status = studio.home.status(studio.clock.now());
    expect(status).toMatchObject({ phase: 'running', isBackupOnAir: true, activeInput: null, inputSwitches: 2 });
    expect(status.inputs.map(({ phase }) => phase)).toEqual(['silent', 'silent']);
    expect(Math.max(...studio.gapsMs)).toBeLessThan(3600);
    expect(studio.cuts).toBe(2);
    expect(studio.isIdle).toBe(false);
    expect(studio.checker.faults).toEqual([]);
  });

  it('disconnects its encoder and ends open segments when closed', async () => {
    const studio = new Studio(['publish://', 'a://']);
    studio.home.start();
    const reasons: string[] = [];
    studio.encoders.push(
      new Encoder(studio.home.publish({ label: 'x', close: ({ code }) => reasons.push(code) }, () => {})),
    );
    studio.run(3000);
    expect(studio.opened.size).toBe(1);
    await studio.home.close();
    expect(reasons).toEqual(['publish_kicked']);
    expect(studio.isIdle).toBe(true);
    expect(studio.checker.segments.every(({ isComplete }) => isComplete)).toBe(true);
    const last = studio.checker.of('v1').at(-1);
    expect(studio.home.endMs).toBeGreaterThan(((last?.startTicks ?? Infinity) + (last?.durationTicks ?? 0)) / 90 - 1);
  });
});
