import { expect, it } from 'vitest';
import { ConnectionBoard, ConnectionCount } from './connection-count.ts';

/** Board with limits, and the connection count of each thread. */
function counted(threads: number, maxConnections: number, maxPerAddress: number) {
  const board = new ConnectionBoard(threads);
  board.apply({ maxConnections, maxPerAddress });
  return { board, counts: Array.from({ length: threads }, (_, place) => new ConnectionCount(board.memory, place)) };
}

function entered({ counts }: ReturnType<typeof counted>, addresses: readonly string[]): readonly boolean[] {
  return addresses.map((address, index) => counts[index % counts.length]?.enter(address) === true);
}

it.each([1, 2])('ConnectionCount limits connections per address and in total, over %i threads', (threads) => {
  const all = counted(threads, 5, 2);
  expect(entered(all, ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2'])).toEqual([true, true, false, true]);
  all.counts[0]?.leave('192.0.2.1');
  expect(entered(all, ['192.0.2.1', '2001:db8::1', '2001:db8::2', '198.51.100.1'])).toEqual([true, true, true, false]);
  expect(all.board.total).toBe(5);
});

it('ConnectionCount counts an IPv6 network as one address', () => {
  const all = counted(1, 9, 2);
  const addresses = ['2001:db8:0:1::1', '2001:db8:0:1:ffff::2', '2001:db8:0:1::3', '2001:db8:0:2::1'];
  expect(entered(all, addresses)).toEqual([true, true, false, true]);
  all.counts[0]?.leave('2001:db8:0:1::1');
  expect(entered(all, ['2001:db8:0:1::4'])).toEqual([true]);
});

it('ConnectionCount does not limit loopback addresses', () => {
  const addresses = ['127.0.0.1', '127.0.0.1', '::1', '::1', '::1'];
  expect(entered(counted(2, 4, 1), addresses)).toEqual([true, true, true, true, false]);
});

it('ConnectionBoard releases only the connections of a dead thread', () => {
  const all = counted(2, 4, 4);
  entered(all, ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.1']);
  all.board.release(0);
  expect(all.board.total).toBe(2);
  expect(entered(all, ['192.0.2.1', '192.0.2.1', '192.0.2.1'])).toEqual([true, true, false]);
});

it('ConnectionCount accepts no more than the file handles allow, and keeps open connections', () => {
  const all = counted(1, 10, 10);
  all.board.allow(3);
  expect(all.board.limit).toBe(3);
  expect(entered(all, ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'])).toEqual([true, true, true, false]);
  all.board.allow(1);
  expect(all.board.total).toBe(3);
  all.board.allow(Infinity);
  expect(all.board.limit).toBe(10);
});

it('ConnectionCount reserves a quarter for ports with TLS and a quarter for other ports, if both exist', () => {
  const { board, counts } = counted(2, 8, 8);
  board.apply({ maxConnections: 8, maxPerAddress: 8, hasBothKinds: true });
  const enter = (hasTls: boolean): number =>
    Array.from({ length: 9 }, (_, index) => counts[index % 2]?.enter('192.0.2.1', hasTls)).filter(Boolean).length;
  expect(board.isFull).toBe(false);
  expect([enter(true), board.isFull, enter(false), board.total]).toEqual([6, true, 2, 8]);
  for (let left = 6; left > 0; left--) counts[left % 2]?.leave('192.0.2.1', true);
  expect([enter(false), enter(true)]).toEqual([4, 2]);
  board.apply({ maxConnections: 8, maxPerAddress: 8 });
  expect(board.isFull).toBe(true);
});

it('ConnectionCount refuses no address because of other addresses', () => {
  const all = counted(4, 10_000, 100);
  const addresses = Array.from({ length: 10_000 }, (_, index) => `10.0.${index % 5}.${Math.floor(index / 5) % 200}`);
  expect(entered(all, addresses).filter((isIn) => !isIn)).toEqual([]);
});
