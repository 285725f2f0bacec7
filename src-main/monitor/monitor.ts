import type { Clock } from '../lib/clock.ts';
import { every } from '../lib/timers.ts';
import { runInTurns } from '../lib/turns.ts';
import { ValueHistory } from './value-history.ts';
import { streamRules, type StreamRules, type WrittenAlarm } from './alarm-rules.ts';
import type { Alarms, AlarmRule, Condition } from './alarms.ts';
import {
  NOTHING_REMEMBERED,
  remember,
  streamConditions,
  type StreamFacts,
  type StreamMemory,
} from './stream-conditions.ts';

/** A monitored stream. */
export interface WatchedStream extends StreamFacts {
  /** Time of its first frame, in epoch milliseconds; 0 before. */
  readonly openedMs: number;
  /** Configured alarms; the same array until they change. */
  readonly alarms: readonly WrittenAlarm[];
}

/** A condition of the server itself, with its rule. */
export type ServerCondition = Condition & { readonly rule: AlarmRule };

export interface MonitorOptions {
  readonly clock: Clock;
  readonly alarms: Alarms;
  /** All streams, each as a function that reads its current facts. */
  readonly streams: () => Iterable<() => WatchedStream | undefined>;
  /** Alarms configured for all streams. */
  readonly shared: () => readonly WrittenAlarm[];
  /** Conditions of the server itself. */
  readonly server: () => readonly ServerCondition[];
  /** Called when a round failed. */
  readonly failed: (error: unknown) => void;
}

/** Interval of rounds, in milliseconds. */
const ROUND_MS = 1000;
/**
 * Time for encoders to reconnect and for streams to deliver frames after a start or a standstill of the server, in
 * milliseconds.
 */
const GRACE_MS = 15_000;
/** Interval of checks for a standstill, and the delay of a check that counts as a standstill, in milliseconds. */
const CHECK_MS = 500;
const STANDSTILL_MS = 2000;
/**
 * Minimum time between two standstills with a grace period, in milliseconds, so that a machine that often stalls still raises
 * alarms.
 */
const GRACE_INTERVAL_MS = 60_000;
/** Number of streams per turn of the thread. */
const STREAMS_PER_STEP = 20;

/** Measures the conditions of all streams and of the server once a second, in short turns. */
export class Monitor {
  /** Recent values, for graphs. */
  readonly values = new ValueHistory();
  readonly #options: MonitorOptions;
  readonly #stops: readonly (() => void)[];
  #graceFromMs: number;
  /** Last standstill with a grace period. */
  #standstillMs = -Infinity;
  #checkedMs: number;
  #memories = new Map<string, StreamMemory>();
  readonly #rules = new WeakMap<readonly WrittenAlarm[], { shared: readonly WrittenAlarm[]; rules: StreamRules }>();

  constructor(options: MonitorOptions) {
    this.#options = options;
    const { clock } = options;
    this.#graceFromMs = clock.now();
    this.#checkedMs = this.#graceFromMs;
    this.#stops = [
      every(clock, ROUND_MS, async () => this.measure()),
      every(clock, CHECK_MS, () => {
        this.#check();
      }),
    ];
  }

  /** Alarm rules of a stream from its configured alarms. */
  rulesOf(written: readonly WrittenAlarm[]): StreamRules {
    const shared = this.#options.shared();
    const cached = this.#rules.get(written);
    if (cached?.shared === shared) return cached.rules;
    const rules = streamRules(shared, written);
    this.#rules.set(written, { shared, rules });
    return rules;
  }

  /** Measures all conditions once. Never rejects. */
  async measure(): Promise<void> {
    try {
      await runInTurns(this.#round());
    } catch (error) {
      this.#options.failed(error);
    }
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }

  /** Starts a grace period after a standstill of the server or a step of its clock. */
  #check(): void {
    const nowMs = this.#options.clock.now();
    const lateMs = Math.abs(nowMs - this.#checkedMs - CHECK_MS);
    this.#checkedMs = nowMs;
    if (lateMs <= STANDSTILL_MS || Math.abs(nowMs - this.#standstillMs) < GRACE_INTERVAL_MS) return;
    this.#standstillMs = nowMs;
    this.#graceFromMs = nowMs;
  }

  *#round(): Generator<void, void> {
    const { alarms, clock, streams, server } = this.#options;
    this.#check();
    alarms.beginRound(Math.abs(clock.now() - this.#graceFromMs) < GRACE_MS);
    const memories = new Map<string, StreamMemory>();
    let count = 0;
    for (const read of streams()) {
      if (++count % STREAMS_PER_STEP === 0) yield;
      const stream = read();
      if (!stream) continue;
      const nowMs = clock.now();
      const memory = remember(stream, this.#memories.get(stream.name) ?? NOTHING_REMEMBERED, nowMs);
      if (memory.format !== '') memories.set(stream.name, memory);
      const rules = this.rulesOf(stream.alarms);
      for (const { value, ...condition } of streamConditions(stream, memory, rules, nowMs, stream.openedMs)) {
        if (value !== undefined) this.values.add(stream.name, condition.alarm, value, nowMs);
        alarms.measure({ ...condition, name: stream.name }, rules[condition.alarm]);
      }
    }
    this.#memories = memories;
    this.values.endRound();
    for (const condition of server()) alarms.measure(condition, condition.rule);
    alarms.endRound();
  }
}
