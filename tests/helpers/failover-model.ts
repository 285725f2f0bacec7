import { BackOff } from '../../src-main/lib/back-off.ts';
import { isGood } from '../../src-main/ingest/failover-rules.ts';
import {
  newFailoverState,
  type FailoverEffect,
  type FailoverState,
  type FailoverStepEvent,
  type InputState,
} from '../../src-main/ingest/failover-state.ts';
import { FAILOVER_TICK_MS } from '../../src-main/ingest/failover-silence.ts';
import { step } from '../../src-main/ingest/failover-step.ts';
import { madeVideo } from './made-input.ts';

/** Inputs of the model. */
export interface ModelPlan {
  /** Kind of each input; `held`: an input that is not opened for the first seconds. */
  readonly kinds: readonly ('pull' | 'publish' | 'held' | 'held publish')[];
  readonly priorities: readonly number[];
  readonly hasBackup: boolean;
  readonly retryLimit: number | null;
}

/** Peer of an input. */
interface Peer {
  readonly state: InputState;
  /** State of the peer. `down`: ends each connection; `hung`: sends nothing; `up`: sends frames. */
  health: 'down' | 'hung' | 'up';
  /** Number of the open connection; undefined if none. */
  attempt: number | undefined;
  openedMs: number;
  lastUnitMs: number;
  hasTracks: boolean;
  /**
   * Start of continuous frames on one connection, and start of the time in which frames could be requested; undefined
   * otherwise.
   */
  goodSinceMs: number | undefined;
  readySinceMs: number | undefined;
}

const START_MS = 1_800_000_000_000;
const FRAMES_TIMEOUT_MS = 1000;
const SOURCE_TIMEOUT_MS = 3000;
const DELAYED_MS = 4000;
const LONGEST_WAIT_MS = 2000;
const RETURN_MS = 10_000;
const BACKUP_AFTER_MS = 1500;
/** Action bytes from this value on make the thread stall. */
const FIRST_STALL = 240;
const TRACKS = [madeVideo()];
const DATA = Uint8Array.of(0);

/**
 * Maximum time until an available input is on air: the time-out of the previous input, the next frame and the next
 * tick.
 */
const LONGEST_DARK_MS = FRAMES_TIMEOUT_MS + 2 * FAILOVER_TICK_MS;
/** Maximum time for an input that must be opened first: the longest wait, and the time-outs of up to five inputs. */
const LONGEST_SEARCH_MS = LONGEST_WAIT_MS + 5 * (FRAMES_TIMEOUT_MS + FAILOVER_TICK_MS) + LONGEST_DARK_MS;

/** Maximum time for a newly selected input, which is tried immediately and then after the longest wait. */
const LONGEST_RETRY_MS = LONGEST_WAIT_MS + 2 * FAILOVER_TICK_MS;

/** Simulates the environment of the failover: executes the effects of `step`, delivers frames, and checks the invariants. */
export class FailoverModel {
  readonly faults: string[] = [];
  readonly #state: FailoverState;
  readonly #peers: readonly Peer[];
  #nowMs = START_MS;
  #timerMs: number | undefined;
  /** Input whose tracks were announced last, and the number of its connection. */
  #announced: InputState | undefined;
  #announcedAttempt = -1;
  #isSwitch = true;
  /** Whether the output was notified that the connection changed. */
  #isInterrupted = true;
  #lastOutMs = START_MS;
  #chosen: InputState | undefined;
  /** Time of the selection, or of the last end of a connection by the peer of the selected input. */
  #chosenMs = START_MS;
  /** Whether no frame of the selected input was sent since the selection. */
  #isChosenNew = false;

