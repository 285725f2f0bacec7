import { describe, expect, it } from 'vitest';
import type { SpliceInsertBody } from '../../src-preload/contract/api/ad-objects.ts';
import { readSpliceInfo } from '../media/scte35/splice-info.ts';
import { spliceOnTimeline } from '../stream/stream-splice.ts';
import { insertSplice } from './insert-splice.ts';
import type { Streams } from './streams.ts';

const NOW = Date.UTC(2027, 0, 15, 12, 0, 0);

/** Splice section that the stream `cam` receives. Throws if none was sent. */
function inserted(body: SpliceInsertBody, isRunning = true): { readonly section: Uint8Array; readonly atMs: number } {
  let received: { readonly section: Uint8Array; readonly atMs: number } | undefined;
  const streams = {
    get: (name: string) => (name === 'cam' ? {} : undefined),
    splice: (_entry: unknown, section: Uint8Array, atMs: number) => {
      received = { section, atMs };
      return isRunning;
    },
  } as unknown as Streams;
  insertSplice(streams, 'cam', body, NOW);
  if (!received) throw new Error('no splice was inserted');
  return received;
}

const placed = (body: SpliceInsertBody): unknown => {
  const { section, atMs } = inserted(body);
  return spliceOnTimeline({ sourceId: 1, section, atTicks: atMs * 90 }, 0);
};

describe('a manually inserted splice point', () => {
  it('starts a break at once, with automatic return unless disabled', () => {
    expect(placed({ duration: 30 })).toMatchObject({ atMs: NOW, kind: 'out', durationMs: 30_000 });
    const returns = (body: SpliceInsertBody): unknown =>
      (readSpliceInfo(inserted(body).section)?.command as { breakDuration?: { isAutoReturn: boolean } }).breakDuration;
    expect(returns({ duration: 30 })).toEqual({ isAutoReturn: true, durationTicks: 2_700_000 });
    expect(returns({ duration: 30, auto_return: false })).toMatchObject({ isAutoReturn: false });
    expect(returns({})).toBeUndefined();
  });

  it('may be up to a day in the future, but not in the past', () => {
    expect(placed({ at: NOW + 86_400_000, kind: 'in', event_id: 5 })).toMatchObject({
      atMs: NOW + 86_400_000,
      kind: 'in',
    });
    for (const at of [NOW + 86_400_001, NOW - 2001]) expect(() => inserted({ at })).toThrow('The time is');
  });

  it('cancels an event by its event_id', () => {
    expect(placed({ kind: 'cancel', event_id: 9 })).toMatchObject({ kind: 'cancel', eventId: 9 });
    expect(() => inserted({ kind: 'cancel' })).toThrow('event_id of the event to cancel');
  });

  it('is refused if its fields contradict each other, or if the stream does not run', () => {
    expect(() => inserted({ kind: 'in', duration: 3 })).toThrow('Only the start');
    expect(() => inserted({ auto_return: true })).toThrow('without a duration');
    expect(() => inserted({}, false)).toThrow('is not running');
  });
});
