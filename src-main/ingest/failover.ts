import type { BackOff } from '../lib/back-off.ts';
import type { Clock } from '../lib/clock.ts';
import type { AccessUnit, FormatProblem, SpliceMessage } from '../media/access-unit.ts';
import type { Track } from '../media/track.ts';
import { ProblemThrottle } from './problem-throttle.ts';
import { FailoverInput, type FailoverInputOwner, type FailoverInputSpec, type Publisher } from './failover-input.ts';
import type { FailoverEvent, FailoverNotice } from './failover-notice.ts';
import { InputOrder, mayTakeOver } from './failover-rules.ts';
import type { InputEnd, InputSink } from './input.ts';

/** Where the frames of the input on air go; the hub of a stream is one. */
export interface FailoverOutput {
  tracks(tracks: readonly Track[]): void;
  accessUnit(unit: AccessUnit): void;
  splice(message: SpliceMessage): void;
  problem(problem: FormatProblem): void;
  /** The next unit comes from another input. */
  inputSwitched(): void;
  /** The next unit comes from the same input, on a new connection. */
  inputRejoined(): void;
  /** Nothing gives frames any more. */
  inputEnded(): void;
}

/** The inputs of a stream and how they take turns. */
export interface FailoverOptions {
  readonly clock: Clock;
  /** In the order of the configuration. */
  readonly inputs: readonly (FailoverInputSpec & { /** 1 before 2. */ readonly priority: number })[];
  /** What plays while no input gives frames, once they have been gone for so long. */
  readonly backup?: FailoverInputSpec & { readonly afterMs: number };
  /** Attempts to get one input back before it is given up; null for no limit. */
  readonly retryLimit: number | null;
  readonly output: FailoverOutput;
  readonly received: (bytes: number) => void;
  readonly notice: (notice: FailoverNotice) => void;
  /** Waits between attempts, for tests. */
  readonly makeBackOff?: () => BackOff;
}

/** How often the clock is looked at: no time-out is noticed later than this, in milliseconds. */
export const FAILOVER_TICK_MS = 250;
/** A connection that was lost may come back within this time before the open segments are ended, in milliseconds. */
const REJOIN_MS = 5000;

/**
 * Decides which of its inputs a stream shows. One at a time is on air; better ones are tried on silent connections, worse
 * ones are opened when the better ones fail. Another input goes on air with one of its random access points, so that the
 * one before it is shown up to there.
 */
export class Failover {
  /** Times that another input went on air. */
  switches = 0;
  /** Attempts to get inputs back since the output last had a frame. */
  retryCount = 0;
  /** Epoch milliseconds since which the output has frames; 0 while it has none. */
  onAirSinceMs = 0;
  /** In the order of the configuration, without the backup. */
  readonly inputs: readonly FailoverInput[];
  readonly #options: FailoverOptions;
  readonly #backup: FailoverInput | undefined;
  readonly #order: InputOrder;
  readonly #news = new ProblemThrottle();
  #active: FailoverInput | undefined;
  #preferred: FailoverInput | undefined;
  /** Whether the preferred input was chosen just now, and takes over as soon as it can. */
  #isHurried = false;
  /** How far down in their order inputs are open while none is good. */
  #reach = -1;
  #lastForwardMs = 0;
  #cancelTick: (() => void) | undefined;
  #isClosed = false;

