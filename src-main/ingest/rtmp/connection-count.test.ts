import { expect, it } from 'vitest';
import { ConnectionCount } from './connection-count.ts';

it('limits the connections of one address, and those of all', () => {
  const count = new ConnectionCount({ maxConnections: 5, maxConnectionsPerAddress: 2 });
  expect(['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2'].map((address) => count.enter(address))).toEqual([
    true,
    true,
    false,
    true,
  ]);
  count.leave('192.0.2.1');
  expect(count.enter('192.0.2.1')).toBe(true);
  expect(count.enter('2001:db8::1')).toBe(true);
});

it('counts a network of IPv6 as one address', () => {
  const count = new ConnectionCount({ maxConnections: 9, maxConnectionsPerAddress: 2 });
  const addresses = ['2001:db8:0:1::1', '2001:db8:0:1:ffff::2', '2001:db8:0:1::3', '2001:db8:0:2::1'];
  expect(addresses.map((address) => count.enter(address))).toEqual([true, true, false, true]);
  count.leave('2001:db8:0:1::1');
  expect(count.enter('2001:db8:0:1::4')).toBe(true);
});

it('does not limit loopback by address', () => {
  const count = new ConnectionCount({ maxConnections: 4, maxConnectionsPerAddress: 1 });
  expect(['127.0.0.1', '127.0.0.1', '::1', '::1', '::1'].map((address) => count.enter(address))).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
});
