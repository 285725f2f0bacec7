import type { Failover } from '../ingest/failover.ts';
import type { InputPhase } from '../ingest/failover-state.ts';
import type { FailoverInput } from '../ingest/failover-input.ts';
import { CounterRate } from '../lib/counter-rate.ts';
import type { LeftOutTrack } from '../media/access-unit.ts';
import type { StreamHub } from '../stream/stream-hub.ts';
import type { StreamMeasurements, StreamSpec, TrackStatus } from './messages.ts';
import type { ProblemLog } from './problem-log.ts';

/** Time over which rates are measured, in milliseconds. */
const RATE_MS = 3000;

interface TrackRates {
  readonly units: CounterRate;
  readonly bytes: CounterRate;
}

/** Measures a stream on its media thread: rates, faults, and the state of its inputs. */
export class StreamMeter {
  /** Bytes received by all inputs since the start of the run. */
  bytesIn = 0;
  readonly #spec: StreamSpec;
  readonly #hub: StreamHub;
  readonly #failover: Failover;
  readonly #problems: ProblemLog;
  readonly #trackRates = new Map<string, TrackRates>();
  readonly #problemRate = new CounterRate(RATE_MS);
  readonly #continuityRate = new CounterRate(RATE_MS);
  readonly #clockRate = new CounterRate(RATE_MS);

  constructor(spec: StreamSpec, hub: StreamHub, failover: Failover, problems: ProblemLog) {
    this.#spec = spec;
    this.#hub = hub;
    this.#failover = failover;
    this.#problems = problems;
  }

  /** Restarts the rates of the tracks, because the tracks changed. */
  reset(): void {
    this.#trackRates.clear();
  }

  /** Measures the stream. Called about once a second. */
  measure(nowMs: number): StreamMeasurements {
    const { total, continuity, clock } = this.#problems;
    this.#problemRate.take(total.count, nowMs);
    this.#continuityRate.take(continuity.count, nowMs);
    this.#clockRate.take(clock.count, nowMs);
    return {
      id: this.#spec.id,
      measuredMs: nowMs,
      phase: this.#phase(),
      lastUnitMs: this.#hub.lastUnitMs,
      startedMs: this.#failover.onAirSinceMs,
      bytesIn: this.bytesIn,
      retryCount: this.#failover.retryCount,
      errorsPerSecond: this.#problemRate.perSecond,
      continuityErrorsPerSecond: this.#continuityRate.perSecond,
      clockErrorsPerSecond: this.#clockRate.perSecond,
      lastErrorsMs: { all: total.lastMs, continuity: continuity.lastMs, clock: clock.lastMs },
      ...this.#inputStates(),
      tracks: this.#tracks(nowMs),
      leftOut: this.#leftOut(),
      problems: this.#problems.list(),
    };
  }

  #tracks(nowMs: number): TrackStatus[] {
    return [...this.#hub.counts].map(([id, { track, units, bytes }]) => {
      const rates = this.#trackRates.get(id) ?? { units: new CounterRate(RATE_MS), bytes: new CounterRate(RATE_MS) };
      this.#trackRates.set(id, rates);
      rates.units.take(units, nowMs);
      rates.bytes.take(bytes, nowMs);
      return { track, bitrate: Math.round(rates.bytes.perSecond * 8), rate: rates.units.perSecond };
    });
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

  #leftOut(): LeftOutTrack[] {
    const { active, inputs, onAirSinceMs } = this.#failover;
    const sources = active && onAirSinceMs > 0 ? [active] : inputs;
    const found = new Map<string, LeftOutTrack>();
    for (const track of sources.flatMap(({ state, phase }) => (isConnected(phase) ? state.leftOut : []))) {
      const { content, codec, isEncrypted } = track;
      found.set(`${content} ${codec}`, { content, codec, ...(isEncrypted ? { isEncrypted } : {}) });
    }
    return [...found.values()];
  }

  #phase(): StreamMeasurements['phase'] {
    const { inputs, isLost, onAirSinceMs } = this.#failover;
    if (isLost) return 'error';
    if (onAirSinceMs > 0) return 'running';
    const phases = new Set(inputs.map(({ phase }) => phase));
    if (phases.has('error') || phases.has('given_up')) return 'error';
    return phases.has('opening') || phases.has('silent') || phases.has('running') ? 'opening' : 'idle';
  }
}

/** Reports whether an input is open or being opened, and not waiting. */
function isConnected(phase: InputPhase): boolean {
  return phase !== 'standby' && phase !== 'waiting' && phase !== 'given_up';
}

/** Index of an input in a list; null if it is not in the list. */
function indexIn(inputs: readonly FailoverInput[], input: FailoverInput | undefined): number | null {
  const index = input ? inputs.indexOf(input) : -1;
  return index < 0 ? null : index;
}
