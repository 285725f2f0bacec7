import type { Failover } from '../ingest/failover.ts';
import type { FailoverInput } from '../ingest/failover-input.ts';
import type { StreamHub } from '../stream/stream-hub.ts';
import type { StreamMeasurements, StreamSpec, TrackStatus } from './messages.ts';
import type { ProblemLog } from './problem-log.ts';

/** Length over which rates are measured, in milliseconds. */
const RATE_MS = 3000;

interface RateSample {
  readonly atMs: number;
  readonly counts: ReadonlyMap<string, { readonly units: number; readonly bytes: number }>;
  readonly problems: number;
}

/** Measures a stream on its media thread: rates, and what its inputs do. */
export class StreamMeter {
  /** Bytes of all inputs so far. */
  bytesIn = 0;
  readonly #spec: StreamSpec;
  readonly #hub: StreamHub;
  readonly #failover: Failover;
  readonly #problems: ProblemLog;
  #samples: RateSample[] = [];

  constructor(spec: StreamSpec, hub: StreamHub, failover: Failover, problems: ProblemLog) {
    this.#spec = spec;
    this.#hub = hub;
    this.#failover = failover;
    this.#problems = problems;
  }

  /** Begins to count anew: the tracks are others. */
  reset(): void {
    this.#samples = [];
  }

  /** Measures the stream. Called about once a second. */
  measure(nowMs: number): StreamMeasurements {
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
      id: this.#spec.id,
      phase: this.#phase(),
      lastUnitMs: this.#hub.lastUnitMs,
      startedMs: this.#failover.onAirSinceMs,
      bytesIn: this.bytesIn,
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
        url: this.#spec.inputs[index]?.url ?? '',
        priority: this.#spec.inputs[index]?.priority ?? 0,
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
}

/** Place of an input; null where it is none of them. */
function indexIn(inputs: readonly FailoverInput[], input: FailoverInput | undefined): number | null {
  const index = input ? inputs.indexOf(input) : -1;
  return index < 0 ? null : index;
}
