import type { AlarmObject, AlarmSeverity } from '../../src-preload/contract/api/alarm-object.ts';
import { printFault, type Fault } from '../../src-preload/contract/api/alarm-faults.ts';
import { nextWatch, QUIET, type AlarmThresholds, type AlarmWatch, type Reading } from './alarm-watch.ts';

type AlarmKind = AlarmObject['alarm'];

/** Thresholds and severity of an alarm. */
export interface AlarmRule extends AlarmThresholds {
  readonly severity: AlarmSeverity;
}

/** Measurement of one condition, and the fault that it may find. */
export interface Condition extends Reading, Fault {
  /** Name of the stream; null for the server itself. */
  readonly name: string | null;
  readonly alarm: AlarmKind;
  /** Distinguishes several conditions of one kind. It is not displayed. */
  readonly subject?: string;
}

/** Change of an alarm. */
type AlarmStep = 'raised' | 'acknowledged' | 'cleared';

export interface AlarmsOptions {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Called with each changed alarm, to store it. */
  readonly changed: (alarm: AlarmObject) => void;
  /** Called for changes that become events. Changes of shelved alarms do not. */
  readonly happened: (step: AlarmStep, alarm: AlarmObject) => void;
  readonly newId: () => string;
  /** Stored shelvings of the previous run: their ends by key, in epoch milliseconds. */
  readonly shelved?: ReadonlyMap<string, number>;
  /** Alarms of streams that were raised, or cleared but not acknowledged, at the end of the previous run. */
  readonly restored?: readonly AlarmObject[];
  /** Called to store the end of a shelving; null ends it. */
  readonly shelvedChanged?: (key: string, untilMs: number | null) => void;
}

/** Time for which a cleared but unacknowledged alarm stays in the list, in milliseconds: one shift of operators. */
export const TRACE_MS = 43_200_000;
/**
 * Maximum number of alarms in the list. If it is full, a new alarm replaces the oldest cleared alarm; without cleared
 * alarms it is not raised.
 */
const MAX_ALARMS = 20_000;
/** Maximum number of shelved alarms. */
const MAX_SHELVED = 20_000;

interface Watched {
  readonly watch: AlarmWatch;
  readonly round: number;
  readonly isOfStream: boolean;
}

/** Current alarms. Conditions are measured in rounds; a condition ends when a round does not report it. */
export class Alarms {
  readonly #options: AlarmsOptions;
  readonly #watched = new Map<string, Watched>();
  readonly #byKey = new Map<string, AlarmObject>();
  readonly #keys = new Map<string, string>();
  /** Times of cleared alarms by key, oldest first, so that a full list need not be searched. */
  readonly #cleared = new Map<string, number>();
  readonly #shelved = new Map<string, number>();
  #round = 0;
  /**
   * True while streams are not measured reliably, after a start or a standstill of the server. A missing measurement then
   * neither raises nor clears an alarm.
   */
  #isGrace = false;

