import type { Clock } from '../../lib/clock.ts';

/** Reads of a connection that can be deferred. */
export interface DeferrableReads {
  /** Stops reading bytes on arrival; false if `read` is unsupported. */
  stop(): boolean;
  /** Reads bytes on arrival again. Waiting bytes are read at once. */
  start(): void;
  /** Reads once after `stop`: a full buffer, fewer bytes, or nothing. Nothing may mean the end of the connection. */
  read(): 'full' | 'some' | 'nothing';
}

/** Interval at which a connection is read, in milliseconds, and so the maximum delay of its media. */
const TICK_MS = 40;
/**
 * Minimum number of publishers for reads by ticks. Fewer publishers are read immediately, because their wake-ups cost
 * little.
 */
const MIN_MEMBERS = 8;
/** Number of consecutive ticks with bytes after which a connection counts as steady. */
const STEADY_TICKS = 4;
/** Maximum reads of a connection per tick; a connection with more bytes is read immediately. */
const MAX_READS = 4;
/**
 * Number of consecutive ticks with more than one buffer of bytes (13 Mbit/s) after which a connection is read
 * immediately: ticks would need a larger TCP window.
 */
const FAST_TICKS = 2;
/** Maximum number of connections that are read in one turn of the event loop. */
const MAX_MEMBERS_PER_TURN = 64;

/** Publisher's connection that is read by ticks. */
export class TickedReads {
  /** Whether bytes arrived since the last tick. */
  hasNewBytes = false;
  readonly #reads: DeferrableReads;
  #isDeferred = false;
  #steadyTicks = 0;
  #fullTicks = 0;

  constructor(reads: DeferrableReads) {
    this.#reads = reads;
  }

  /** Reads waiting bytes, or checks whether the connection is steady enough for ticks. */
  tick(): void {
    if (this.#isDeferred) {
      if (!this.#readWaiting()) this.start();
      return;
    }
    this.#steadyTicks = this.hasNewBytes ? this.#steadyTicks + 1 : 0;
    this.hasNewBytes = false;
    if (this.#steadyTicks >= STEADY_TICKS) this.#isDeferred = this.#reads.stop();
  }

  /** Reads immediately until the connection is steady again. */
  start(): void {
    this.#steadyTicks = 0;
    this.#fullTicks = 0;
    this.hasNewBytes = false;
    if (!this.#isDeferred) return;
    this.#isDeferred = false;
    this.#reads.start();
  }

  /** Reads the waiting bytes; returns whether the next tick is soon enough for more. */
  #readWaiting(): boolean {
    for (let count = 1; count <= MAX_READS; count++) {
      const found = this.#reads.read();
      if (found === 'full') continue;
      this.#fullTicks = count > 1 ? this.#fullTicks + 1 : 0;
      return (found === 'some' || count > 1) && this.#fullTicks < FAST_TICKS;
    }
    return false;
  }
}

/**
 * Reads the connections of many publishers together, 25 times a second, instead of each on arrival: the thread wakes up once for
 * all connections, and the output of their streams leaves it together. With few publishers, and for a connection that is slow,
 * unsteady or very fast, reads are immediate.
 */
export class ReadTicks {
  readonly #clock: Clock;
  readonly #members = new Set<TickedReads>();
  #cancel: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds a connection that started publishing. */
  join(reads: DeferrableReads): TickedReads {
    const member = new TickedReads(reads);
    this.#members.add(member);
    if (this.#members.size >= MIN_MEMBERS) this.#cancel ??= this.#clock.after(TICK_MS, () => this.#tick());
    return member;
  }

  /** Removes a connection that stopped publishing; it is read immediately. */
  leave(member: TickedReads): void {
    if (!this.#members.delete(member)) return;
    member.start();
    if (this.#members.size >= MIN_MEMBERS) return;
    this.#cancel?.();
    this.#cancel = undefined;
    for (const other of this.#members) other.start();
  }

  #tick(): void {
    // Set first, so that the next tick runs even if a read throws.
    this.#cancel = this.#clock.after(TICK_MS, () => this.#tick());
    this.#read([...this.#members], 0);
  }

  #read(members: readonly TickedReads[], from: number): void {
    const end = Math.min(members.length, from + MAX_MEMBERS_PER_TURN);
    for (let at = from; at < end; at++) {
      const member = members[at];
      if (member && this.#members.has(member)) member.tick();
    }
    if (end < members.length) this.#clock.after(0, () => this.#read(members, end));
  }
}
