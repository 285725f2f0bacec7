import type { InputEnd, InputSink } from '../ingest/input.ts';
import { InputSupervisor } from '../ingest/supervisor.ts';
import type { Clock } from '../lib/clock.ts';
import type { AccessUnit, FormatProblem, SpliceMessage } from '../media/access-unit.ts';
import type { Track } from '../media/track.ts';
import { Segmenter } from '../segment/segmenter.ts';
import type { HeapPool } from '../segment/heap-pool.ts';
import type { WindowEvent } from '../segment/window-event.ts';
import { StreamHub } from '../stream/stream-hub.ts';
import type { MakeInput } from './make-input.ts';
import type { StreamSpec, StreamStatus, TrackStatus } from './messages.ts';
import { ProblemLog } from './problem-log.ts';

/** What a home needs from its thread. */
export interface StreamHomeOptions {
  readonly clock: Clock;
  readonly makeInput: MakeInput;
  readonly pool: HeapPool;
  /** Hears every event of the window, in order. */
  readonly emit: (event: WindowEvent) => void;
}

/** Length over which rates are measured, in milliseconds. */
const RATE_MS = 3000;

interface RateSample {
  readonly atMs: number;
  readonly counts: ReadonlyMap<string, { readonly units: number; readonly bytes: number }>;
  readonly problems: number;
}

/** One stream on its media thread: input or publisher, hub and segmenter. */
export class StreamHome {
  readonly spec: StreamSpec;
  readonly #options: StreamHomeOptions;
  readonly #hub: StreamHub;
  readonly #segmenter: Segmenter;
  readonly #problems = new ProblemLog();
  readonly #supervisor: InputSupervisor | undefined;
  #bytesIn = 0;
  #startedMs = 0;
  #publisher: { readonly label: string; close(reason: InputEnd): void } | undefined;
  #samples: RateSample[] = [];
  #end: { nextMsn: number; nextInitId: number };

  constructor(spec: StreamSpec, options: StreamHomeOptions) {
    this.spec = spec;
    this.#options = options;
    this.#end = { nextMsn: spec.resume.nextMsn, nextInitId: spec.resume.nextInitId };
    const problem = (found: FormatProblem): void => {
      this.#problems.add(found.code, found.detail, options.clock.now());
    };
    this.#hub = new StreamHub(options.clock, problem, spec.endMs);
    const emit = (event: WindowEvent): void => {
      if (event.type === 'segment-start') this.#end.nextMsn = Math.max(this.#end.nextMsn, event.msn + 1);
      else if (event.type === 'init') this.#end.nextInitId = event.initId + 1;
      options.emit(event);
    };
    this.#segmenter = new Segmenter(spec.segmenter, emit, problem, spec.resume, options.pool);
    this.#hub.addReader(this.#segmenter);
    const input = spec.input;
    if (!input) return;
    this.#supervisor = new InputSupervisor({
      clock: options.clock,
      make: (sink) => options.makeInput(input, sink, spec.name),
      sink: this.#counting(),
      sourceTimeoutMs: spec.sourceTimeoutMs,
      lost: (end) => {
        this.#lost(end);
      },
    });
  }

  start(): void {
    this.#supervisor?.start();
  }

  /** Resolves when the input is closed; the open segments have been ended. */
  async close(): Promise<void> {
    this.#publisher?.close({ code: 'publish_kicked', detail: 'the stream was closed' });
    this.#publisher = undefined;
    await this.#supervisor?.close();
    this.#hub.inputEnded();
    this.#segmenter.close();
  }

  /** Where the next life of the stream goes on. */
  get resume(): { readonly endMs: number; readonly nextMsn: number; readonly nextInitId: number } {
    return { endMs: this.#hub.timeline.endMs, ...this.#end };
  }

  get hasPublisher(): boolean {
    return this.#publisher !== undefined;
  }

  /** Takes a publisher; the sink is where its frames go. */
  publish(publisher: { readonly label: string; close(reason: InputEnd): void }, ended: () => void): InputSink {
    this.#publisher = publisher;
    return {
      ...this.#counting(),
      ended: (end) => {
        if (this.#publisher !== publisher) return;
        this.#publisher = undefined;
        this.#lost(end);
        ended();
      },
    };
  }

  /** Measures the stream. Called about once a second. */
  status(nowMs: number): StreamStatus {
    const sample = this.#sample(nowMs);
    const first = this.#samples[0] ?? sample;
    const seconds = Math.max(0.001, (nowMs - first.atMs) / 1000);
    const tracks: TrackStatus[] = [];
    for (const [id, { track, units, bytes }] of this.#hub.counts) {
      const before = first.counts.get(id) ?? { units: 0, bytes: 0 };
      const isMeasured = first !== sample;
      tracks.push({
        track,
        bitrate: isMeasured ? Math.max(0, Math.round(((bytes - before.bytes) * 8) / seconds)) : 0,
        rate: isMeasured ? Math.max(0, (units - before.units) / seconds) : 0,
      });
    }
    return {
      id: this.spec.id,
      phase: this.#phase(),
      lastUnitMs: this.#hub.lastUnitMs,
      startedMs: this.#startedMs,
      bytesIn: this.#bytesIn,
      retryCount: this.#supervisor?.retryCount ?? 0,
      errorsPerSecond: first === sample ? 0 : (this.#problems.total - first.problems) / seconds,
      ...(this.#publisher ? { publisher: this.#publisher.label } : {}),
      tracks,
      problems: this.#problems.list(),
    };
  }

  #phase(): StreamStatus['phase'] {
    if (this.#supervisor) return this.#supervisor.phase;
    if (!this.#publisher) return 'idle';
    return this.#startedMs > 0 ? 'running' : 'opening';
  }

  #sample(nowMs: number): RateSample {
    const counts = new Map([...this.#hub.counts].map(([id, { units, bytes }]) => [id, { units, bytes }]));
    const sample = { atMs: nowMs, counts, problems: this.#problems.total };
    this.#samples.push(sample);
    while (this.#samples.length > 2 && nowMs - (this.#samples[1]?.atMs ?? nowMs) >= RATE_MS) this.#samples.shift();
    return sample;
  }

  #counting(): Omit<InputSink, 'ended'> {
    const hub = this.#hub;
    return {
      tracks: (tracks: readonly Track[]) => {
        this.#samples = [];
        hub.tracks(tracks);
      },
      accessUnit: (unit: AccessUnit) => {
        if (this.#startedMs === 0) this.#startedMs = this.#options.clock.now();
        hub.accessUnit(unit);
      },
      splice: (message: SpliceMessage) => {
        hub.splice(message);
      },
      problem: (problem: FormatProblem) => {
        hub.problem(problem);
      },
      received: (bytes: number) => {
        this.#bytesIn += bytes;
      },
    };
  }

  #lost(end: InputEnd): void {
    this.#problems.add(end.code, end.detail, this.#options.clock.now());
    this.#startedMs = 0;
    this.#hub.inputEnded();
  }
}
