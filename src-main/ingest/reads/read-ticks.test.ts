import { beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { ReadTicks, type DeferrableReads, type TickedReads } from './read-ticks.ts';

const TICK_MS = 40;

/** Connection whose bytes are controlled by a test. */
class TestReads implements DeferrableReads {
  /** Number of waiting buffers. A fraction is the last buffer of a read. */
  waiting = 0;
  taken = 0;
  isStopped = false;
  canStop = true;

  stop(): boolean {
    this.isStopped = this.canStop;
    return this.canStop;
  }

  start(): void {
    this.isStopped = false;
  }

  read(): 'full' | 'some' | 'nothing' {
    const count = Math.min(1, this.waiting);
    this.waiting -= count;
    this.taken += count;
    return count === 1 ? 'full' : count > 0 ? 'some' : 'nothing';
  }
}

let clock: FakeClock;
let ticks: ReadTicks;
let reads: TestReads[];
let members: TickedReads[];

beforeEach(() => {
  clock = new FakeClock();
  ticks = new ReadTicks(clock);
  reads = [];
  members = [];
});

function join(count: number): void {
  for (let at = 0; at < count; at++) {
    const one = new TestReads();
    reads.push(one);
    members.push(ticks.join(one));
  }
}

/** Bytes arrive on all connections before each tick. Connections that are not deferred read them at once. */
function pass(tickCount: number, buffers = 0.5): void {
  for (let tick = 0; tick < tickCount; tick++) {
    for (const [index, one] of reads.entries()) {
      const member = members[index];
      if (one.isStopped) one.waiting += buffers;
      else if (member) member.hasNewBytes = true;
    }
    clock.advance(TICK_MS);
  }
}

function stopped(): number {
  return reads.filter(({ isStopped }) => isStopped).length;
}

describe('socket reads of publishers', () => {
  it('happen as soon as bytes arrive if there are few publishers', () => {
    join(7);
    pass(20);
    expect(stopped()).toBe(0);
  });

  it('are deferred to ticks if there are many steady publishers', () => {
    join(8);
    pass(3);
    expect(stopped()).toBe(0);
    pass(1);
    expect(stopped()).toBe(8);
    pass(10);
    expect(reads.map(({ taken, waiting }) => [taken, waiting])).toEqual(Array(8).fill([5, 0]));
    expect(stopped()).toBe(8);
  });

  it('happen as soon as bytes arrive again after publishers have left', () => {
    join(8);
    pass(4);
    const [first] = members;
    if (first) ticks.leave(first);
    expect(stopped()).toBe(0);
    reads.shift();
    members.shift();
    pass(20);
    expect(stopped()).toBe(0);
  });

  it('are not deferred on a connection that pauses', () => {
    join(8);
    pass(4);
    clock.advance(TICK_MS);
    expect(stopped()).toBe(0);
    for (let tick = 0; tick < 20; tick++) {
      for (const member of tick % 2 === 0 ? members : []) member.hasNewBytes = true;
      clock.advance(TICK_MS);
    }
    expect(stopped()).toBe(0);
  });

  it('are not deferred on a very fast connection', () => {
    join(9);
    pass(4);
    expect(stopped()).toBe(9);
    const [burst, fast] = reads;
    // The tick reads up to its limit. Then the connection reads at once again.
    if (burst) burst.waiting = 40;
    clock.advance(TICK_MS);
    expect(burst?.taken).toBe(4);
    expect(burst?.isStopped).toBe(false);
    for (const one of reads) one.start();
    for (const member of members) member.start();
    pass(4);
    for (let tick = 0; tick < 2; tick++) {
      expect(fast?.isStopped).toBe(true);
      for (const one of reads) one.waiting = one === fast ? 1.5 : 0.5;
      clock.advance(TICK_MS);
    }
    expect(fast?.isStopped).toBe(false);
    expect(stopped()).toBe(8);
  });

  it('stay unchanged if they cannot be deferred', () => {
    join(8);
    for (const one of reads) one.canStop = false;
    pass(20);
    expect(reads.map(({ isStopped, taken }) => [isStopped, taken])).toEqual(Array(8).fill([false, 0]));
  });

  it('of hundreds of connections all happen in one tick', () => {
    join(300);
    pass(4);
    for (const one of reads) one.waiting = 0.5;
    clock.advance(TICK_MS);
    expect(reads.every(({ taken }) => taken === 0.5)).toBe(true);
    expect(stopped()).toBe(300);
  });
});
