import { because } from '../../src-preload/contract/explanations/explanations.ts';
import type { Clock } from '../lib/clock.ts';
import { CounterRate } from '../lib/counter-rate.ts';
import { messageOf } from '../lib/error-message.ts';
import type { Track } from '../media/track.ts';
import type { StreamUnit } from '../stream/stream-hub.ts';
import { CatchUp } from './catch-up.ts';
import type { PushNotice, PushReport, PushSpec, PushStatus } from './push-spec.ts';
import { isOpen, isSteady, newPush, stepPush, type PushState, type PushStep } from './push-state.ts';
import type { OpenPushTarget, PushFault, PushTarget } from './target/push-target.ts';
import { Transmissions } from './transmissions.ts';
import { UnitGate } from './unit-gate.ts';

/** Time without a frame of the stream after which the connection is closed, in milliseconds. */
const IDLE_MS = 60_000;
/** Time without a dropped unit after which a target counts as fast enough again, in milliseconds. */
const RESTORED_MS = 10_000;
/** Time over which the bit rate is measured, in milliseconds. */
const RATE_MS = 3000;
const NO_TRACKS: ReadonlySet<string> = new Set();
const STANDBY: PushFault = { code: 'push_standby', ...because('push_standby') };

export interface PushOptions {
  readonly spec: PushSpec;
  /** Address of the target without its key. */
  readonly shownUrl: string;
  readonly open: OpenPushTarget;
  /** Newest units of the stream, from a random access point on; their data stays valid. */
  readonly stored: () => readonly StreamUnit[];
  readonly clock: Pick<Clock, 'now'>;
  readonly notice: (notice: PushNotice) => void;
}

