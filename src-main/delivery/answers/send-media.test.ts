import { afterEach, describe, expect, it } from 'vitest';
import { EdgeRun } from '../../../tests/helpers/edge-run.ts';
import { ListWindow } from '../../../tests/helpers/list-window.ts';
import { madeVideo } from '../../../tests/helpers/made-input.ts';
import type { MediaFile } from '../../segment/media-bytes.ts';
import { StreamOutput } from '../stream-output.ts';

/** A file that counts its reads. */
class CountedFile implements MediaFile {
  readonly reads: number[] = [];
  readonly #bytes: Uint8Array;
  failsFrom = Infinity;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  read(offset: number, sizeBytes: number): Promise<Uint8Array> {
    if (offset >= this.failsFrom) return Promise.reject(new Error('the disk is gone'));
    this.reads.push(sizeBytes);
    return Promise.resolve(this.#bytes.subarray(offset, offset + sizeBytes));
  }
}

const runs: EdgeRun[] = [];
/** Segments that counted as delivered. */
const delivered: string[] = [];

class NotingOutput extends StreamOutput {
  override delivered(trackId: string, address: string): void {
    delivered.push(`${trackId} ${address}`);
  }
}

/** A stream `file` with one segment, whose head is in memory and whose rest is in a file. */
async function served(head: Uint8Array, file: MediaFile, restBytes: number): Promise<EdgeRun> {
  const run = await new EdgeRun('cam', { names: ['file'] }).start();
  runs.push(run);
  const track = madeVideo();
  const sizeBytes = head.length + restBytes;
  const pieces = [{ bytes: head }, ...(restBytes > 0 ? [{ file, offset: 0, sizeBytes: restBytes }] : [])];
  const times = { startTicks: 0, durationTicks: track.timescale };
  const part = { ...times, index: 0, isIndependent: true, sizeBytes, pieces, arrivedMs: 0 };
  const segment = {
    ...times,
    trackId: 'v1',
    startMs: 0,
    parts: [part],
    sizeBytes,
    isComplete: true,
    isGap: false,
    initId: 0,
  };
  const entry = { segment, msn: 0, startMs: 0, isDiscontinuity: false, discontinuitySequence: 0, address: '0' };
  run.outputs.set('file', new NotingOutput('file', new ListWindow({ tracks: [{ track, segments: [entry] }] })));
  return run;
}

afterEach(async () => {
  delivered.length = 0;
  for (const run of runs.splice(0)) await run.close();
});

function numbered(count: number): Uint8Array {
  return Uint8Array.from({ length: count }, (_, index) => index * 7 + (index >> 8));
}

describe('media from a file', () => {
  it('is sent complete and in ranges, with Content-Length', async () => {
    const rest = numbered(700_000);
    const file = new CountedFile(rest);
    const run = await served(Buffer.from('head'), file, rest.length);
    const message = Buffer.concat([Buffer.from('head'), rest]);
    const reply = await run.get('/file/v1/0.m4s');
    expect([reply.status, reply.headers.get('content-length')]).toEqual([200, String(message.length)]);
    expect(reply.body.equals(message)).toBe(true);
    expect(Math.max(...file.reads)).toBeLessThanOrEqual(512 * 1024);
    const range = await run.get('/file/v1/0.m4s', { Range: 'bytes=2-299999' });
    expect([range.status, range.headers.get('content-range')]).toEqual([206, `bytes 2-299999/${message.length}`]);
    expect(range.body.equals(message.subarray(2, 300_000))).toBe(true);
    // Bytes already in memory are not read from the file.
    file.reads.length = 0;
    expect((await run.get('/file/v1/0.m4s', { Range: 'bytes=0-3' })).body.toString()).toBe('head');
    expect(file.reads).toEqual([]);
    expect(run.outputs.get('file')?.bytesOut).toBe(message.length + 299_998 + 4);
  });

  it.each([
    ['memory', 0],
    ['a file, in one piece', 100_000],
    ['a file, piece by piece', 1_500_000],
  ])('counts as delivered when its last byte was sent, from %s', async (_from, restBytes) => {
    const run = await served(Buffer.from('head'), new CountedFile(numbered(restBytes)), restBytes);
    await run.get('/file/v1/0.m4s', { Range: 'bytes=0-2' });
    await run.get('/file/v1/0.m4s', {}, 'HEAD');
    expect(delivered).toEqual([]);
    await run.get('/file/v1/0.m4s');
    expect(delivered).toEqual(['v1 0']);
    await run.get('/file/v1/0.m4s', { Range: 'bytes=1-' });
    expect(delivered).toEqual(['v1 0', 'v1 0']);
  });

  it('aborts a started reply if a read fails, and answers media_unreadable if the reply has not started', async () => {
    const file = new CountedFile(numbered(1_500_000));
    const run = await served(new Uint8Array(), file, 1_500_000);
    file.failsFrom = 1_000_000;
    await expect(run.get('/file/v1/0.m4s')).rejects.toThrow();
    // A short body is read completely before its head is sent.
    const reply = await run.get('/file/v1/0.m4s', { Range: 'bytes=600000-1400000' });
    expect(reply.status).toBe(503);
    expect(reply.body.toString()).toContain('media_unreadable');
  });
});
