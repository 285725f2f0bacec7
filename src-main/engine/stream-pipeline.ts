import { Failover, type FailoverOutput } from '../ingest/failover.ts';
import type { FailoverInput, Publisher } from '../ingest/failover-input.ts';
import { ProblemThrottle } from '../ingest/problem-throttle.ts';
import type { FailoverNotice } from '../ingest/failover-notice.ts';
import type { InputSink } from '../ingest/input.ts';
import type { Clock } from '../lib/clock.ts';
import type { FormatProblem } from '../media/access-unit.ts';
import { Segmenter } from '../segment/segmenter.ts';
import type { HeapPool } from '../segment/heap-pool.ts';
import type { WindowEvent } from '../segment/window-event.ts';
import { StreamHub } from '../stream/stream-hub.ts';
import type { MakeInput } from './make-input.ts';
import type { InputSpec, StreamSpec, StreamMeasurements, TrackStatus } from './messages.ts';
import { ProblemLog } from './problem-log.ts';
import { isPublish, markedMaker, markedSink, publishPlace, type WorkMark } from './work-mark.ts';

/** What a home needs from its thread. */
export interface StreamPipelineOptions {
  readonly clock: Clock;
  readonly makeInput: MakeInput;
  readonly pool: HeapPool;
  readonly mark: WorkMark;
  /** Hears every event of the window, in order. */
  readonly emit: (event: WindowEvent) => void;
  /** Hears what becomes of the inputs. */
  readonly notice: (notice: FailoverNotice) => void;
}

/** A backup file that gives no frame for this long does not play, and after the second time is opened again; in milliseconds. */
const BACKUP_FRAMES_MS = 3000;
const BACKUP_SOURCE_MS = 10_000;
/** Length over which rates are measured, in milliseconds. */
const RATE_MS = 3000;

interface RateSample {
  readonly atMs: number;
  readonly counts: ReadonlyMap<string, { readonly units: number; readonly bytes: number }>;
  readonly problems: number;
}

/** One stream on its media thread: inputs that take turns, hub and segmenter. */
export class StreamPipeline {
  readonly spec: StreamSpec;
  readonly #hub: StreamHub;
  readonly #segmenter: Segmenter;
  readonly #problems = new ProblemLog();
  readonly #failover: Failover;
  readonly #mark: WorkMark;
  #bytesIn = 0;
  #samples: RateSample[] = [];

