import { describe, expect, it } from 'vitest';
import { decodedFrames } from '../../../tests/helpers/decoded-frames.ts';
import { request, startedEdge } from '../../../tests/helpers/edge-run.ts';
import { ffprobe } from '../../../tests/helpers/ffmpeg-media.ts';
import { fileWindow, RecordedMedia } from '../../../tests/helpers/recorded-media.ts';
import { StreamRun } from '../../../tests/helpers/stream-run.ts';
import { testMedia } from '../../../tests/helpers/test-media.ts';
import { until } from '../../../tests/helpers/until.ts';
import { StreamOutput } from '../stream-output.ts';

describe('a stream as one MP4 file', () => {
  const media = testMedia();

  it('starts with the newest segment, and ends properly when the stream is closed', async () => {
    const stream = new StreamRun();
    const run = await startedEdge('cam', { stream });
    const units = [...media.units(9)];
    const half = units.findIndex((unit) => unit.dtsTicks > 5.3 * 90_000);
    stream.playUnits([media.video, media.audio], units.slice(0, half));
    const newest = run.stream.window.lastSegment('v1');
    const client = await run.connect();
    client.send(request('/cam/index.mp4'));
    const head = await client.head();
    expect(head.status).toBe(200);
    const headers = ['content-type', 'cache-control', 'accept-ranges'].map((name) => head.headers.get(name));
    expect(headers).toEqual(['video/mp4', 'no-store', 'none']);
    const pieces = [await client.chunk()];
    stream.playUnits([media.video, media.audio], units.slice(half));
    stream.close();
    // All available media was sent, and the viewer waits.
    const parts = ['v1', 'a1'].flatMap((id) =>
      stream.window
        .segments(id)
        .filter(({ msn }) => msn >= (newest?.msn ?? 0))
        .flatMap(({ segment }) => segment.parts),
    );
    const mediaBytes = parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    let readBytes = 0;
    while (readBytes < mediaBytes) {
      const piece = await client.chunk();
      pieces.push(piece);
      readBytes += piece?.length ?? 0;
    }
    run.closeOutput();
    for (let piece = await client.chunk(); piece; piece = await client.chunk()) pieces.push(piece);
    const bytes = Buffer.concat(pieces.map((piece) => piece ?? Buffer.alloc(0)));
    expect(decodedFrames(bytes, 'mp4').video).toHaveLength(5 * 25);
    expect(ffprobe(bytes, ['-show_entries', 'stream=codec_name,start_time', '-of', 'csv=p=0'])).toMatch(
      /^h264,0\.000000\naac,0\.0\d+\n$/,
    );
    await until('no watcher', () => !run.output.hasWatchers, 30_000);
    expect(run.output.closeListenerCount).toBe(0);
  });

  it('is complete for a recorded file, supports ranges, and counts the bytes sent', async () => {
    const recorded = new RecordedMedia(20);
    const run = await startedEdge('cam', { names: ['file'] });
    const output = new StreamOutput('file', fileWindow(recorded));
    run.outputs.set('file', output);
    const reply = await run.get('/file/index.mp4');
    expect([reply.status, reply.headers.get('accept-ranges'), Number(reply.headers.get('content-length'))]).toEqual([
      200,
      'bytes',
      reply.body.length,
    ]);
    expect(decodedFrames(reply.body, 'mp4').video).toHaveLength(500);
    expect(output.bytesOut).toBe(reply.body.length);
    const etag = reply.headers.get('etag') ?? '';
    const range = await run.get('/file/index.mp4', { range: 'bytes=100000-200000', 'if-range': etag });
    expect([range.status, range.headers.get('content-range')]).toEqual([
      206,
      `bytes 100000-200000/${reply.body.length}`,
    ]);
    expect(range.body.equals(reply.body.subarray(100_000, 200_001))).toBe(true);
    const status = async (headers: Record<string, string>): Promise<number> =>
      (await run.get('/file/index.mp4', headers)).status;
    expect(await status({ range: 'bytes=0-9', 'if-range': '"another"' })).toBe(200);
    expect(await status({ range: `bytes=${reply.body.length}-` })).toBe(416);
    expect(await status({ 'if-none-match': etag })).toBe(304);
    const packets = await run.get('/file/mpegts');
    expect(packets.headers.get('content-type')).toBe('video/mp2t');
    expect(decodedFrames(packets.body, 'ts')).toEqual(decodedFrames(reply.body, 'mp4'));
    const head = await run.get('/file/index.mp4', {}, 'HEAD');
    expect([head.status, Number(head.headers.get('content-length'))]).toEqual([200, reply.body.length]);
    recorded.close();
  });

  it('queues only one piece for a viewer who reads nothing, and drops viewers who leave', async () => {
    const stream = new StreamRun();
    const run = await startedEdge('cam', { stream });
    const play = stream.playing({
      video: { fps: 25, gopFrames: 50, bFrames: 0 },
      seconds: 90,
      bytesPerPicture: 40_000,
    });
    play(5000);
    const client = await run.connect();
    client.send(request('/cam/index.mp4'));
    await client.head();
    client.socket.pause();
    play(80_000);
    expect(run.edge.queuedBytes).toBeLessThan(2 * 1024 * 1024);
    client.socket.destroy();
    await until('no watcher', () => !run.output.hasWatchers, 30_000);
    expect(run.output.closeListenerCount).toBe(0);
  });

  it('closes the connection of a viewer whose session ends', async () => {
    const run = await startedEdge();
    run.stream.playing({ video: { fps: 25, gopFrames: 50, bFrames: 0 }, seconds: 60 })(6000);
    const client = await run.connect();
    client.send(request('/cam/index.mp4'));
    await client.head();
    const session = run.sessions.of('cam', '127.0.0.1', '', 'mp4');
    expect(session?.isOpen).toBe(true);
    if (session) run.sessions.ban(session);
    await client.isClosed;
    await until('no watcher', () => !run.output.hasWatchers, 30_000);
  });

  it('answers stream_not_running without media, and 404 for an unknown stream', async () => {
    const run = await startedEdge('cam', { names: ['other'] });
    expect((await run.get('/other/index.mp4')).body.toString()).toContain('stream_not_running');
    expect((await run.get('/none/index.mp4')).status).toBe(404);
  });
});
