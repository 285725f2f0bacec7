import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { Transmissions, type PushTransmission } from './transmissions.ts';

const LOST = { code: 'push_lost', detail: 'closed' };
const STOPPED = { code: 'push_removed', detail: 'removed' };

let reports: PushTransmission[];
let transmissions: Transmissions;
beforeEach(() => {
  reports = [];
  transmissions = new Transmissions((report) => reports.push(report));
});

describe('the transmissions of a push', () => {
  it('are reported when they run steadily, and again when they end', () => {
    transmissions.attempt(100, 0);
    transmissions.sent(300);
    expect(reports).toEqual([]);
    transmissions.steady(5000);
    transmissions.steady(6000);
    transmissions.failed(20_000, 9000, LOST, false);
    const facts = { startedMs: 300, hasSent: true, tries: 1 };
    expect(reports).toEqual([
      { ...facts, endedMs: null, bytes: 5000 },
      { ...facts, endedMs: 20_000, bytes: 9000, end: LOST },
    ]);
  });

  it('count the attempts before them, and only their own bytes', () => {
    transmissions.attempt(0, 0);
    transmissions.sent(1);
    transmissions.steady(10);
    transmissions.failed(100, 50, LOST, false);
    for (const now of [200, 300]) {
      transmissions.attempt(now, 50);
      transmissions.failed(now + 1, 50, LOST, false);
    }
    transmissions.attempt(400, 50);
    transmissions.sent(410);
    transmissions.ended(500, 80, STOPPED);
    expect(reports.at(-1)).toEqual({ startedMs: 410, endedMs: 500, hasSent: true, tries: 3, bytes: 30, end: STOPPED });
  });

  it('are one report for attempts that all fail, with their last fault', () => {
    transmissions.attempt(100, 0);
    transmissions.failed(101, 0, { code: 'push_unreachable', detail: 'refused' }, false);
    transmissions.attempt(5100, 0);
    transmissions.failed(5101, 0, LOST, false);
    transmissions.ended(9000, 0, STOPPED);
    expect(reports).toEqual([{ startedMs: 100, endedMs: 9000, hasSent: false, tries: 2, bytes: 0, end: LOST }]);
  });

  it('end with the last attempt, and report nothing without one', () => {
    transmissions.ended(1, 0, STOPPED);
    transmissions.attempt(100, 0);
    transmissions.failed(101, 0, LOST, true);
    transmissions.ended(200, 0, STOPPED);
    expect(reports.map(({ endedMs, end }) => [endedMs, end?.code])).toEqual([[101, 'push_lost']]);
  });

  it('account for all bytes exactly once, whatever happens', () => {
    const anyCall = fc.constantFrom('attempt', 'sent', 'steady', 'failed', 'ended');
    fc.assert(
      fc.property(fc.array(fc.tuple(anyCall, fc.nat(1000)), { maxLength: 60 }), (calls) => {
        const found: PushTransmission[] = [];
        const tested = new Transmissions((report) => found.push(report));
        let [now, bytes, isOpen, sentInAttempts] = [0, 0, false, 0];
        for (const [call, size] of calls) {
          now++;
          // Bytes are sent only on connections.
          if (isOpen) [bytes, sentInAttempts] = [bytes + size, sentInAttempts + size];
          if (call === 'attempt') isOpen = true;
          if (call === 'failed' || call === 'ended') isOpen = false;
          if (call === 'attempt') tested.attempt(now, bytes);
          else if (call === 'sent') tested.sent(now);
          else if (call === 'steady') tested.steady(bytes);
          else if (call === 'failed') tested.failed(now, bytes, LOST, false);
          else tested.ended(now, bytes, STOPPED);
        }
        tested.ended(++now, bytes, STOPPED);
        const ends = found.filter(({ endedMs }) => endedMs !== null);
        expect(ends.reduce((sum, report) => sum + report.bytes, 0)).toBe(sentInAttempts);
        for (const { startedMs, endedMs } of ends) expect(endedMs).toBeGreaterThanOrEqual(startedMs);
      }),
    );
  });
});