  constructor(spec: StreamSpec, options: StreamPipelineOptions) {
    this.spec = spec;
    const problem = ({ code, detail }: FormatProblem): void => {
      this.#problems.add(code, detail, options.clock.now());
    };
    const news = new ProblemThrottle();
    // What is found behind the inputs is theirs all the same.
    const found = (problemFound: FormatProblem): void => {
      problem(problemFound);
      const { code, detail } = problemFound;
      if (news.isNews(code, options.clock.now())) options.notice({ event: 'input_problem', code, detail });
    };
    this.#hub = new StreamHub(options.clock, found, spec.endMs);
    this.#segmenter = new Segmenter(spec.segmenter, options.emit, found, spec.resume, options.pool);
    this.#hub.addReader(this.#segmenter);
    const { backup, retryLimit } = spec;
    this.#mark = options.mark;
    const makeInput = (input: InputSpec, place: number) =>
      markedMaker((sink) => options.makeInput(input, sink, spec.name), options.mark, { stream: spec.id, input: place });
    this.#failover = new Failover({
      clock: options.clock,
      inputs: spec.inputs.map((input, index) => ({
        label: `input ${index + 1}`,
        priority: input.priority,
        framesTimeoutMs: input.framesTimeoutMs,
        sourceTimeoutMs: input.sourceTimeoutMs,
        ...(input.heldUntilMs === undefined ? {} : { heldUntilMs: input.heldUntilMs }),
        ...(isPublish(input) ? {} : { make: makeInput(input, index) }),
      })),
      ...(backup
        ? {
            backup: {
              label: 'backup',
              framesTimeoutMs: BACKUP_FRAMES_MS,
              sourceTimeoutMs: BACKUP_SOURCE_MS,
              afterMs: backup.afterMs,
              ...(backup.heldUntilMs === undefined ? {} : { heldUntilMs: backup.heldUntilMs }),
              make: makeInput(backup, spec.inputs.length),
            },
          }
        : {}),
      retryLimit,
      output: this.#output(problem),
      received: (bytes) => {
        this.#bytesIn += bytes;
      },
      notice: options.notice,
    });
  }

  start(): void {
    this.#failover.start();
  }

  /** Resolves when the inputs are closed; the open segments have been ended. */
  async close(): Promise<void> {
    await this.#failover.close();
    this.#hub.inputEnded();
    this.#segmenter.close();
  }

  /** Epoch milliseconds up to which the timeline of the stream is used. */
  get endMs(): number {
    return this.#hub.timeline.endMs;
  }

  get hasPublisher(): boolean {
    return this.#failover.publishInput?.publisher !== undefined;
  }

  /**
   * Takes a publisher; the sink is where its frames go.
   *
   * @param gone hears when it left; not when another one takes its place
   */
  publish(publisher: Publisher, gone: () => void): InputSink {
    const sink = this.#failover.publish(publisher, gone);
    if (!sink) throw new Error(`The stream ${this.spec.name} has no input that waits for a publisher`);
    return markedSink(sink, this.#mark, publishPlace(this.spec));
  }

  /** Puts an input on air, by its place in the configuration; null: the best one again. */
  select(index: number | null): void {
    this.#failover.select(index === null ? undefined : this.#failover.inputs[index]);
  }

  /** Measures the stream. Called about once a second. */
  status(nowMs: number): StreamMeasurements {
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
      startedMs: this.#failover.onAirSinceMs,
      bytesIn: this.#bytesIn,
      retryCount: this.#failover.retryCount,
      errorsPerSecond: first === sample ? 0 : (this.#problems.total - first.problems) / seconds,
      ...this.#inputStates(),
      tracks,
      problems: this.#problems.list(),
    };
  }

  #inputStates(): Pick<
    StreamMeasurements,
    'inputs' | 'activeInput' | 'selectedInput' | 'isBackupOnAir' | 'inputSwitches' | 'publisher'
  > {
    const failover = this.#failover;
    const { publisher } = failover.publishInput ?? {};
    return {
      inputs: failover.inputs.map(({ phase, lastUnitMs, retryCount, errorCount, lastFault }, index) => ({
        url: this.spec.inputs[index]?.url ?? '',
        priority: this.spec.inputs[index]?.priority ?? 0,
        phase,
        lastUnitMs,
        retryCount,
        errorCount,
        ...(lastFault ? { lastFault } : {}),
      })),
      activeInput: indexIn(failover.inputs, failover.active),
      selectedInput: indexIn(failover.inputs, failover.preferred),
      isBackupOnAir: failover.isBackupOnAir,
      inputSwitches: failover.switches,
      ...(publisher ? { publisher: publisher.label } : {}),
    };
  }

  #phase(): StreamMeasurements['phase'] {
    const { inputs, isLost, onAirSinceMs } = this.#failover;
    if (isLost) return 'error';
    if (onAirSinceMs > 0) return 'running';
    const phases = new Set(inputs.map(({ phase }) => phase));
    if (phases.has('error') || phases.has('given_up')) return 'error';
    return phases.has('opening') || phases.has('silent') || phases.has('running') ? 'opening' : 'idle';
  }

  #sample(nowMs: number): RateSample {
    const counts = new Map([...this.#hub.counts].map(([id, { units, bytes }]) => [id, { units, bytes }]));
    const sample = { atMs: nowMs, counts, problems: this.#problems.total };
    this.#samples.push(sample);
    while (this.#samples.length > 2 && nowMs - (this.#samples[1]?.atMs ?? nowMs) >= RATE_MS) this.#samples.shift();
    return sample;
  }

  #output(problem: (problem: FormatProblem) => void): FailoverOutput {
    const hub = this.#hub;
    return {
      tracks: (tracks) => {
        this.#samples = [];
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

/** Place of an input; null where it is none of them. */
function indexIn(inputs: readonly FailoverInput[], input: FailoverInput | undefined): number | null {
  const index = input ? inputs.indexOf(input) : -1;
  return index < 0 ? null : index;
}
