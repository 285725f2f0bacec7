import { Socket } from 'node:dgram';
import { afterEach, expect, it, vi } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { OutgoingHosts } from '../../lib/outgoing-hosts.ts';
import { DatagramSocket, type DatagramSocketOptions } from './datagram-socket.ts';

const address = { url: new URL('udp://239.255.77.9:5000'), host: '239.255.77.9', port: 5000, isRtp: false };

afterEach(() => {
  vi.restoreAllMocks();
});

/** Arguments of the calls that set TTL and loop of a socket for a group, by the time at which it is ready. */
async function groupCalls(options: Pick<DatagramSocketOptions, 'ttl' | 'isLooped'>): Promise<unknown[][]> {
  const calls = (['setMulticastTTL', 'setMulticastLoopback'] as const).map((name) => vi.spyOn(Socket.prototype, name));
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const socket = new DatagramSocket(
    { address, hosts: new OutgoingHosts(), clock: new FakeClock(), ...options },
    {
      connected: () => {
        resolve(undefined);
      },
      failed: ({ detail }) => {
        reject(new Error(detail));
      },
    },
  );
  await promise;
  socket.close();
  return calls.map(({ mock }) => mock.calls.flat());
}

// The system applies both to each datagram. The default TTL of the system is 1.
it.each([
  [{}, [[], [true]]],
  [{ ttl: 7 }, [[7], [true]]],
  [{ ttl: 255, isLooped: true }, [[255], [true]]],
  [{ isLooped: false }, [[], [false]]],
])('sends to a group with the options %j', async (options, expected) => {
  expect(await groupCalls(options)).toEqual(expected);
});
