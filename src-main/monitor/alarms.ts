import type { AlarmObject, AlarmSeverity } from '../../src-preload/contract/api/alarm-object.ts';
import { printFault, type Fault } from '../../src-preload/contract/api/alarm-words.ts';
import { nextWatch, QUIET, type AlarmThresholds, type AlarmWatch, type Reading } from './alarm-watch.ts';

/** A kind of alarm. */
type AlarmKind = AlarmObject['alarm'];

/** When an alarm is raised, and how bad it is. */
export interface AlarmRule extends AlarmThresholds {
  readonly severity: AlarmSeverity;
}

/** What is measured of one condition, and what is wrong where it is. */
export interface Condition extends Reading, Fault {
  /** The stream; null for the server itself. */
  readonly name: string | null;
  readonly alarm: AlarmKind;
  /** Which of several of this kind, where there are; it is not shown. */
  readonly subject?: string;
}

/** What became of an alarm. */
type AlarmStep = 'raised' | 'acknowledged' | 'cleared';

/** What the alarms work with. */
export interface AlarmsOptions {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** An alarm changed: it is to be kept. */
  readonly changed: (alarm: AlarmObject) => void;
  /** What others are to know of; nothing of alarms that are shelved. */
  readonly happened: (step: AlarmStep, alarm: AlarmObject) => void;
  readonly newId: () => string;
  /** What was shelved before a restart, and until when in epoch milliseconds, by its key. */
  readonly shelved?: ReadonlyMap<string, number>;
  /** Something was shelved, until a time or, with null, no longer: it is to be kept. */
  readonly shelvedChanged?: (key: string, untilMs: number | null) => void;
}

/** How long an alarm that has cleared without being acknowledged stays in the list, in milliseconds: a shift. */
const TRACE_MS = 43_200_000;
/** Alarms in the list at most; the oldest of those that have cleared go first, and no more are raised. */
const MOST_ALARMS = 20_000;
/** Kinds of streams that are shelved at most. */
const MOST_SHELVED = 20_000;

interface Watched {
  watch: AlarmWatch;
  round: number;
}

/** The alarms of this moment. Conditions are measured in rounds; one that is not measured in a round is over. */
export class Alarms {
  readonly #options: AlarmsOptions;
  readonly #watched = new Map<string, Watched>();
  readonly #byKey = new Map<string, AlarmObject>();
  readonly #keys = new Map<string, string>();
  /** Those of the list that have cleared, with when, in that order: a full list is not looked through for them. */
  readonly #cleared = new Map<string, number>();
  readonly #shelved = new Map<string, number>();
  #round = 0;

