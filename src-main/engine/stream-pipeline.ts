import type { Failover, FailoverOptions } from '../ingest/failover.ts';
import type { InputSink } from '../ingest/input.ts';
import { ProblemThrottle } from '../ingest/problem-throttle.ts';
import type { FormatProblem } from '../media/access-unit.ts';
import type { HeapPool } from '../segment/heap-pool.ts';
import { Segmenter } from '../segment/segmenter.ts';
import type { WindowEvent } from '../segment/window-event.ts';
import { StreamHub } from '../stream/stream-hub.ts';
import type { StreamMeasurements, StreamSpec } from './messages.ts';
import { ProblemLog } from './problem-log.ts';
import { StreamInputs, type StreamInputsOptions } from './stream-inputs.ts';
import { StreamMeter } from './stream-meter.ts';

/** What a pipeline needs from its thread. */
export interface StreamPipelineOptions extends StreamInputsOptions {
  readonly pool: HeapPool;
  /** Hears every event of the window, in order. */
  readonly emit: (event: WindowEvent) => void;
}

/** One stream on its media thread: inputs that take turns, hub and segmenter. */
export class StreamPipeline {
  readonly spec: StreamSpec;
  readonly #hub: StreamHub;
  readonly #segmenter: Segmenter;
  readonly #problems = new ProblemLog();
  readonly #inputs: StreamInputs;
  readonly #meter: StreamMeter;

  constructor(spec: StreamSpec, options: StreamPipelineOptions) {
    this.spec = spec;
    const { clock, emit, notice, pool } = options;
    const problem = ({ code, detail }: FormatProblem): void => {
      this.#problems.add(code, detail, clock.now());
    };
    const news = new ProblemThrottle();
    // What is found behind the inputs is theirs all the same.
    const found = (problemFound: FormatProblem): void => {
      problem(problemFound);
      const { code, detail } = problemFound;
      if (news.isNews(code, clock.now())) notice({ event: 'input_problem', code, detail });
    };
    this.#hub = new StreamHub(clock, found, spec.endMs);
    this.#segmenter = new Segmenter(spec.segmenter, emit, found, spec.resume, pool);
    this.#hub.addReader(this.#segmenter);
    this.#inputs = new StreamInputs(spec, options, {
      output: this.#output(problem),
      received: (bytes) => {
        this.#meter.bytesIn += bytes;
      },
    });
    this.#meter = new StreamMeter(spec, this.#hub, this.#inputs.failover, this.#problems);
  }

  start(): void {
    this.#inputs.failover.start();
  }

  /** Resolves when the inputs are closed; the open segments have been ended. */
  async close(): Promise<void> {
    await this.#inputs.failover.close();
    this.#hub.inputEnded();
    this.#segmenter.close();
  }

  /** Epoch milliseconds up to which the timeline of the stream is used. */
  get endMs(): number {
    return this.#hub.timeline.endMs;
  }

  get hasPublisher(): boolean {
    return this.#inputs.failover.publishInput?.publisher !== undefined;
  }

  /**
   * Takes a publisher; the sink is where its frames go.
   *
   * @param gone hears when it left; not when another one takes its place
   */
  publish(publisher: Parameters<Failover['publish']>[0], gone: () => void): InputSink {
    return this.#inputs.publish(publisher, gone);
  }

  /** Puts an input on air, by its place in the configuration; null: the best one again. */
  select(index: number | null): void {
    this.#inputs.select(index);
  }

  /** Marks a splice point that no input has. @param atMs when it takes effect, in epoch milliseconds of the output */
  splice(section: Uint8Array, atMs: number): void {
    this.#hub.insertSplice(section, atMs);
  }

  /** Open parts are wanted in chunks, too. @param untilMs epoch milliseconds */
  wantChunks(untilMs: number): void {
    this.#segmenter.wantChunks(untilMs);
  }

  /** Measures the stream. Called about once a second. */
  status(nowMs: number): StreamMeasurements {
    return this.#meter.measure(nowMs);
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
