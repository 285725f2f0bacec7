import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WindowSplice } from './segment-window.ts';
import { mergeSplice } from './splice-list.ts';

const KINDS = ['out', 'in', 'cancel'] as const;

/** An announcement, and the end of the timeline when it arrives. It never concerns the past. */
const ANNOUNCED = fc.record({
  kind: fc.constantFrom(...KINDS),
  eventId: fc.option(fc.nat(3)),
  aheadMs: fc.nat(20),
  passedMs: fc.nat(10),
});

/** The list after all announcements. Checks each step. */
function listed(announcements: readonly { kind: string; eventId: number | null; aheadMs: number; passedMs: number }[]) {
  let splices: WindowSplice[] = [];
  let endMs = 0;
  for (const [index, { kind, eventId, aheadMs, passedMs }] of announcements.entries()) {
    const before = splices;
    endMs += passedMs;
    // The list does not read the other fields of a splice point.
    const splice = { kind, eventId, atMs: endMs + aheadMs, section: `section ${index}` } as WindowSplice;
    splices = mergeSplice(splices, splice, endMs);
    check({ before, after: splices, splice, endMs });
  }
  return splices;
}

function check(step: { before: WindowSplice[]; after: WindowSplice[]; splice: WindowSplice; endMs: number }): void {
  const { before, after, splice, endMs } = step;
  expect(after.map(({ atMs }) => atMs)).toEqual(after.map(({ atMs }) => atMs).sort((a, b) => a - b));
  expect(after.filter(({ kind }) => kind === 'cancel')).toEqual([]);
  expect(after.includes(splice)).toBe(splice.kind !== 'cancel');
  // Past splices and splices of other events stay.
  const isOwn = (other: WindowSplice): boolean =>
    splice.eventId !== null && other.eventId === splice.eventId && other.atMs >= endMs;
  const others = before.filter((other) => !isOwn(other) && other.atMs !== splice.atMs);
  expect(after).toEqual(expect.arrayContaining(others));
  // A future event has each kind at most once, and no point after its cancellation.
  const own = after.filter((other) => isOwn(other) && other.atMs !== splice.atMs);
  if (splice.kind === 'cancel') expect(own).toEqual([]);
  else expect(own.filter(({ kind }) => kind === splice.kind)).toEqual([]);
}

describe('mergeSplice', () => {
  it('sorts splice points, keeps the latest message of an event, and keeps past points', () => {
    fc.assert(fc.property(fc.array(ANNOUNCED, { maxLength: 20 }), (announced) => void listed(announced)));
  });

  it('merges a repeated section into the same point', () => {
    const splice = { kind: 'out', eventId: null, atMs: 500, section: 'one' } as unknown as WindowSplice;
    expect(mergeSplice(mergeSplice([], splice, 0), { ...splice }, 100)).toHaveLength(1);
  });

  it('keeps both points of one event: out and in', () => {
    const out = { kind: 'out', eventId: 7, atMs: 500, section: 'out' } as unknown as WindowSplice;
    const back = { kind: 'in', eventId: 7, atMs: 900, section: 'in' } as unknown as WindowSplice;
    expect(mergeSplice(mergeSplice([], out, 0), back, 100)).toEqual([out, back]);
  });
});
