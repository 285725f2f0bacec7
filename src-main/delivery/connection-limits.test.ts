import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConnectionLimits, type ConnectionRefusals } from './connection-limits.ts';

describe('ConnectionLimits', () => {
  it('bounds what one address may have, a network of IPv6 as one', () => {
    const limits = new ConnectionLimits({ now: () => 0, maxPerAddress: 3, isShared: (peer) => peer === '192.0.2.9' });
    const enter = (...peers: readonly string[]): string[] => peers.map((peer) => limits.enter(peer));
    expect(enter('192.0.2.1', '::ffff:192.0.2.1', '192.0.2.1', '192.0.2.1')).toEqual([
      'open',
      'open',
      'open',
      'refused',
    ]);
    expect(enter('2001:db8::1', '2001:db8::2', '2001:db8:0:0:ffff::3', '2001:db8::4')).toEqual([
      ...['open', 'open', 'open', 'refused'],
    ]);
    expect(enter('2001:db8:0:1::1')).toEqual(['open']);
    expect(new Set(enter(...Array.from({ length: 9 }, () => '127.0.0.1')))).toEqual(new Set(['open']));
    expect(new Set(enter(...Array.from({ length: 9 }, () => '192.0.2.9')))).toEqual(new Set(['open']));
    limits.leave('::ffff:192.0.2.1');
    expect(enter('192.0.2.1', '192.0.2.1')).toEqual(['open', 'refused']);
  });

  it('keeps the last ones for this machine and for publishers', () => {
    const limits = new ConnectionLimits({ now: () => 0, maxConnections: 5, reserve: 2 });
    expect(
      ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '127.0.0.1', '::1'].map((peer) => limits.enter(peer)),
    ).toEqual(['open', 'open', 'open', 'reserve', 'open', 'refused']);
    for (const peer of ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '127.0.0.1']) limits.leave(peer);
    limits.leave('192.0.2.77');
    expect(limits.total).toBe(0);
  });

  it('promises no more than file handles allow, and takes other bounds', () => {
    const limits = new ConnectionLimits({ now: () => 0 });
    expect(limits.limit).toBe(20_000);
    expect(limits.handles({ count: 60, limit: 1_048_576 })).toBe(true);
    expect(limits.limit).toBe(20_000);
    expect(limits.handles({ count: 60, limit: 1000 })).toBe(false);
    expect(limits.limit).toBe(790);
    for (let index = 0; index < 500; index++) limits.enter(`192.0.2.${index % 250}`);
    // Its own connections are none of the others.
    limits.handles({ count: 560, limit: 1000 });
    expect(limits.limit).toBe(790);
    limits.handles({ count: 1400, limit: 1000 });
    expect(limits.limit).toBe(50);
    expect(limits.enter('127.0.0.1')).toBe('refused');
    limits.handles({ count: 5000, limit: 1000 });
    expect(limits.limit).toBe(1);
    limits.handles({ count: 560, limit: 1000 });
    limits.apply({ maxConnections: 501, maxPerAddress: 1, reserve: 0 });
    expect(limits.enter('192.0.2.1')).toBe('refused');
    expect([limits.enter('192.0.2.251'), limits.enter('192.0.2.252')]).toEqual(['open', 'refused']);
  });

  it('never promises more than is free, whatever else is open', () => {
    fc.assert(
      fc.property(fc.nat(100_000), fc.integer({ min: 1, max: 100_000 }), (count, limit) => {
        const limits = new ConnectionLimits({ now: () => 0 });
        limits.handles({ count, limit });
        expect(limits.limit).toBeLessThanOrEqual(Math.max(1, limit - count));
      }),
    );
  });

  it('reports what was refused from time to time, with a count', () => {
    const reports: ConnectionRefusals[] = [];
    let now = 0;
    const limits = new ConnectionLimits({
      now: () => now,
      maxPerAddress: 0,
      report: (refusals) => reports.push(refusals),
    });
    for (now = 0; now < 25_000; now += 100) limits.enter('192.0.2.1');
    limits.refuse('system', 'EMFILE');
    expect(reports.map(({ count }) => count)).toEqual([1, 100, 100]);
    expect([...limits.refused.entries()]).toEqual([
      ['address', 250],
      ['system', 1],
    ]);
  });
});
