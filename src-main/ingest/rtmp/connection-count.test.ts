import { expect, it } from 'vitest';
import { ConnectionCount, plainAddress } from './connection-count.ts';

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
  expect(['2001:db8::1', '2001:db8::2', '2001:db8::3'].map((address) => count.enter(address))).toEqual([
    true,
    true,
    false,
  ]);
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

it('shows IPv4 addresses as such', () => {
  expect(['::ffff:192.0.2.1', '192.0.2.1', '2001:db8::1'].map(plainAddress)).toEqual([
    '192.0.2.1',
    '192.0.2.1',
    '2001:db8::1',
  ]);
});
