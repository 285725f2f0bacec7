import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { until } from '../../tests/helpers/until.ts';
import { HttpPublishEndpoint } from '../delivery/http-publish-endpoint.ts';
import { HttpRequests } from '../engine/http-requests.ts';
import type { PublishAnswer, ToMediaThread } from '../engine/messages.ts';
import type { MediaWorker } from '../engine/media-worker.ts';

const MIB = 1024 * 1024;
const SENT_BYTES = 40 * MIB;
const LIMIT_MS = 20_000;
let server: Server;

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

it('an encoder that sends faster than its media thread takes waits at its socket', async () => {
  // A media thread that is busy, or not there for a moment: what is posted to it lies in memory.
  const posted: (ToMediaThread & { kind: 'http-bytes' })[] = [];
  let bytes = 0;
  const life = {
    post: (message: ToMediaThread) => {
      if (message.kind !== 'http-bytes') return;
      posted.push(message);
      bytes += message.bytes.length;
      // Bytes take no larger memory along.
      expect(message.bytes.buffer.byteLength).toBe(message.bytes.length);
    },
  } as MediaWorker;
  const requests = new HttpRequests();
  const door = new HttpPublishEndpoint<PublishAnswer>({
    isExternal: () => false,
    // The stream has no reader here.
    decide: (_request, accept) => {
      const answer = { accepted: true, stream: {} } as PublishAnswer & { accepted: true };
      accept(answer);
      return Promise.resolve(answer);
    },
    open: (wanted, answer, port) => requests.open(life, wanted, answer, port),
  });
  server = createServer((incoming, response) => door.take(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const encoder = request({ port, host: '127.0.0.1', method: 'POST', path: '/live/flood/mpegts' });
  encoder.on('error', () => {});
  let accepted = 0;
  for (; accepted < SENT_BYTES; accepted += MIB) encoder.write(Buffer.alloc(MIB));
  encoder.end();

  await until('its credit to be used up', () => bytes >= MIB, LIMIT_MS);
  // What more could come in many turns of the loop does not come.
  for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(bytes).toBeLessThan(MIB + 256 * 1024);

  // The thread takes what is there, and the rest follows, never more than the credit at a time.
  let taken = 0;
  await until(
    'all bytes',
    () => {
      expect(bytes - taken).toBeLessThan(MIB + 256 * 1024);
      for (const message of posted.splice(0)) {
        taken += message.bytes.length;
        requests.taken(message.requestId, message.bytes.length);
      }
      return taken === SENT_BYTES;
    },
    LIMIT_MS,
  );
});
