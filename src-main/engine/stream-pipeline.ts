import type { Failover, FailoverOptions } from '../ingest/failover.ts';
import type { InputSink } from '../ingest/input.ts';
import { ProblemThrottle } from '../ingest/problem-throttle.ts';
import type { FormatProblem } from '../media/access-unit.ts';
import { StreamPushes, type StreamPushesOptions } from '../push/stream-pushes.ts';
import type { HeapPool } from '../segment/heap-pool.ts';
import { Segmenter } from '../segment/segmenter.ts';
import { StreamHub, type StreamReader } from '../stream/stream-hub.ts';
import type { StreamMeasurements, StreamSpec } from './messages.ts';
import { ProblemLog } from './problem-log.ts';
import { StreamInputs, type StreamInputsOptions } from './stream-inputs.ts';
import { StreamMeter } from './stream-meter.ts';

export interface StreamPipelineOptions extends StreamInputsOptions {
  readonly pool: HeapPool;
  /** Reader for RTMP players. */
  readonly player?: StreamReader;
  /** Called with every event of the window, in order. */
  readonly emit: ConstructorParameters<typeof Segmenter>[1];
  /** Rules of outgoing connections. */
  readonly hosts: StreamPushesOptions['hosts'];
  /** Called with events of pushes. */
  readonly pushNotice: StreamPushesOptions['notice'];
  /** Timer of pushes that send datagrams. */
  readonly pacer: StreamPushesOptions['pacer'];
}

/** One stream on its media thread: inputs with failover, hub and segmenter. */
export class StreamPipeline {
  readonly spec: StreamSpec;
  readonly #hub: StreamHub;
  readonly #segmenter: Segmenter;
  readonly #problems = new ProblemLog();
  readonly #inputs: StreamInputs;
  readonly #meter: StreamMeter;
  readonly #options: Pick<StreamPipelineOptions, 'clock' | 'hosts' | 'pacer' | 'pushNotice'>;
  #pushes: StreamPushes | undefined;

  constructor(spec: StreamSpec, options: StreamPipelineOptions) {
    this.spec = spec;
    this.#options = options;
    const { clock, emit, notice, pool } = options;
    const count = (problem: FormatProblem): void => {
      this.#problems.add(problem, clock.now());
    };
    const throttle = new ProblemThrottle();
    // Problems that the hub or the segmenter finds come from the inputs, so they are reported as such.
    const report = (problem: FormatProblem): void => {
      count(problem);
      const { code, detail, explanation } = problem;
      if (throttle.isDue(code, clock.now())) notice({ event: 'input_problem', code, detail, explanation });
    };
    this.#hub = new StreamHub(clock, report, spec.endMs);
    this.#segmenter = new Segmenter(spec.segmenter, emit, report, spec.resume, pool);
    this.#hub.addReader(this.#segmenter);
    if (options.player) this.#hub.addReader(options.player);
    this.#inputs = new StreamInputs(spec, options, {
      output: this.#output(count),
      received: (bytes) => {
        this.#meter.bytesIn += bytes;
      },
    });
    this.#meter = new StreamMeter(spec, this.#hub, this.#inputs.failover, this.#problems);
    this.push(spec.pushes ?? []);
  }

  start(): void {
    this.#inputs.failover.start();
  }

  /** Resolves when the inputs are closed and the open segments have ended. */
  async close(): Promise<void> {
    await this.#inputs.failover.close();
    this.#hub.inputEnded();
    this.#segmenter.close();
    this.#pushes?.close();
  }

  /** End of the used timeline of the stream, in epoch milliseconds. */
  get endMs(): number {
    return this.#hub.timeline.endMs;
  }

  get hasPublisher(): boolean {
    return this.#inputs.failover.publishInput?.publisher !== undefined;
  }

  /**
   * Adds a publisher, whose frames go to the returned sink.
   * @param gone called when the publisher has left, but not when another one replaces it
   */
  publish(publisher: Parameters<Failover['publish']>[0], gone: () => void): InputSink {
    return this.#inputs.publish(publisher, gone);
  }

  /** Puts an input on air, by its index in the configuration; null for the best one. */
  select(index: number | null): void {
    this.#inputs.select(index);
  }

  /** Sends the stream to these servers, and to no others. */
  push(specs: Parameters<StreamPushes['set']>[0]): void {
    if (!this.#pushes && specs.length > 0) {
      const { clock, hosts, pacer, pushNotice: notice } = this.#options;
      this.#pushes = new StreamPushes({
        streamName: this.spec.name,
        clock,
        hosts,
        pacer,
        notice,
        ownInputs: this.#inputs.datagramListeners,
      });
      this.#hub.addReader(this.#pushes);
    }
    this.#pushes?.set(specs);
  }

  /**
   * Inserts a splice point that no input has.
   * @param atMs splice time, in epoch milliseconds of the output
   */
  splice(section: Uint8Array, atMs: number): void {
    this.#hub.insertSplice(section, atMs);
  }

  /**
   * Requests the open parts in chunks, in addition to the complete parts.
   * @param untilMs epoch milliseconds
   */
  wantChunks(untilMs: number): void {
    this.#segmenter.wantChunks(untilMs);
  }

  /** Measures the stream. Called about once a second. */
  status(nowMs: number): StreamMeasurements {
    const pushes = this.#pushes?.status() ?? [];
    return { ...this.#meter.measure(nowMs), ...(pushes.length > 0 ? { pushes } : {}) };
  }

  #output(problem: (problem: FormatProblem) => void): FailoverOptions['output'] {
    const hub = this.#hub;
    return {
      tracks: (tracks) => {
        this.#meter.reset();
        hub.tracks(tracks);
      },
      accessUnit: (unit) => {
        hub.accessUnit(unit);
      },
      splice: (message) => {
        hub.splice(message);
      },
      problem,
      inputSwitched: () => {
        hub.inputSwitched();
      },
      inputRejoined: () => {
        hub.inputRejoined();
      },
      inputEnded: () => {
        hub.inputEnded();
      },
    };
  }
}