  constructor(options: FailoverOptions) {
    this.#options = options;
    const owner = this.#owner();
    const { clock, makeBackOff } = options;
    this.inputs = options.inputs.map((spec) => new FailoverInput(spec, clock, owner, makeBackOff?.()));
    this.#backup = options.backup && new FailoverInput(options.backup, clock, owner, makeBackOff?.());
    this.#order = new InputOrder(
      this.inputs.map((input, index) => ({ input, priority: options.inputs[index]?.priority ?? 0 })),
    );
  }

  /** Opens the first input. */
  start(): void {
    const nowMs = this.#options.clock.now();
    this.#lastForwardMs = nowMs;
    this.#reconcile(nowMs);
    this.#scheduleTick();
  }

  /** Resolves when all connections are closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelTick?.();
    await Promise.all([...this.inputs, ...(this.#backup ? [this.#backup] : [])].map((input) => input.close()));
  }

  /** Whether the connection of the input on air has ended and nothing has taken its place yet. */
  get isLost(): boolean {
    return this.onAirSinceMs > 0 && this.#active?.isLinked === false;
  }

  /** The input on air, or the last that was; undefined before the first. */
  get active(): FailoverInput | undefined {
    return this.#active;
  }

  get isBackupOnAir(): boolean {
    return this.#active !== undefined && this.#active === this.#backup && this.onAirSinceMs > 0;
  }

  /** The selected input. */
  get preferred(): FailoverInput | undefined {
    return this.#preferred;
  }

  /** The input that waits for a publisher. */
  get publishInput(): FailoverInput | undefined {
    return this.inputs.find(({ spec }) => !spec.make);
  }

  /** Takes a publisher; undefined where no input waits for one. `gone` hears when it left by itself or was silent too long. */
  publish(publisher: Publisher, gone: () => void): InputSink | undefined {
    return this.publishInput?.publish(publisher, gone);
  }

  /**
   * Prefers an input to all others, until another one is chosen: it goes on air with its next random access point, and
   * comes back like the best one when it was lost. Undefined: by priority again.
   */
  select(input: FailoverInput | undefined): void {
    const nowMs = this.#options.clock.now();
    this.#preferred = input;
    this.#isHurried = input !== undefined && input !== this.#active;
    this.#order.prefer(input);
    this.#options.notice({
      event: 'input_selected',
      ...(input ? { input: input.spec.label } : { detail: 'by priority' }),
    });
    input?.forgive(nowMs);
    this.#reconcile(nowMs);
  }

  #owner(): FailoverInputOwner {
    const { output, received, retryLimit, notice } = this.#options;
    return {
      retryLimit,
      received,
      tracks: (input) => {
        if (input === this.#active && input.isEntered) output.tracks(input.tracks);
      },
      unit: (input, unit, nowMs) => {
        this.#unit(input, unit, nowMs);
      },
      splice: (input, message) => {
        if (input === this.#active && input.isEntered) output.splice(message);
      },
      problem: (input, problem) => {
        if (input === this.#active) output.problem(problem);
        if (this.#news.isNews(`${input.spec.label} ${problem.code}`, this.#options.clock.now()))
          notice({ event: 'input_problem', input: input.spec.label, code: problem.code, detail: problem.detail });
      },
      ended: (input, end) => {
        output.problem(
          this.inputs.length > 1 || input === this.#backup
            ? { code: end.code, detail: `${input.spec.label}: ${end.detail}` }
            : end,
        );
        this.#reconcile(this.#options.clock.now());
      },
      retried: () => {
        if (this.onAirSinceMs === 0) this.retryCount++;
      },
      notice: (event: FailoverEvent, input, end?: InputEnd) => {
        if (event === 'frames_timed_out' && end)
          output.problem({ code: end.code, detail: `${input.spec.label}: ${end.detail}` });
        notice({ event, input: input.spec.label, ...(end ? { code: end.code, detail: end.detail } : {}) });
      },
    };
  }

  #unit(input: FailoverInput, unit: AccessUnit, nowMs: number): void {
    const { output } = this.#options;
    if (input !== this.#active) {
      if (!input.isEntry(unit, nowMs) || !this.#takesOver(input, nowMs)) return;
      this.#activate(input, nowMs);
    } else if (!input.isEntered) {
      if (!input.isEntry(unit, nowMs)) return;
      if (this.onAirSinceMs > 0) output.inputRejoined();
      this.#enter(input, nowMs);
    }
    this.#lastForwardMs = nowMs;
    output.accessUnit(unit);
  }

  #takesOver(input: FailoverInput, nowMs: number): boolean {
    if (this.#isClosed) return false;
    const active = this.#active && {
      input: this.#active,
      isBackup: this.#active === this.#backup,
      isOutranked:
        input !== this.#backup && (this.#active === this.#backup || this.#order.isBefore(input, this.#active)),
    };
    const isBest =
      input === this.#backup ? !this.inputs.some((other) => other.isGood(nowMs)) : this.#order.best(nowMs) === input;
    return mayTakeOver(input, { active, isBest, isChosen: this.#isHurried && input === this.#preferred }, nowMs);
  }

  #activate(input: FailoverInput, nowMs: number): void {
    const { output, notice } = this.#options;
    const before = this.#active;
    this.#active = input;
    if (input === this.#preferred) this.#isHurried = false;
    notice({
      event: 'input_switched',
      input: input.spec.label,
      ...(before
        ? { from: before.spec.label, detail: before.isGood(nowMs) ? 'it comes first' : 'the other one gives no frames' }
        : {}),
    });
    if (before) {
      before.isEntered = false;
      this.switches++;
      output.inputSwitched();
    }
    if (before && before === this.#backup) notice({ event: 'backup_stopped', input: before.spec.label });
    if (input === this.#backup) notice({ event: 'backup_started', input: input.spec.label });
    this.#enter(input, nowMs);
    this.#reconcile(nowMs);
  }

  #enter(input: FailoverInput, nowMs: number): void {
    input.isEntered = true;
    this.retryCount = 0;
    if (this.onAirSinceMs === 0) this.onAirSinceMs = nowMs;
    this.#options.output.tracks(input.tracks);
  }

  #tick(): void {
    const nowMs = this.#options.clock.now();
    for (const input of this.inputs) input.tick(nowMs);
    this.#backup?.tick(nowMs);
    this.#rest(nowMs);
    this.#reconcile(nowMs);
  }

  /** Ends what is open when the input on air is gone for good, or for longer than an encoder needs to come back. */
  #rest(nowMs: number): void {
    const active = this.#active;
    if (!active || this.onAirSinceMs === 0 || active.isLinked) return;
    if (nowMs - active.lastUnitMs < Math.min(active.spec.sourceTimeoutMs, REJOIN_MS)) return;
    this.onAirSinceMs = 0;
    this.#options.output.inputEnded();
    this.#options.notice({ event: 'stream_idle', input: active.spec.label });
  }

  /** Opens and closes inputs: all up to the one on air; while none is good, one more whenever the last had its chance. */
  #reconcile(nowMs: number): void {
    if (this.#isClosed) return;
    const inputs = this.#order.list;
    const active = this.#active;
    const isGood = active?.isGood(nowMs) === true;
    if (active && isGood && active !== this.#backup) {
      this.#reach = inputs.indexOf(active);
    } else {
      const first = inputs.findIndex((input) => input.hasChance(nowMs));
      this.#reach = Math.max(this.#reach, first < 0 || isGood ? inputs.length - 1 : first);
    }
    for (const [index, input] of inputs.entries()) input.want(index <= this.#reach, nowMs);
    this.#wantBackup(nowMs, isGood);
  }

  #wantBackup(nowMs: number, isGood: boolean): void {
    const backup = this.#backup;
    if (!backup) return;
    if (this.#active !== backup && isGood) backup.want(false, nowMs);
    else if (
      nowMs - this.#lastForwardMs >= (this.#options.backup?.afterMs ?? 0) &&
      !this.inputs.some((input) => input.isGood(nowMs))
    )
      backup.want(true, nowMs);
  }

  #scheduleTick(): void {
    this.#cancelTick = this.#options.clock.after(FAILOVER_TICK_MS, () => {
      this.#scheduleTick();
      this.#tick();
    });
  }
}
