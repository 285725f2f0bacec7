import { describe, expect, it } from 'vitest';
import { request, startedEdge } from '../../../tests/helpers/edge-run.ts';
import { fileWindow, RecordedMedia } from '../../../tests/helpers/recorded-media.ts';
import { until } from '../../../tests/helpers/until.ts';
import { ConnectionSession } from '../connection-session.ts';
import type { Exchange } from '../exchange.ts';
import { StreamOutput } from '../stream-output.ts';
import { AnswerMemory, answerMemory, PIECE_BYTES } from './answer-memory.ts';
import { PacedBody } from './paced-body.ts';

describe('a paced body', () => {
  it('passes on the next piece only after the previous piece was sent', async () => {
    const run = await startedEdge('cam');
    const exchange = { connectionSession: new ConnectionSession(), onClose: () => undefined } as unknown as Exchange;
    let queuedBytes = 0;
    let maxBytes = 0;
    let sentBytes = 0;
    const stream = {
      queuedBytes: 0,
      write(bytes: Uint8Array, sent?: () => void): void {
        queuedBytes += bytes.length;
        sentBytes += bytes.length;
        maxBytes = Math.max(maxBytes, queuedBytes);
        if (!sent) return;
        setImmediate(() => {
          queuedBytes = 0;
          sent();
        });
      },
      end: () => undefined,
      abort: () => undefined,
    };
    const body = new PacedBody(exchange, run.output, () => stream, undefined, new AnswerMemory());
    const pieces = [1, PIECE_BYTES * 3 + 5, 7].map((size) => ({ bytes: new Uint8Array(size) }));
    const file = { read: async (_: number, size: number) => Promise.resolve(new Uint8Array(size)) };
    await body.write([...pieces, { file, offset: 0, sizeBytes: PIECE_BYTES * 2 + 1 }]);
    expect(maxBytes).toBe(PIECE_BYTES);
    expect(sentBytes).toBe(PIECE_BYTES * 5 + 14);
  });

  it.each(['/file/index.mp4', '/file/mpegts'])('is refused with 503 if no memory is left: %s', async (path) => {
    const recorded = new RecordedMedia(4);
    const run = await startedEdge('cam', { names: ['file'] });
    run.outputs.set('file', new StreamOutput('file', fileWindow(recorded)));
    const giveBack = answerMemory.takeNow('127.0.0.1', answerMemory.maxBytes);
    const refused = await run.get(path);
    giveBack();
    expect([refused.status, refused.body.toString()]).toEqual([503, expect.stringContaining('media_busy')]);
    expect((await run.get(path)).status).toBe(200);
    await until('the release of all memory', () => answerMemory.usedBytes === 0, 30_000);
    recorded.close();
  });

  it('releases its memory when a viewer who read nothing leaves', async () => {
    const recorded = new RecordedMedia(20);
    const run = await startedEdge('cam', { names: ['file'] });
    run.outputs.set('file', new StreamOutput('file', fileWindow(recorded)));
    const client = await run.connect();
    client.send(request('/file/mpegts'));
    await client.head();
    client.socket.destroy();
    await until('the release of all memory', () => answerMemory.usedBytes === 0, 30_000);
    recorded.close();
  });
});
