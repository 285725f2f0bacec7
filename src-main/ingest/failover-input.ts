import { BackOff } from '../lib/back-off.ts';
import type { Clock } from '../lib/clock.ts';
import type { AccessUnit, FormatProblem, SpliceMessage } from '../media/access-unit.ts';
import type { Track } from '../media/track.ts';
import type { FailoverEvent } from './failover-notice.ts';
import type { Input, InputEnd, InputSink } from './input.ts';
import { spliceRate, trackChangeRate } from './token-bucket.ts';
import { messageOf } from '../lib/error-message.ts';

/**
 * What an input does at the moment. `standby`: a better one is on air; `waiting`: for an encoder; `opening`: no frame yet;
 * `running`; `silent`: connected, but the frames stopped; `error`: waits to try again; `given_up`: tried as often as it may be.
 */
export type InputPhase = 'standby' | 'waiting' | 'opening' | 'running' | 'silent' | 'error' | 'given_up';

/** One input of a stream, in its place among the others. */
export interface FailoverInputSpec {
  /** What notices call it. */
  readonly label: string;
  /** Makes it anew for each attempt; may throw an `InputEnd`. Absent for an input that waits for a publisher. */
  readonly make?: (sink: InputSink) => Input;
  /** The stream moves on without a frame for this long, in milliseconds. */
  readonly framesTimeoutMs: number;
  /** Without a frame for this long the connection is closed and made again, in milliseconds. */
  readonly sourceTimeoutMs: number;
  /** Epoch milliseconds before which it is not opened, unless it is selected. */
  readonly heldUntilMs?: number;
}

/** Gives the frames of an input that waits for them. */
export interface Publisher {
  /** Address and software, for the operator. */
  readonly label: string;
  close(reason: InputEnd): void;
}

/** The last fault of an input. */
export interface InputFault extends InputEnd {
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Receives what an input brings and what happens to it. */
export interface FailoverInputOwner {
  /** Attempts after the first, without a frame between them, after which an input is given up; null for no limit. */
  readonly retryLimit: number | null;
  tracks(input: FailoverInput): void;
  unit(input: FailoverInput, unit: AccessUnit, nowMs: number): void;
  splice(input: FailoverInput, message: SpliceMessage): void;
  problem(input: FailoverInput, problem: FormatProblem): void;
  received(bytes: number): void;
  /** A connection is over. */
  ended(input: FailoverInput, end: InputEnd): void;
  /** An attempt to get the input back begins. */
  retried(): void;
  notice(event: FailoverEvent, input: FailoverInput, end?: InputEnd): void;
}

/** Frames for this long without a break make an input steady, in milliseconds: its waits begin again with the first. */
const STEADY_MS = 10_000;
/** An input that was lost twice within this time is unsteady, in milliseconds. */
const UNSTEADY_MS = 60_000;
/** A connection that is not closed after this long is left behind, in milliseconds: a read of a file may never come back. */
const CLOSE_MS = 2000;
/** After this long without a frame of the video that was announced the sound goes on air alone, in milliseconds. */
const NO_VIDEO_MS = 3000;

/** One input of a stream: its connection, made again after growing waits, and how well it does. It never decides which input is on air. */
export class FailoverInput {
  readonly spec: FailoverInputSpec;
  phase: InputPhase;
  tracks: readonly Track[] = [];
  /** Epoch milliseconds of the newest frame; 0 before the first. */
  lastUnitMs = 0;
  /** Attempts to get the input back since frames last came. */
  retryCount = 0;
  /** Faults so far, in its bytes and of its connections. */
  errorCount = 0;
  lastFault: InputFault | undefined;
  /** Whether the output takes the frames of this connection; set from outside, and unset here with each connection. */
  isEntered = false;
  readonly #clock: Clock;
  readonly #owner: FailoverInputOwner;
  readonly #backOff: BackOff;
  #attempt = 0;
  #input: Input | undefined;
  #publisher: Publisher | undefined;
  #publisherGone: (() => void) | undefined;
  #isWanted = false;
  #isClosed = false;
  #hasFailed = false;
  #isLossReported = false;
  #isSteady = false;
  #openedMs = 0;
  #goodSinceMs = 0;
  #retryAtMs = 0;
  #losses: number[] = [];
  #leadId: string | undefined;
  #hasLead = false;
  readonly #closing = new Set<Promise<void>>();
  readonly #trackChanges = trackChangeRate();
  readonly #splices = spliceRate();

