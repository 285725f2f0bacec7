import type {
  LoudnessField,
  LoudnessLogObject,
  LoudnessRow,
} from '../../../src-preload/contract/api/loudness-object.ts';
import type { LogCondition, LogQuery } from '../../../src-preload/contract/api/log-query.ts';
import { badParameter } from '../../../src-preload/contract/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { HOUR_MS, ENTRY_MS } from '../../monitor/loudness/loudness-file.ts';
import type { LoudnessLog } from '../../monitor/loudness/loudness-log.ts';
import type { LoudnessBlock } from '../../monitor/loudness/loudness-tally.ts';
import type { Caller } from '../../operators/caller.ts';
import { requireInScope } from '../../operators/require.ts';

/** Figures of complete hours and days. */
interface LoudnessFigures {
  rows(name: string, query: LogQuery<LoudnessField>): readonly LoudnessRow[];
  count(name: string, conditions: readonly LogCondition<LoudnessField>[]): number;
}

export interface LoudnessServiceDeps {
  readonly clock: Clock;
  readonly log: Pick<LoudnessLog, 'hour' | 'figures' | 'curve'>;
  readonly store: LoudnessFigures;
}

/** Day of a stream, for the report. */
export interface LoudnessDay {
  readonly name: string;
  /** Start of the day, epoch milliseconds. */
  readonly dayMs: number;
  readonly createdMs: number;
  readonly day: LoudnessRow;
  /** Hours with sound, in order. */
  readonly hours: readonly LoudnessRow[];
  /**
   * Short-term loudness in LUFS: lowest and highest value of each two minutes; null without a measurement, or if it was
   * deleted.
   */
  readonly curve: readonly (readonly [number, number] | null)[];
}

/** Short-term loudness of a range. */
export interface LoudnessCurve {
  /** Start of the first step, epoch milliseconds. */
  readonly fromMs: number;
  readonly stepMs: number;
  /** Lowest and highest value of each step, in LUFS; null without a measurement. */
  readonly curve: readonly (readonly [low: number, high: number] | null)[];
}

/** Maximum age of values in curves, in milliseconds. */
const CURVE_MS = 26 * HOUR_MS;
/** Possible steps of a curve, in milliseconds; each divides an hour. */
const CURVE_STEPS_MS = [100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 60_000, 120_000, 300_000, 600_000, HOUR_MS];
const DAY_MS = 86_400_000;
/** Number of days for which figures are kept. */
const MAX_DAYS = 90;
const POINT_BLOCKS = 1200;
const POINTS_OF_HOUR = HOUR_MS / ENTRY_MS / POINT_BLOCKS;
/** Maximum range of the log in one answer, in milliseconds. */
const MAX_LOG_RANGE_MS = HOUR_MS;

/** Loudness of streams for operators and programs. */
export class LoudnessService {
  readonly #deps: LoudnessServiceDeps;

  constructor(deps: LoudnessServiceDeps) {
    this.#deps = deps;
  }

  /** Figures of a stream's hours and days. Raises `forbidden`. */
  figures(
    name: string,
    caller: Caller,
  ): {
    rows(query: LogQuery<LoudnessField>): Promise<readonly LoudnessRow[]>;
    count(conditions: readonly LogCondition<LoudnessField>[]): Promise<number>;
  } {
    requireInScope(caller, name);
    const { store } = this.#deps;
    return {
      rows: (query) => Promise.resolve(store.rows(name, query)),
      count: (conditions) => Promise.resolve(store.count(name, conditions)),
    };
  }