  constructor(options: AlarmsOptions) {
    this.#options = options;
    for (const [key, untilMs] of options.shelved ?? [])
      if (this.#shelved.size < MAX_SHELVED) this.#shelved.set(key, untilMs);
    const restored = [...(options.restored ?? [])].sort(
      (a, b) => (a.cleared_at ?? Infinity) - (b.cleared_at ?? Infinity),
    );
    for (const alarm of restored.slice(-MAX_ALARMS)) this.#restore(alarm);
  }

  /** Raised alarms, and cleared alarms that were not acknowledged. */
  list(): AlarmObject[] {
    return [...this.#byKey.values()];
  }

  find(id: string): AlarmObject | undefined {
    const key = this.#keys.get(id);
    return key === undefined ? undefined : this.#byKey.get(key);
  }

  /**
   * Starts a round of measurements.
   * @param isGrace true shortly after a start or a standstill of the server, which is no fault of the streams
   */
  beginRound(isGrace = false): void {
    this.#round++;
    this.#isGrace = isGrace;
  }

  /** Applies the measurement of a condition. */
  measure(condition: Condition, rule: AlarmRule): void {
    const key = keyOf(condition);
    const watched = this.#watched.get(key);
    if (!watched && !condition.isFaulty) return;
    const nowMs = this.#options.now();
    const before = watched?.watch ?? QUIET;
    const isOfStream = condition.name !== null;
    const watch = this.#isGrace && isOfStream && !before.isRaised ? before : nextWatch(before, condition, nowMs, rule);
    if (!watch.isRaised && watch.changingSinceMs === null) this.#watched.delete(key);
    else this.#watched.set(key, { watch, round: this.#round, isOfStream });
    if (watch.isRaised === before.isRaised) this.#follow(key, condition, rule);
    else if (watch.isRaised) this.#raise(key, condition, rule.severity, nowMs);
    else this.#clear(key, nowMs);
  }

  /** Ends a round: clears conditions that were not measured in it, and ends expired shelvings. */
  endRound(): void {
    const nowMs = this.#options.now();
    for (const [key, { watch, round, isOfStream }] of this.#watched) {
      if (round === this.#round || (this.#isGrace && isOfStream)) continue;
      this.#watched.delete(key);
      if (watch.isRaised) this.#clear(key, nowMs);
    }
    for (const [key, untilMs] of this.#shelved) if (untilMs <= nowMs) this.#unshelve(key);
    for (const [key, clearedMs] of this.#cleared) {
      if (nowMs - clearedMs < TRACE_MS) break;
      this.#drop(key);
    }
  }

  /** Acknowledges an alarm. A cleared alarm then leaves the list. Returns undefined if there is no alarm with this id. */
  acknowledge(id: string, by: string, note: string): AlarmObject | undefined {
    const key = this.#keys.get(id);
    const alarm = key === undefined ? undefined : this.#byKey.get(key);
    if (key === undefined || !alarm) return undefined;
    const acknowledged = {
      ...alarm,
      acknowledged_at: this.#options.now(),
      acknowledged_by: by,
      note: note === '' ? alarm.note : note,
    };
    this.#put(key, acknowledged);
    if (acknowledged.cleared_at !== null) this.#drop(key);
    this.#options.happened('acknowledged', acknowledged);
    return acknowledged;
  }

  /**
   * Shelves the condition of an alarm: changes of its alarm cause no events for a time. Does nothing if too many alarms are
   * shelved. Returns undefined if there is no alarm with this id.
   * @param forMs duration in milliseconds; 0 ends the shelving
   */
  shelve(id: string, forMs: number): AlarmObject | undefined {
    const key = this.#keys.get(id);
    const alarm = key === undefined ? undefined : this.#byKey.get(key);
    if (key === undefined || !alarm) return undefined;
    if (forMs <= 0) this.#unshelve(key);
    else if (this.#shelved.has(key) || this.#shelved.size < MAX_SHELVED) {
      const untilMs = this.#options.now() + forMs;
      this.#shelved.set(key, untilMs);
      this.#options.shelvedChanged?.(key, untilMs);
      this.#put(key, { ...alarm, shelved_until: untilMs });
    }
    return this.#byKey.get(key);
  }

  #restore(alarm: AlarmObject): void {
    const key = keyOf(alarm);
    this.#drop(key);
    this.#byKey.set(key, { ...alarm, shelved_until: this.#shelved.get(key) ?? null });
    this.#keys.set(alarm.id, key);
    if (alarm.cleared_at !== null) this.#cleared.set(key, alarm.cleared_at);
    else this.#watched.set(key, { watch: { isRaised: true, changingSinceMs: null }, round: 0, isOfStream: true });
  }

  #follow(key: string, condition: Condition, { severity }: AlarmRule): void {
    const alarm = this.#byKey.get(key);
    // The text of a raised alarm changes with each measured value, so only a change of severity is stored.
    if (!alarm || alarm.cleared_at !== null || !condition.isFaulty) return;
    const fields = faultFields(condition);
    if (alarm.severity !== severity) this.#put(key, { ...alarm, severity, ...fields });
    else if (alarm.detail !== fields.detail) this.#byKey.set(key, { ...alarm, ...fields });
  }

  #raise(key: string, condition: Condition, severity: AlarmSeverity, nowMs: number): void {
    if (!this.#byKey.has(key) && this.#byKey.size >= MAX_ALARMS && !this.#makeRoom()) return;
    this.#drop(key);
    const { name, alarm: kind } = condition;
    const alarm: AlarmObject = {
      id: this.#options.newId(),
      name,
      alarm: kind,
      severity,
      ...faultFields(condition),
      raised_at: nowMs,
      cleared_at: null,
      acknowledged_at: null,
      acknowledged_by: null,
      note: null,
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
    const unshelved = { ...alarm, shelved_until: null };
    this.#put(key, unshelved);
    if (unshelved.cleared_at === null) this.#options.happened('raised', unshelved);
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

/** Text and typed facts of a fault. */
function faultFields({ fault, facts }: Condition): Pick<AlarmObject, 'detail' | 'fault' | 'facts'> {
  return { detail: printFault({ fault, facts }), fault, facts: { ...facts } };
}

function keyOf({ name, alarm, subject = '' }: Pick<Condition, 'name' | 'alarm' | 'subject'>): string {
  return `${alarm}\n${subject}\n${name ?? ''}`;
}
