import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { until } from '../../tests/helpers/until.ts';
import { ByteBudget } from '../ingest/byte-budget.ts';
import { ConnectionBoard, ConnectionCount } from '../ingest/rtmp/connection-count.ts';
import { systemClock } from '../lib/clock.ts';
import { RtmpPorts } from './rtmp-ports.ts';

it('RTMP ports count refused connections, including those of closed ports', async () => {
  let port = 0;
  const call = {
    signal: new AbortController().signal,
    answer: (answer: number) => {
      port = answer;
    },
  };
  const board = new ConnectionBoard(1);
  board.apply({ maxConnections: 2, maxPerAddress: 2 });
  const gate = { open: () => Promise.resolve({ accepted: false as const, code: 'publish_not_allowed', detail: '' }) };
  const players = { play: () => Promise.resolve({ accepted: false as const, code: 'stream_not_found', detail: '' }) };
  const ports = new RtmpPorts(gate, players, systemClock, new ByteBudget(), new ConnectionCount(board.memory));
  const sockets: Socket[] = [];
  for (const listener of [1, 2]) {
    await ports.listen({ listener, host: '127.0.0.1', port: 0, reusePort: false }, call);
    for (let index = 0; index < 3; index++) {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      sockets.push(socket);
      await once(socket, 'connect');
    }
    await until('the refusal', () => ports.refused === listener, 30_000);
    await ports.close(listener);
    expect(ports.refused).toBe(listener);
  }
  for (const socket of sockets) socket.destroy();
});