/** One stream on its way to one target: attempts, selection of units, figures. */
export class Push {
  spec: PushSpec;
  readonly shownUrl: string;
  readonly #options: PushOptions;
  readonly #gate = new UnitGate();
  readonly #rate = new CounterRate(RATE_MS);
  readonly #transmissions = new Transmissions((transmission) => {
    this.#options.notice({ transmission, url: this.shownUrl, address: this.spec.url });
  });
  #state: PushState;
  #target: PushTarget | undefined;
  #isAccepted = false;
  /** Tracks to send; undefined while those of the stream are unknown. */
  #tracks: readonly Track[] | undefined;
  #carried: ReadonlySet<string> = NO_TRACKS;
  /** Units from the past that are sent before new units; undefined if the target has caught up. */
  #catchUp: CatchUp | undefined;
  #lastUnitMs = 0;
  /** Time of the last dropped unit; 0 if the target is fast enough. */
  #slowMs = 0;
  /** Whether `push_blocked` was reported and `push_restored` not yet. */
  #isBlocked = false;
  /** Figures of earlier connections. */
  #sentBefore = 0;
  #acknowledgedBefore: number | null = null;

  constructor(options: PushOptions) {
    this.#options = options;
    this.spec = options.spec;
    this.shownUrl = options.shownUrl;
    const now = options.clock.now();
    this.#state = stepPush(newPush(now), { kind: 'tick' }, this.spec, now);
    if (this.#state.phase !== 'ended') this.#report({ event: 'push_opened' });
  }

  /** Applies other rules for attempts to the same target. */
  reconfigure(spec: PushSpec): void {
    this.spec = spec;
    this.#report({ event: 'push_reconfigured' });
    this.#step({ kind: 'tick' });
  }

  /** Announces the tracks of the stream. */
  tracks(tracks: readonly Track[]): void {
    const { tracks: ids } = this.spec;
    this.#tracks = ids ? tracks.filter(({ id }) => ids.includes(id)) : tracks;
    this.#step({ kind: 'tracks' });
    if (!this.#isAccepted) return;
    this.#announce();
    if (this.#state.phase === 'running') this.#report({ event: 'push_updated', bytes: this.#sentBytes });
  }

  /** Sends a unit of the stream, or drops it. The data of the unit stays valid. */
  unit(unit: StreamUnit): void {
    this.#lastUnitMs = unit.arrivedMs;
    if (!this.#state.hasFrames) this.#step({ kind: 'frames' });
    const target = this.#target;
    if (!target || !this.#isAccepted || !this.#carried.has(unit.track.id)) return;
    if (!this.#catchUp) {
      this.#send(unit, target);
      return;
    }
    this.#catchUp.add(unit);
    this.#sendStored(unit.arrivedMs);
  }

  /** Sends a splice information section. */
  splice(section: Uint8Array): void {
    if (this.#isAccepted) this.#target?.splice?.(section);
  }

  /** Checks the times. Called some times a second. */
  tick(nowMs: number): void {
    this.#target?.flush?.();
    this.#rate.take(this.#sentBytes, nowMs);
    const { timeoutMs } = this.spec;
    const seconds = Math.round(timeoutMs / 1000);
    if (isOpen(this.#state) && nowMs - this.#lastUnitMs > IDLE_MS) this.#step({ kind: 'idle' });
    else if (this.#target && !this.#isAccepted && nowMs - this.#state.sinceMs > timeoutMs)
      this.#fail({ code: 'push_no_answer', ...because('push_no_answer', { seconds }) });
    else if (this.#target && this.#target.backlog.bytes > 0 && nowMs - this.#target.backlog.progressMs > timeoutMs)
      this.#fail({ code: 'push_stalled', ...because('push_stalled', { seconds }) });
    this.#step({ kind: 'tick' });
    if (isSteady(this.#state, nowMs)) this.#transmissions.steady(this.#sentBytes);
    this.#sendStored(nowMs);
    if (this.#slowMs > 0 && nowMs - this.#slowMs >= RESTORED_MS) {
      this.#slowMs = 0;
      if (this.#state.phase === 'running') this.#restored();
    }
  }

  /** State and figures. */
  status(): PushStatus {
    const { phase, sinceMs, tries, fault } = this.#state;
    const isWaiting = this.#target?.isWaiting === true;
    const isSlow = phase === 'running' && this.#slowMs > 0;
    const shown = isWaiting ? STANDBY : isSlow ? this.#slowFault : fault;
    return {
      index: this.spec.index,
      url: this.shownUrl,
      phase: isWaiting ? 'pending' : phase,
      sinceMs,
      tries,
      ...(shown ? { fault: shown } : {}),
      bytes: this.#sentBytes,
      acknowledgedBytes: sum(this.#acknowledgedBefore, this.#target?.acknowledgedBytes ?? null),
      bitrate: Math.round(this.#rate.perSecond * 8),
      lagMs: Math.max(this.#target?.backlog.lagMs ?? 0, this.#catchUp?.lagMs ?? 0),
      droppedUnits: this.#gate.droppedUnits,
      tracks: phase === 'running' && !isWaiting ? [...this.#carried] : [],
    };
  }

  /** Ends the push. */
  close(fault: PushFault): void {
    this.#closeTarget();
    if (this.#state.phase !== 'ended') this.#closed(fault);
  }

  #closed(fault: PushFault): void {
    this.#transmissions.ended(this.#options.clock.now(), this.#sentBytes, fault);
    this.#report({ event: 'push_closed', ...fault, bytes: this.#sentBytes });
  }

  get #slowFault(): PushFault {
    return { code: 'push_slow', ...(this.#target?.slowness ?? because('push_slow')) };
  }

  get #sentBytes(): number {
    return this.#sentBefore + (this.#target?.sentBytes ?? 0);
  }

  #send(unit: StreamUnit, target: PushTarget): void {
    if (!this.#gate.takes(unit, target.backlog)) {
      if (this.#gate.isSlow) this.#slow(unit.arrivedMs);
      return;
    }
    try {
      target.unit(unit);
    } catch (error) {
      // One push must not end its stream.
      this.#fail({ code: 'internal', ...because('push_failed', { reason: messageOf(error) }) });
      return;
    }
    if (this.#state.phase !== 'starting' || target.isConfirmed === false) return;
    this.#step({ kind: 'sent' });
    this.#transmissions.sent(this.#state.sinceMs);
    this.#report({ event: 'push_started' });
    if (this.#isBlocked) this.#restored();
  }

  /** Sends stored units as far as their pace and the target allow. */
  #sendStored(nowMs: number): void {
    const target = this.#target;
    const stored = this.#catchUp;
    if (!target || !stored) return;
    // A failure ends the target.
    while (this.#target === target) {
      const unit = stored.take(nowMs, target.backlog);
      if (!unit) break;
      this.#send(unit, target);
    }
    if (stored.isTooLong) {
      this.#gate.drop(stored.waiting);
      this.#slow(nowMs);
    }
    if (stored.isTooLong || stored.waiting === 0) this.#catchUp = undefined;
  }

  /**
   * Sends the tracks to the target. Media starts at the stored random access point, or at the next one if none is stored
   * or the target takes no stored media.
   */
  #announce(): void {
    const target = this.#target;
    if (!target || !this.#tracks) return;
    const stored = target.catchesUp === true ? this.#options.stored() : [];
    this.#carried = target.tracks(this.#tracks, stored[0]);
    const carried = this.#tracks.filter(({ id }) => this.#carried.has(id));
    const main = carried.find(({ content }) => content === 'video') ?? carried[0];
    this.#gate.close(main?.id);
    const past = stored.filter(({ track }) => this.#carried.has(track.id));
    const nowMs = this.#options.clock.now();
    this.#catchUp = past.length > 0 ? new CatchUp(past, nowMs) : undefined;
    if (!main) this.#fail({ code: 'push_no_tracks', ...because('push_no_tracks') }, true);
    else this.#sendStored(nowMs);
  }

  #slow(nowMs: number): void {
    this.#slowMs = nowMs;
    this.#blocked(this.#slowFault);
  }

  #fail(fault: PushFault, isFinal?: true): void {
    this.#step({ kind: 'failed', fault, ...(isFinal ? { isFinal } : {}) });
    if (this.#state.phase !== 'ended') this.#blocked(fault);
  }

  #blocked(fault: PushFault): void {
    if (this.#isBlocked) return;
    this.#isBlocked = true;
    this.#report({ event: 'push_blocked', ...fault });
  }

  #restored(): void {
    if (this.#slowMs > 0 || !this.#isBlocked) return;
    this.#isBlocked = false;
    this.#report({ event: 'push_restored' });
  }

  #step(step: PushStep): void {
    const now = this.#options.clock.now();
    const before = this.#state;
    const next = stepPush(before, step, this.spec, now);
    this.#state = next;
    if (isOpen(before) && !isOpen(next)) this.#closeTarget();
    else if (!isOpen(before) && isOpen(next)) {
      this.#transmissions.attempt(now, this.#sentBytes);
      this.#openTarget();
    }
    if (before.phase !== next.phase) this.#entered(next, before, now);
  }

  /** Reports the start of a phase that begins or ends a transmission. */
  #entered({ phase, fault }: PushState, before: PushState, nowMs: number): void {
    if (before.phase === 'ended') this.#report({ event: 'push_opened' });
    if (phase === 'ended') {
      this.#isBlocked = false;
      this.#closed({ code: 'push_plan_ended', ...because('push_plan_ended') });
    } else if ((phase === 'retry' || phase === 'error') && fault)
      this.#transmissions.failed(nowMs, this.#sentBytes, fault, phase === 'error');
    else if (phase === 'planned')
      this.#transmissions.ended(nowMs, this.#sentBytes, { code: 'push_removed', ...because('push_removed') });
    else if (isOpen(before) && phase === 'pending')
      this.#transmissions.ended(nowMs, this.#sentBytes, { code: 'push_idle', ...because('push_idle') });
  }

  #openTarget(): void {
    const opened: { target?: PushTarget } = {};
    const isCurrent = (): boolean => opened.target !== undefined && opened.target === this.#target;
    opened.target = this.#options.open({
      accepted: () => {
        if (!isCurrent()) return;
        this.#isAccepted = true;
        this.#report({ event: 'push_connected' });
        this.#announce();
      },
      failed: (fault, isFinal) => {
        if (isCurrent()) this.#fail(fault, isFinal);
      },
    });
    this.#target = opened.target;
  }

  #closeTarget(): void {
    const target = this.#target;
    if (!target) return;
    this.#sentBefore += target.sentBytes;
    this.#acknowledgedBefore = sum(this.#acknowledgedBefore, target.acknowledgedBytes);
    this.#target = undefined;
    this.#isAccepted = false;
    this.#carried = NO_TRACKS;
    this.#catchUp = undefined;
    this.#slowMs = 0;
    target.close();
  }

  #report(report: PushReport): void {
    this.#options.notice({ ...report, url: this.shownUrl });
  }
}

function sum(a: number | null, b: number | null): number | null {
  return a === null ? b : a + (b ?? 0);
}
