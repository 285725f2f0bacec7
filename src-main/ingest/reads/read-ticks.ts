import type { Clock } from '../../lib/clock.ts';

/** Reads of a connection that need not be made as soon as bytes are there. */
export interface DeferrableReads {
  /** Stops the reads that bytes bring about; false where they cannot be made up for. */
  stop(): boolean;
  /** Lets bytes bring about reads again; those that wait come at once. */
  start(): void;
  /** Reads once of what waits, after `stop`: whether it filled the buffer, was less, or there was nothing, be it for the end of the connection. */
  read(): 'full' | 'some' | 'nothing';
}

/** Time between two reads of a connection in milliseconds: what its media is late by at most. */
const TICK_MS = 40;
/** Fewer publishers are read as soon as bytes are there: to be woken for each costs little then. */
const FEW_MEMBERS = 8;
/** A connection that was read in so many ticks one after the other is expected to have bytes in the next one too. */
const STEADY_TICKS = 4;
/** Most reads of a connection in one tick; a faster one is read as soon as bytes are there. */
const MAX_READS = 4;
/** As often as this one after the other may a tick find more than one buffer holds: 13 Mbit/s, from where on the windows of TCP would have to be wider. */
const MAX_FULL_TICKS = 2;
/** Connections that are read in one turn of the event loop. */
const TURN_MEMBERS = 64;

/** A publisher's connection, as it is read by ticks. */
export class TickedReads {
  /** Whether bytes came since the last tick. */
  hasCome = false;
  readonly #reads: DeferrableReads;
  #isDeferred = false;
  #steadyTicks = 0;
  #fullTicks = 0;

  constructor(reads: DeferrableReads) {
    this.#reads = reads;
  }

  /** Reads what waits, or looks whether the connection is steady enough for that. */
  tick(): void {
    if (this.#isDeferred) {
      if (!this.#readWaiting()) this.start();
      return;
    }
    this.#steadyTicks = this.hasCome ? this.#steadyTicks + 1 : 0;
    this.hasCome = false;
    if (this.#steadyTicks >= STEADY_TICKS) this.#isDeferred = this.#reads.stop();
  }

  /** Is read as soon as bytes are there, until it has been steady again. */
  start(): void {
    this.#steadyTicks = 0;
    this.#fullTicks = 0;
    this.hasCome = false;
    if (!this.#isDeferred) return;
    this.#isDeferred = false;
    this.#reads.start();
  }

  /** Returns whether the next tick is soon enough. */
  #readWaiting(): boolean {
    for (let count = 1; count <= MAX_READS; count++) {
      const found = this.#reads.read();
      if (found === 'full') continue;
      this.#fullTicks = count > 1 ? this.#fullTicks + 1 : 0;
      return (found === 'some' || count > 1) && this.#fullTicks < MAX_FULL_TICKS;
    }
    return false;
  }
}

/**
 * Reads the connections of many publishers together, 25 times a second, instead of each whenever bytes come: one thread is woken once for all, and what
 * their streams emit leaves it together. Where there are few, and for a connection that is slow, unsteady or very fast, nothing waits.
 */
export class ReadTicks {
  readonly #clock: Clock;
  readonly #members = new Set<TickedReads>();
  #cancel: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A connection has begun to publish. */
  join(reads: DeferrableReads): TickedReads {
    const member = new TickedReads(reads);
    this.#members.add(member);
    if (this.#members.size >= FEW_MEMBERS) this.#cancel ??= this.#clock.after(TICK_MS, () => this.#tick());
    return member;
  }

  /** A connection publishes no more: it is read as soon as bytes are there. */
  leave(member: TickedReads): void {
    if (!this.#members.delete(member)) return;
    member.start();
    if (this.#members.size >= FEW_MEMBERS) return;
    this.#cancel?.();
    this.#cancel = undefined;
    for (const other of this.#members) other.start();
  }

  #tick(): void {
    // Set first: whatever a read raises, the next tick comes.
    this.#cancel = this.#clock.after(TICK_MS, () => this.#tick());
    this.#read([...this.#members], 0);
  }

  #read(members: readonly TickedReads[], from: number): void {
    const end = Math.min(members.length, from + TURN_MEMBERS);
    for (let at = from; at < end; at++) {
      const member = members[at];
      if (member && this.#members.has(member)) member.tick();
    }
    if (end < members.length) this.#clock.after(0, () => this.#read(members, end));
  }
}