  constructor({ kinds, priorities, hasBackup, retryLimit }: ModelPlan) {
    const make = (): never => {
      throw new Error('a step makes no connection');
    };
    const times = { framesTimeoutMs: FRAMES_TIMEOUT_MS, sourceTimeoutMs: SOURCE_TIMEOUT_MS };
    const inputs = kinds.map((kind, index) => ({
      label: `input ${index + 1}`,
      priority: priorities[index] ?? 1,
      ...times,
      ...(kind.endsWith('publish') ? {} : { make }),
      ...(kind.startsWith('held') ? { heldUntilMs: START_MS + DELAYED_MS } : {}),
    }));
    const backup = hasBackup ? { label: 'backup', ...times, make, afterMs: BACKUP_AFTER_MS } : undefined;
    const makeBackOff = (): BackOff => new BackOff({ firstMs: 500, maxMs: LONGEST_WAIT_MS, random: () => 0 });
    this.#state = newFailoverState({ inputs, ...(backup ? { backup } : {}), retryLimit, makeBackOff }, START_MS);
    const states = [...this.#state.inputs, ...(this.#state.backup ? [this.#state.backup] : [])];
    this.#peers = states.map((state) => ({
      state,
      health: 'down',
      attempt: undefined,
      openedMs: START_MS,
      lastUnitMs: START_MS,
      hasTracks: false,
      goodSinceMs: undefined,
      readySinceMs: undefined,
    }));
    this.#step({ type: 'start' });
  }

  /** Executes an action of the model. */
  act(what: number, which: number): void {
    if (what >= FIRST_STALL) {
      this.#stall((which % 100) * 100);
      return;
    }
    const peer = this.#peers[which % this.#peers.length];
    if (!peer) return;
    switch (what % 8) {
      case 0:
        this.#setHealth(peer, 'down');
        return;
      case 1:
        this.#setHealth(peer, 'hung');
        return;
      case 2:
        this.#setHealth(peer, 'up');
        return;
      case 3:
        this.#end(peer);
        return;
      case 4:
        if (!peer.state.spec.make) this.#publish(peer);
        return;
      case 5: {
        const input = this.#state.inputs[which % (this.#state.inputs.length + 1)];
        this.#chosen = input;
        this.#chosenMs = this.#nowMs;
        this.#isChosenNew = true;
        this.#step({ type: 'select', input });
        return;
      }
      default:
        this.#run((1 + (which % 16)) * FAILOVER_TICK_MS);
    }
  }

  /** Lets enough time pass for every possible input to go on air. */
  settle(): void {
    this.#run(LONGEST_SEARCH_MS + RETURN_MS + LONGEST_DARK_MS);
  }

  close(): void {
    this.#step({ type: 'close' });
    if (this.#timerMs !== undefined) this.#fault('a timer is left');
    for (const { state, attempt } of this.#peers)
      if (attempt !== undefined) this.#fault(`${state.spec.label} is still connected`);
    const late = this.#peers.map(({ state }): FailoverStepEvent => {
      const end = { code: 'input_ended', detail: 'over' };
      return { type: 'ended', input: state, attempt: state.attempt - 1, end };
    });
    for (const event of [...late, { type: 'tick' } as const])
      for (const { type } of step(this.#state, event, this.#nowMs)) this.#fault(`${type} after the end`);
  }

  #fault(what: string): void {
    if (this.faults.length < 5) this.faults.push(`${this.#nowMs - START_MS}: ${what}`);
  }

  #setHealth(peer: Peer, health: Peer['health']): void {
    peer.health = health;
    if (health === 'down') this.#end(peer);
  }

  #end(peer: Peer): void {
    const { attempt, state } = peer;
    if (attempt === undefined) return;
    if (state === this.#chosen) this.#chosenMs = this.#nowMs;
    this.#step({ type: 'ended', input: state, attempt, end: { code: 'input_ended', detail: 'over' } });
  }

  #publish(peer: Peer): void {
    const { state } = peer;
    this.#step({ type: 'publish', input: state });
    if (peer.attempt !== undefined) this.#fault(`${state.spec.label} has two publishers`);
    this.#connected(peer, state.attempt);
  }

  #connected(peer: Peer, attempt: number): void {
    peer.attempt = attempt;
    peer.openedMs = this.#nowMs;
    peer.hasTracks = false;
    peer.goodSinceMs = undefined;
  }

  /**
   * Stalls the thread. A stall does not count as silence of an input: available inputs stay available, whichever event
   * is handled first afterwards.
   */
  #stall(ms: number): void {
    const good = this.#peers.flatMap((peer) => {
      const { link } = peer.state;
      const isGood = peer.health === 'up' && link.phase === 'running' && peer.lastUnitMs === this.#nowMs;
      return isGood ? [{ peer, attempt: peer.attempt, sinceMs: link.goodSinceMs }] : [];
    });
    this.#nowMs += ms;
    this.#lastOutMs += ms;
    this.#chosenMs += ms;
    for (const peer of this.#peers) {
      peer.openedMs += ms;
      peer.lastUnitMs += ms;
      if (peer.goodSinceMs !== undefined) peer.goodSinceMs += ms;
      if (peer.readySinceMs !== undefined) peer.readySinceMs += ms;
    }
    this.#run(FAILOVER_TICK_MS);
    for (const { peer, attempt, sinceMs } of good) {
      const { link, spec } = peer.state;
      if (peer.attempt === attempt && !(link.phase === 'running' && link.goodSinceMs === sinceMs))
        this.#fault(`${spec.label} was good and counts as silent after a stall of ${ms} ms`);
    }
  }

  #run(ms: number): void {
    for (const endMs = this.#nowMs + ms; this.#nowMs < endMs;) {
      this.#nowMs += FAILOVER_TICK_MS;
      for (const peer of this.#peers) this.#play(peer);
      if (this.#timerMs !== undefined && this.#timerMs <= this.#nowMs) {
        this.#timerMs = undefined;
        this.#step({ type: 'tick' });
      }
      this.#checkInvariants();
    }
  }

  /** Simulates a peer for the duration of a frame. */
  #play(peer: Peer): void {
    const { state, attempt } = peer;
    if (peer.health !== 'up') peer.readySinceMs = peer.goodSinceMs = undefined;
    else if (state.spec.make && state.link.phase !== 'given_up' && this.#nowMs >= START_MS + DELAYED_MS)
      peer.readySinceMs ??= this.#nowMs;
    else peer.readySinceMs = undefined;
    if (attempt === undefined || peer.health === 'hung') {
      const quietMs = this.#nowMs - Math.max(peer.lastUnitMs, peer.openedMs);
      if (attempt !== undefined && quietMs > SOURCE_TIMEOUT_MS + FAILOVER_TICK_MS)
        this.#fault(`${state.spec.label} is silent and still connected`);
      return;
    }
    if (peer.health === 'down') {
      this.#end(peer);
      return;
    }
    if (!peer.hasTracks) this.#step({ type: 'tracks', input: state, attempt, tracks: TRACKS });
    peer.hasTracks = true;
    const dtsTicks = (this.#nowMs - START_MS) * 90;
    const unit = { trackId: 'v1', dtsTicks, ptsTicks: dtsTicks, isRandomAccess: true, data: DATA };
    peer.goodSinceMs ??= this.#nowMs;
    peer.lastUnitMs = this.#nowMs;
    this.#step({ type: 'unit', input: state, attempt, unit });
  }

  /** Checks the invariants. */
  #checkInvariants(): void {
    const { showing, preferred } = this.#state;
    const nowMs = this.#nowMs;
    if (this.#timerMs === undefined) this.#fault('no timer runs');
    const darkMs = nowMs - this.#lastOutMs;
    for (const { state, goodSinceMs, readySinceMs } of this.#peers) {
      const { label } = state.spec;
      if (Math.min(darkMs, nowMs - (goodSinceMs ?? nowMs)) > LONGEST_DARK_MS)
        this.#fault(`dark, though ${label} is good`);
      const isBackup = state === this.#state.backup;
      const searchMs = LONGEST_SEARCH_MS + (isBackup ? BACKUP_AFTER_MS : 0);
      if (Math.min(darkMs, nowMs - (readySinceMs ?? nowMs)) > searchMs)
        this.#fault(`dark, though ${label} is available`);
      const isShown = showing.phase === 'input' && showing.input === state;
      if (state !== this.#chosen || isShown) continue;
      if (goodSinceMs !== undefined && (this.#isChosenNew || nowMs - goodSinceMs > RETURN_MS + LONGEST_DARK_MS))
        this.#fault(`${label} was selected and is good, and is not shown`);
      const longestMs = this.#isChosenNew ? LONGEST_RETRY_MS : LONGEST_SEARCH_MS + RETURN_MS;
      if (nowMs - Math.max(readySinceMs ?? nowMs, this.#chosenMs) > longestMs)
        this.#fault(`${label} was selected and is available, and is not shown`);
    }
    if (preferred !== this.#chosen) this.#fault('the choice was forgotten');
  }

  /** Records a switch. An available input is left only for a better input, or for the newly selected input. */
  #switch(next: InputState): void {
    const before = this.#announced;
    const { order, backup } = this.#state;
    this.#isSwitch = this.#isInterrupted = true;
    if (!before || !isGood(before, this.#nowMs)) return;
    if (before === this.#chosen) this.#fault(`${before.spec.label} was left, though it was selected and is good`);
    if (before !== backup && next !== this.#chosen && order.indexOf(next) > order.indexOf(before))
      this.#fault(`${before.spec.label} was left for a worse input`);
  }

  #step(event: FailoverStepEvent): void {
    for (const effect of step(this.#state, event, this.#nowMs)) this.#carryOut(effect, event);
  }

  #carryOut(effect: FailoverEffect, event: FailoverStepEvent): void {
    const peer = 'input' in effect ? this.#peers.find(({ state }) => state === effect.input) : undefined;
    switch (effect.type) {
      case 'open':
        if (!peer || effect.attempt !== peer.state.attempt) return;
        if (peer.attempt !== undefined) this.#fault(`${peer.state.spec.label} has two connections`);
        this.#connected(peer, effect.attempt);
        return;
      case 'disconnect':
      case 'release':
        if (peer) peer.attempt = peer.goodSinceMs = undefined;
        return;
      case 'timer':
        if (this.#timerMs !== undefined) this.#fault('two timers');
        this.#timerMs = this.#nowMs + effect.afterMs;
        return;
      case 'cancel-timer':
        this.#timerMs = undefined;
        return;
      case 'switched':
        if (event.type === 'unit') this.#switch(event.input);
        return;
      case 'rejoined':
      case 'idle':
        this.#isInterrupted = true;
        return;
      case 'tracks':
        if (event.type !== 'unit' && event.type !== 'tracks') return this.#fault('tracks without an input');
        if (event.input !== this.#announced && !this.#isSwitch) this.#fault('another input without a switch');
        if (event.attempt !== this.#announcedAttempt && !this.#isInterrupted)
          this.#fault('a new connection without a notice');
        this.#announced = event.input;
        this.#announcedAttempt = event.attempt;
        this.#isSwitch = this.#isInterrupted = false;
        return;
      case 'forward':
        if (event.type !== 'unit' || event.input !== this.#announced) this.#fault('a frame of another input');
        else if (event.attempt !== this.#announcedAttempt) this.#fault('a frame of another connection');
        this.#lastOutMs = this.#nowMs;
        if (event.type === 'unit' && event.input === this.#chosen) this.#isChosenNew = false;
        return;
      default:
    }
  }
}
