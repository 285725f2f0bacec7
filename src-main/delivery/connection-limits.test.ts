import { describe, expect, it } from 'vitest';
import { ConnectionLimits, type ConnectionRefusal } from './connection-limits.ts';

describe('ConnectionLimits', () => {
  it('limits the connections of one address or one IPv6 network', () => {
    const limits = new ConnectionLimits({ maxPerAddress: 3, isShared: (peer) => peer === '192.0.2.9' });
    const enter = (...peers: readonly string[]): string[] => peers.map((peer) => limits.enter(peer));
    expect(enter('192.0.2.1', '::ffff:192.0.2.1', '192.0.2.1', '192.0.2.1')).toEqual([
      'open',
      'open',
      'open',
      'refused',
    ]);
    expect(enter('2001:db8::1', '2001:db8::2', '2001:db8:0:0:ffff::3', '2001:db8::4')).toEqual([
      'open',
      'open',
      'open',
      'refused',
    ]);
    expect(enter('2001:db8:0:1::1')).toEqual(['open']);
    expect(new Set(enter(...Array.from({ length: 9 }, () => '127.0.0.1')))).toEqual(new Set(['open']));
    expect(new Set(enter(...Array.from({ length: 9 }, () => '192.0.2.9')))).toEqual(new Set(['open']));
    limits.leave('::ffff:192.0.2.1');
    expect(enter('192.0.2.1', '192.0.2.1')).toEqual(['open', 'refused']);
  });

  it('reserves the last connections for this machine and for publishers', () => {
    const limits = new ConnectionLimits({ maxConnections: 5, reserve: 2 });
    expect(
      ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '127.0.0.1', '::1'].map((peer) => limits.enter(peer)),
    ).toEqual(['open', 'open', 'open', 'reserve', 'open', 'refused']);
    for (const peer of ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '127.0.0.1']) limits.leave(peer);
    limits.leave('192.0.2.77');
    expect(limits.total).toBe(0);
  });

  it('obeys the limit of file handles and changed limits', () => {
    const limits = new ConnectionLimits();
    expect(limits.limit).toBe(20_000);
    limits.allow(500);
    for (let index = 0; index < 500; index++) limits.enter(`192.0.2.${index % 250}`);
    expect(limits.enter('127.0.0.1')).toBe('refused');
    limits.allow(50);
    expect([limits.limit, limits.total]).toEqual([50, 500]);
    limits.allow(Infinity);
    limits.apply({ maxConnections: 501, maxPerAddress: 1, reserve: 0 });
    expect(limits.enter('192.0.2.1')).toBe('refused');
    expect([limits.enter('192.0.2.251'), limits.enter('192.0.2.252')]).toEqual(['open', 'refused']);
  });

  it('reports and counts each refused connection', () => {
    const reports: ConnectionRefusal[] = [];
    const limits = new ConnectionLimits({ maxPerAddress: 0, report: (refusal) => reports.push(refusal) });
    for (let count = 0; count < 3; count++) limits.enter('192.0.2.1');
    limits.refuse('system', 'EMFILE');
    expect(reports).toEqual([
      ...Array.from({ length: 3 }, () => ({ reason: 'address', detail: '192.0.2.1' })),
      { reason: 'system', detail: 'EMFILE' },
    ]);
    expect([...limits.refused.entries()]).toEqual([
      ['address', 3],
      ['system', 1],
    ]);
  });
});