  constructor(options: AlarmsOptions) {
    this.#options = options;
    for (const [key, untilMs] of options.shelved ?? [])
      if (this.#shelved.size < MOST_SHELVED) this.#shelved.set(key, untilMs);
  }

  /** Those that last, and those that have cleared and were not acknowledged. */
  list(): AlarmObject[] {
    return [...this.#byKey.values()];
  }

  find(id: string): AlarmObject | undefined {
    const key = this.#keys.get(id);
    return key === undefined ? undefined : this.#byKey.get(key);
  }

  /** Begins a round of measurements. */
  beginRound(): void {
    this.#round++;
  }

  /** Takes what was measured of a condition. */
  measure(condition: Condition, rule: AlarmRule): void {
    const key = keyOf(condition);
    const known = this.#watched.get(key);
    if (!known && !condition.isFaulty) return;
    const nowMs = this.#options.now();
    const before = known?.watch ?? QUIET;
    const watch = nextWatch(before, condition, nowMs, rule);
    if (!watch.isRaised && watch.changingSinceMs === null) this.#watched.delete(key);
    else this.#watched.set(key, { watch, round: this.#round });
    if (watch.isRaised === before.isRaised) this.#follow(key, condition, rule);
    else if (watch.isRaised) this.#raise(key, condition, rule.severity, nowMs);
    else this.#clear(key, nowMs);
  }

  /** Ends a round: what was not measured in it is over, and what was shelved long enough is heard again. */
  endRound(): void {
    const nowMs = this.#options.now();
    for (const [key, { watch, round }] of this.#watched) {
      if (round === this.#round) continue;
      this.#watched.delete(key);
      if (watch.isRaised) this.#clear(key, nowMs);
    }
    for (const [key, untilMs] of this.#shelved) if (untilMs <= nowMs) this.#unshelve(key);
    for (const [key, clearedMs] of this.#cleared) {
      if (nowMs - clearedMs < TRACE_MS) break;
      this.#drop(key);
    }
  }

  /** Acknowledges an alarm; one that has cleared leaves the list. Undefined where there is none. */
  acknowledge(id: string, by: string, note: string): AlarmObject | undefined {
    const key = this.#keys.get(id);
    const alarm = key === undefined ? undefined : this.#byKey.get(key);
    if (key === undefined || !alarm) return undefined;
    const acknowledged = {
      ...alarm,
      ...{ acknowledged_at: this.#options.now(), acknowledged_by: by, note: note === '' ? alarm.note : note },
    };
    this.#put(key, acknowledged);
    if (acknowledged.cleared_at !== null) this.#drop(key);
    this.#options.happened('acknowledged', acknowledged);
    return acknowledged;
  }

  /** Makes the kind of an alarm silent for its stream, or heard again. Undefined where there is no such alarm. @param forMs 0 ends it */
  shelve(id: string, forMs: number): AlarmObject | undefined {
    const key = this.#keys.get(id);
    const alarm = key === undefined ? undefined : this.#byKey.get(key);
    if (key === undefined || !alarm) return undefined;
    if (forMs <= 0) this.#unshelve(key);
    else if (this.#shelved.has(key) || this.#shelved.size < MOST_SHELVED) {
      const untilMs = this.#options.now() + forMs;
      this.#shelved.set(key, untilMs);
      this.#options.shelvedChanged?.(key, untilMs);
      this.#put(key, { ...alarm, shelved_until: untilMs });
    }
    return this.#byKey.get(key);
  }

  #follow(key: string, condition: Condition, { severity }: AlarmRule): void {
    const alarm = this.#byKey.get(key);
    // Words of a fault that goes on may change with it; only another severity is kept as a change.
    if (!alarm || alarm.cleared_at !== null || !condition.isFaulty) return;
    const said = saidOf(condition);
    if (alarm.severity !== severity) this.#put(key, { ...alarm, severity, ...said });
    else if (alarm.detail !== said.detail) this.#byKey.set(key, { ...alarm, ...said });
  }

  #raise(key: string, condition: Condition, severity: AlarmSeverity, nowMs: number): void {
    if (!this.#byKey.has(key) && this.#byKey.size >= MOST_ALARMS && !this.#makeRoom()) return;
    this.#drop(key);
    const { name, alarm: kind } = condition;
    const alarm: AlarmObject = {
      ...{ id: this.#options.newId(), name, alarm: kind, severity, ...saidOf(condition) },
      ...{ raised_at: nowMs, cleared_at: null },
      ...{ acknowledged_at: null, acknowledged_by: null, note: null },
      shelved_until: this.#shelved.get(key) ?? null,
    };
    this.#put(key, alarm);
    if (alarm.shelved_until === null) this.#options.happened('raised', alarm);
  }

  #clear(key: string, nowMs: number): void {
    const alarm = this.#byKey.get(key);
    if (!alarm || alarm.cleared_at !== null) return;
    const cleared = { ...alarm, cleared_at: nowMs };
    this.#put(key, cleared);
    if (cleared.acknowledged_at !== null || cleared.shelved_until !== null) this.#drop(key);
    if (cleared.shelved_until === null) this.#options.happened('cleared', cleared);
  }

  #unshelve(key: string): void {
    if (this.#shelved.delete(key)) this.#options.shelvedChanged?.(key, null);
    const alarm = this.#byKey.get(key);
    if (!alarm || alarm.shelved_until === null) return;
    const heard = { ...alarm, shelved_until: null };
    this.#put(key, heard);
    if (heard.cleared_at === null) this.#options.happened('raised', heard);
  }

  #makeRoom(): boolean {
    const [first] = this.#cleared.keys();
    if (first !== undefined) this.#drop(first);
    return first !== undefined;
  }

  #put(key: string, alarm: AlarmObject): void {
    this.#byKey.set(key, alarm);
    this.#keys.set(alarm.id, key);
    if (alarm.cleared_at !== null && !this.#cleared.has(key)) this.#cleared.set(key, alarm.cleared_at);
    this.#options.changed(alarm);
  }

  #drop(key: string): void {
    const alarm = this.#byKey.get(key);
    if (!alarm) return;
    this.#byKey.delete(key);
    this.#keys.delete(alarm.id);
    this.#cleared.delete(key);
  }
}

/** What is wrong, in words and for programs. */
function saidOf({ fault, facts }: Condition): Pick<AlarmObject, 'detail' | 'fault' | 'facts'> {
  return { detail: printFault({ fault, facts }), fault, facts: { ...facts } };
}

function keyOf({ name, alarm, subject = '' }: Condition): string {
  return `${alarm}\n${subject}\n${name ?? ''}`;
}
