import type { Clock } from '../lib/clock.ts';
import type { AccessUnit, FormatProblem, SpliceMessage } from '../media/access-unit.ts';
import type { Track } from '../media/track.ts';
import { FailoverInput, type FailoverInputOwner, type Publisher } from './failover-input.ts';
import type { FailoverNotice } from './failover-notice.ts';
import { isLinked } from './failover-rules.ts';
import {
  newFailoverState,
  type FailoverEffect,
  type FailoverPlan,
  type FailoverState,
  type FailoverStepEvent,
  type InputState,
} from './failover-state.ts';
import { FORWARD, step, stepUnit } from './failover-step.ts';
import type { InputSink } from './input.ts';

/** Output of the input on air. The hub of a stream implements it. */
export interface FailoverOutput {
  tracks(tracks: readonly Track[]): void;
  accessUnit(unit: AccessUnit): void;
  splice(message: SpliceMessage): void;
  problem(problem: FormatProblem): void;
  /** Called before the first unit of another input. */
  inputSwitched(): void;
  /** Called before the first unit of the same input on a new connection. */
  inputRejoined(): void;
  /** Called when no input sends frames any more. */
  inputEnded(): void;
}

/** Inputs of a stream, and their output. */
export interface FailoverOptions extends FailoverPlan {
  readonly clock: Clock;
  readonly output: FailoverOutput;
  readonly received: (bytes: number) => void;
  readonly notice: (notice: FailoverNotice) => void;
}

/**
 * Puts one of the inputs of a stream on air at a time. Better inputs are tested on connections whose frames are not used; worse
 * inputs are opened when better ones fail. Another input goes on air at one of its random access points; the previous input is
 * used up to that time. `step` decides; this class opens, closes, checks the time and forwards.
 */
export class Failover {
  /** In the order of the configuration, without the backup. */
  readonly inputs: readonly FailoverInput[];
  readonly #options: FailoverOptions;
  readonly #state: FailoverState;
  readonly #byState = new Map<InputState, FailoverInput>();
  #cancelTimer: (() => void) | undefined;

  constructor(options: FailoverOptions) {
    const { clock, received } = options;
    this.#options = options;
    this.#state = newFailoverState(options, clock.now());
    const happened = (event: FailoverStepEvent): void => {
      this.#step(event);
    };
    const unit: FailoverInputOwner['unit'] = (input, attempt, accessUnit) => {
      this.#unit(input, attempt, accessUnit);
    };
    const make = (state: InputState): FailoverInput => {
      const input = new FailoverInput(state, { clock, received, unit, happened });
      this.#byState.set(state, input);
      return input;
    };
    this.inputs = this.#state.inputs.map(make);
    if (this.#state.backup) make(this.#state.backup);
  }

  /** Opens the first input. */
  start(): void {
    this.#step({ type: 'start' });
  }

  /** Resolves when all connections are closed. */
  async close(): Promise<void> {
    this.#step({ type: 'close' });
    await Promise.all([...this.#byState.values()].map((input) => input.closed()));
  }

  /** Number of switches to another input. */
  get switches(): number {
    return this.#state.switches;
  }

  /** Attempts to restore inputs since the last frame of the output. */
  get retryCount(): number {
    return this.#state.retryCount;
  }

  /** Start of the current output in epoch milliseconds; 0 without output. */
  get onAirSinceMs(): number {
    const { showing } = this.#state;
    return showing.phase === 'input' ? showing.sinceMs : 0;
  }

  /** Whether the connection of the input on air has ended and no input has replaced it yet. */
  get isLost(): boolean {
    const { showing } = this.#state;
    return showing.phase === 'input' && !isLinked(showing.input);
  }

  /** Input on air, or the last one; undefined before the first. */
  get active(): FailoverInput | undefined {
    const { showing } = this.#state;
    return showing.phase === 'nothing' ? undefined : this.#byState.get(showing.input);
  }

  get isBackupOnAir(): boolean {
    const { showing, backup } = this.#state;
    return showing.phase === 'input' && showing.input === backup;
  }

  get preferred(): FailoverInput | undefined {
    const { preferred } = this.#state;
    return preferred && this.#byState.get(preferred);
  }

  /** Input that waits for a publisher. */
  get publishInput(): FailoverInput | undefined {
    return this.inputs.find(({ spec }) => !spec.make);
  }

  /**
   * Accepts a publisher; undefined if no input waits for one. Calls `left` when the publisher has left or was silent
   * for too long.
   */
  publish(publisher: Publisher, left: () => void): InputSink | undefined {
    const input = this.publishInput;
    if (!input) return undefined;
    this.#step({ type: 'publish', input: input.state });
    return input.take(publisher, left);
  }

  /**
   * Prefers an input to all other inputs until the next selection. It goes on air at its next random access point,
   * and is treated like the best input after a loss. With undefined, the priorities decide again.
   */
  select(input: FailoverInput | undefined): void {
    this.#step({ type: 'select', input: input?.state });
  }

  #unit(input: InputState, attempt: number, unit: AccessUnit): void {
    const { output, clock } = this.#options;
    const effects = stepUnit(this.#state, input, attempt, unit, clock.now());
    if (effects === FORWARD) output.accessUnit(unit);
    else for (const effect of effects) this.#carryOut(effect, { type: 'unit', input, attempt, unit });
  }

  #step(event: FailoverStepEvent): void {
    for (const effect of step(this.#state, event, this.#options.clock.now())) this.#carryOut(effect, event);
  }

  #carryOut(effect: FailoverEffect, event: FailoverStepEvent): void {
    const { output, notice, clock } = this.#options;
    switch (effect.type) {
      case 'forward':
        if (event.type === 'unit') output.accessUnit(event.unit);
        return;
      case 'forward-splice':
        if (event.type === 'splice') output.splice(event.message);
        return;
      case 'pending-splices':
        for (const message of effect.messages) output.splice(message);
        return;
      case 'tracks':
        output.tracks(effect.tracks);
        return;
      case 'problem':
        output.problem(effect.problem);
        return;
      case 'switched':
        output.inputSwitched();
        return;
      case 'rejoined':
        output.inputRejoined();
        return;
      case 'idle':
        output.inputEnded();
        return;
      case 'notice':
        notice(effect.notice);
        return;
      case 'timer':
        this.#cancelTimer = clock.after(effect.afterMs, () => {
          this.#step({ type: 'tick' });
        });
        return;
      case 'cancel-timer':
        this.#cancelTimer?.();
        return;
      default:
        this.#byState.get(effect.input)?.carryOut(effect);
    }
  }
}