  /** Loudness of each 100 ms of a range, at most an hour. Raises `forbidden` and `bad_query`. */
  async log(
    name: string,
    { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
    caller: Caller,
  ): Promise<LoudnessLogObject> {
    requireInScope(caller, name);
    if (!(toMs > fromMs && toMs - fromMs <= MAX_LOG_RANGE_MS))
      throw badParameter('to', 'to must be after from, by at most one hour');
    const startMs = Math.floor(fromMs / ENTRY_MS) * ENTRY_MS;
    const blocks: (LoudnessBlock | undefined)[] = [];
    for (let atMs = startMs; atMs < toMs;) {
      const hourMs = Math.floor(atMs / HOUR_MS) * HOUR_MS;
      const endMs = Math.min(toMs, hourMs + HOUR_MS);
      const first = Math.floor((atMs - hourMs) / ENTRY_MS);
      const hour = await this.#deps.log.hour(name, hourMs);
      for (let index = first; index < Math.ceil((endMs - hourMs) / ENTRY_MS); index++) blocks.push(hour[index]);
      atMs = endMs;
    }
    return {
      name,
      from_at: startMs,
      step_ms: ENTRY_MS,
      momentary: blocks.map((block) => block?.momentary ?? null),
      short_term: blocks.map((block) => block?.shortTerm ?? null),
      true_peak: blocks.map((block) => block?.truePeak ?? null),
    };
  }

  /**
   * Short-term loudness of a range as a curve: lowest and highest value of each step, null without a measurement. Limited to the
   * last 26 hours, because older values are deleted. Raises `forbidden`.
   *
   * @param points approximate number of steps
   */
  async curve(
    name: string,
    { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
    points: number,
    caller: Caller,
  ): Promise<LoudnessCurve> {
    requireInScope(caller, name);
    const nowMs = this.#deps.clock.now();
    const startMs = Math.floor(Math.max(fromMs, nowMs - CURVE_MS) / HOUR_MS) * HOUR_MS;
    const pointMs = Math.max(ENTRY_MS, (toMs - fromMs) / points);
    const stepMs = CURVE_STEPS_MS.find((step) => step >= pointMs) ?? HOUR_MS;
    const curve: (readonly [number, number] | null)[] = [];
    for (let hourMs = startMs; hourMs < Math.min(toMs, nowMs); hourMs += HOUR_MS)
      curve.push(...(await this.#deps.log.curve(name, hourMs, HOUR_MS / stepMs)));
    const first = Math.max(0, Math.floor((fromMs - startMs) / stepMs));
    const shown = curve.slice(first, Math.max(first, Math.ceil((toMs - startMs) / stepMs)));
    return { fromMs: startMs + first * stepMs, stepMs, curve: shown };
  }

  /** Days (UTC) of a stream with measured sound, newest first; today is incomplete. Raises `forbidden`. */
  async days(name: string, caller: Caller): Promise<LoudnessRow[]> {
    requireInScope(caller, name);
    const { clock, log, store } = this.#deps;
    const todayMs = Math.floor(clock.now() / DAY_MS) * DAY_MS;
    const conditions = [{ field: 'span' as const, operator: 'in' as const, values: ['day'] }];
    const past = store.rows(name, { conditions, isDescending: true, limit: MAX_DAYS });
    const today = await log.figures(name, 'day', todayMs);
    return [today, ...past.filter(({ from_at: fromMs }) => fromMs < todayMs)].filter(
      ({ measured_ms: measuredMs }) => measuredMs > 0,
    );
  }

  /** Day (UTC) of a stream; today is incomplete. Raises `forbidden`. */
  async day(name: string, dayMs: number, caller: Caller): Promise<LoudnessDay> {
    requireInScope(caller, name);
    const { clock, log, store } = this.#deps;
    const found = store.rows(name, {
      conditions: [
        { field: 'from_at', operator: 'gte', values: [dayMs] },
        { field: 'from_at', operator: 'lt', values: [dayMs + DAY_MS] },
      ],
      isDescending: false,
      limit: 100,
    });
    const hours: LoudnessRow[] = [];
    const curve: (readonly [number, number] | null)[] = [];
    for (let hourMs = dayMs; hourMs < dayMs + DAY_MS; hourMs += HOUR_MS) {
      const row = found.find(({ span, from_at: at }) => span === 'hour' && at === hourMs);
      const figures = row ?? (hourMs <= clock.now() ? await log.figures(name, 'hour', hourMs) : undefined);
      if (figures && figures.measured_ms > 0) hours.push(figures);
      curve.push(...curveOf(hourMs <= clock.now() ? await log.hour(name, hourMs) : []));
    }
    const day = found.find(({ span }) => span === 'day') ?? (await log.figures(name, 'day', dayMs));
    return { name, dayMs, createdMs: clock.now(), day, hours, curve };
  }
}

function curveOf(hour: readonly (LoudnessBlock | undefined)[]): (readonly [number, number] | null)[] {
  return Array.from({ length: POINTS_OF_HOUR }, (_, point) => {
    let low = Infinity;
    let high = -Infinity;
    for (let index = point * POINT_BLOCKS; index < (point + 1) * POINT_BLOCKS; index++) {
      const level = hour[index]?.shortTerm;
      if (level === undefined || level === null) continue;
      low = Math.min(low, level);
      high = Math.max(high, level);
    }
    return high === -Infinity ? null : ([low, high] as const);
  });
}