  constructor(spec: FailoverInputSpec, clock: Clock, owner: FailoverInputOwner, backOff = new BackOff()) {
    this.spec = spec;
    this.phase = spec.make ? 'standby' : 'waiting';
    this.#clock = clock;
    this.#owner = owner;
    this.#backOff = backOff;
    const { heldUntilMs = 0 } = spec;
    if (heldUntilMs <= clock.now()) return;
    this.phase = 'error';
    this.#retryAtMs = heldUntilMs;
    this.#fault({
      code: 'input_quarantined',
      detail: `it ended its media thread twice and is tried again at ${new Date(heldUntilMs).toISOString()}`,
    });
  }

  /** Whether frames come: over at once with the end of the connection, and after its `frames_timeout` otherwise. */
  isGood(nowMs: number): boolean {
    return this.phase === 'running' && nowMs - this.lastUnitMs <= this.spec.framesTimeoutMs;
  }

  /** How long frames have come without a break, in milliseconds. */
  goodForMs(nowMs: number): number {
    return this.isGood(nowMs) ? nowMs - this.#goodSinceMs : 0;
  }

  /** Whether it may still give its first frame in time: it is worth waiting for before the next one is tried. */
  hasChance(nowMs: number): boolean {
    switch (this.phase) {
      case 'standby':
        return true;
      case 'opening':
        return !this.#hasFailed && nowMs - this.#openedMs < this.spec.framesTimeoutMs;
      default:
        return this.isGood(nowMs);
    }
  }

  /** Whether the connection that gave the last frame is still there. */
  get isLinked(): boolean {
    return this.phase === 'running' || this.phase === 'silent';
  }

  /** Whether it was lost twice within a minute. */
  isUnsteady(nowMs: number): boolean {
    return this.#losses.filter((atMs) => nowMs - atMs < UNSTEADY_MS).length >= 2;
  }

  get publisher(): Publisher | undefined {
    return this.#publisher;
  }

  /** Opens the input, or closes it because a better one is on air. */
  want(isWanted: boolean, nowMs: number): void {
    if (!this.spec.make || this.#isWanted === isWanted) return;
    this.#isWanted = isWanted;
    if (this.phase === 'given_up') return;
    if (isWanted) {
      if (nowMs >= this.#retryAtMs) this.#open(nowMs);
      else this.phase = 'error';
      return;
    }
    this.#drop();
    this.phase = 'standby';
    this.#hasFailed = false;
  }

  /** Forgets all failures: the next attempt comes at once. */
  forgive(nowMs: number): void {
    this.#backOff.reset();
    this.#retryAtMs = 0;
    this.retryCount = 0;
    this.#losses = [];
    if (this.phase !== 'given_up' && this.phase !== 'error') return;
    this.phase = 'standby';
    if (this.#isWanted) this.#open(nowMs);
  }

  /** Looks at the clock: what is silent, what has been silent for too long, what may be tried again. */
  tick(nowMs: number): void {
    const { framesTimeoutMs, sourceTimeoutMs } = this.spec;
    if (this.phase === 'running') {
      if (nowMs - this.lastUnitMs > framesTimeoutMs) this.#fallSilent(nowMs);
      else if (!this.#isSteady && this.goodForMs(nowMs) >= STEADY_MS) this.#settle();
    }
    if (this.phase === 'opening' || this.phase === 'silent') {
      const quietMs = nowMs - Math.max(this.#openedMs, this.lastUnitMs);
      if (quietMs >= sourceTimeoutMs) this.#timedOut(quietMs);
    } else if (this.phase === 'error' && this.#isWanted && nowMs >= this.#retryAtMs) {
      this.retryCount++;
      this.#owner.retried();
      this.#open(nowMs);
    }
  }

  /** Takes a publisher, in place of another one if there is one. `gone` hears when it left; not when it was replaced. */
  publish(publisher: Publisher, gone: () => void): InputSink {
    const before = this.#publisher;
    this.#drop();
    before?.close({ code: 'publish_kicked', detail: 'another encoder took its place' });
    this.#publisher = publisher;
    this.#publisherGone = gone;
    return this.#connect(this.#clock.now());
  }

  /** Resolves when all connections are closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#isWanted = false;
    const publisher = this.#publisher;
    this.#drop();
    publisher?.close({ code: 'publish_kicked', detail: 'the stream was closed' });
    await Promise.all(this.#closing);
  }

  /** Whether the output can begin with this unit: a random access point of the video, or of the sound where there is no video. */
  isEntry(unit: AccessUnit, nowMs: number): boolean {
    if (!unit.isRandomAccess) return false;
    if (this.#leadId === undefined || unit.trackId === this.#leadId) return true;
    return !this.#hasLead && nowMs - this.#goodSinceMs > NO_VIDEO_MS;
  }

  #open(nowMs: number): void {
    const { make } = this.spec;
    if (!make || this.#isClosed || this.phase === 'given_up') return;
    const sink = this.#connect(nowMs);
    const attempt = this.#attempt;
    try {
      const input = make(sink);
      if (attempt === this.#attempt) {
        this.#input = input;
        input.start();
      } else this.#letGo(input);
    } catch (error) {
      if (attempt === this.#attempt) this.#failed(asInputEnd(error));
    }
  }

  #connect(nowMs: number): InputSink {
    this.#attempt++;
    this.#openedMs = nowMs;
    this.#goodSinceMs = 0;
    this.#isSteady = false;
    this.#hasLead = false;
    this.isEntered = false;
    this.phase = 'opening';
    return this.#sinkOf(this.#attempt);
  }

  #sinkOf(attempt: number): InputSink {
    const owner = this.#owner;
    const problem = (found: FormatProblem): void => {
      if (attempt !== this.#attempt) return;
      this.#fault(found);
      owner.problem(this, found);
    };
    return {
      problem,
      tracks: (tracks) => {
        if (attempt !== this.#attempt) return;
        if (!this.#trackChanges.take(this.#clock.now())) {
          this.#endConnection({ code: 'input_too_many_changes', detail: 'its tracks change again and again' });
          return;
        }
        this.tracks = tracks;
        this.#leadId = tracks.find(({ content }) => content === 'video')?.id;
        owner.tracks(this);
      },
      accessUnit: (unit) => {
        if (attempt === this.#attempt) this.#unit(unit);
      },
      splice: (message) => {
        if (attempt !== this.#attempt) return;
        if (this.#splices.take(this.#clock.now())) owner.splice(this, message);
        else problem({ code: 'input_too_many_splices', detail: 'splice messages come too often and are left out' });
      },
      received: (bytes) => {
        owner.received(bytes);
      },
      ended: (end) => {
        if (attempt !== this.#attempt) return;
        this.#failed(end);
      },
    };
  }

  #unit(unit: AccessUnit): void {
    const nowMs = this.#clock.now();
    if (this.phase !== 'running') this.#framesCame(nowMs);
    else if (nowMs - this.lastUnitMs > this.spec.framesTimeoutMs) {
      // The break was over before it was noticed.
      this.#fallSilent(nowMs);
      this.#framesCame(nowMs);
    }
    this.lastUnitMs = nowMs;
    if (unit.trackId === this.#leadId) this.#hasLead = true;
    this.#owner.unit(this, unit, nowMs);
  }

  #framesCame(nowMs: number): void {
    const wasSilent = this.phase === 'silent';
    this.phase = 'running';
    this.#goodSinceMs = nowMs;
    this.#isSteady = false;
    this.#hasFailed = false;
    this.retryCount = 0;
    if (wasSilent) this.#owner.notice('frames_restored', this);
    else if (this.#isLossReported) this.#owner.notice('input_restored', this);
    this.#isLossReported = false;
  }

  #fallSilent(nowMs: number): void {
    this.phase = 'silent';
    this.#lostAt(nowMs);
    const end: InputEnd = { code: 'input_stalled', detail: `no frame for ${seconds(nowMs - this.lastUnitMs)}` };
    this.#fault(end);
    this.#owner.notice('frames_timed_out', this, end);
  }

  #settle(): void {
    this.#isSteady = true;
    this.#backOff.reset();
  }

  #timedOut(quietMs: number): void {
    this.#endConnection({ code: 'input_timed_out', detail: `no frame for ${seconds(quietMs)}` });
  }

  #endConnection(end: InputEnd): void {
    const publisher = this.#publisher;
    this.#failed(end);
    publisher?.close(end);
  }

  #failed(end: InputEnd): void {
    const nowMs = this.#clock.now();
    if (this.phase === 'running') this.#lostAt(nowMs);
    const gone = this.#publisherGone;
    this.#drop();
    this.#hasFailed = true;
    this.#fault(end);
    const { retryLimit } = this.#owner;
    if (!this.spec.make) this.phase = 'waiting';
    else if (retryLimit !== null && this.retryCount >= retryLimit) this.phase = 'given_up';
    else this.phase = 'error';
    this.#retryAtMs = nowMs + this.#backOff.next();
    if (!this.#isLossReported) this.#owner.notice('input_lost', this, end);
    this.#isLossReported = true;
    if (this.phase === 'given_up') this.#owner.notice('input_given_up', this, end);
    this.#owner.ended(this, end);
    gone?.();
  }

  #drop(): void {
    const input = this.#input;
    this.#input = undefined;
    this.#publisher = undefined;
    this.#publisherGone = undefined;
    this.#attempt++;
    if (input) this.#letGo(input);
  }

  #letGo(input: Input): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#clock.after(CLOSE_MS, resolve);
    const closing = Promise.race([input.close(), promise]).finally(() => {
      cancel();
      this.#closing.delete(closing);
    });
    this.#closing.add(closing);
  }

  #lostAt(nowMs: number): void {
    this.#losses = [...this.#losses.slice(-1), nowMs];
  }

  #fault({ code, detail }: InputEnd): void {
    this.errorCount++;
    this.lastFault = { code, detail, at: this.#clock.now() };
  }
}

/** How a failed attempt is reported that threw something else than an `InputEnd`. */
function asInputEnd(error: unknown): InputEnd {
  if (typeof error === 'object' && error !== null && 'code' in error && 'detail' in error) {
    return { code: String(error.code), detail: String(error.detail) };
  }
  return { code: 'input_unreachable', detail: messageOf(error) };
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
