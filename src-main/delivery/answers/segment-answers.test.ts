import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { type EdgeRun, request, startedEdge } from '../../../tests/helpers/edge-run.ts';
import { ffprobe, probePackets } from '../../../tests/helpers/ffmpeg-media.ts';
import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { ExplainedError } from '../../lib/error-message.ts';
import type { Segment } from '../../segment/segment-window.ts';
import { bytesInMemory } from '../../segment/media-bytes.ts';
import { StreamRun } from '../../../tests/helpers/stream-run.ts';
import { testMedia } from '../../../tests/helpers/test-media.ts';
import { until } from '../../../tests/helpers/until.ts';

const PLAIN = { video: { fps: 25, gopFrames: 50, bFrames: 0 }, audio: { sampleRate: 48_000, lateMs: 0 }, seconds: 60 };
const FIRST = '1800000000000';

/** Bytes of a segment in the window. */
function bytesOf(run: EdgeRun, trackId: string, startMs: string): Buffer {
  const parts = run.stream.window.segmentByAddress(trackId, startMs)?.segment.parts ?? [];
  return Buffer.concat(parts.map((part) => bytesInMemory(part) ?? new Uint8Array()));
}

describe('segments, parts and init segments', () => {
  it('are immutable and have their media type', async () => {
    const run = await startedEdge();
    run.stream.playing(PLAIN)(9300);
    const segment = await run.get(`/cam/v1/${FIRST}.m4s`);
    expect(segment.body).toEqual(bytesOf(run, 'v1', FIRST));
    expect(Object.fromEntries(segment.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'cache-control': 'public, max-age=31536000, immutable',
      'accept-ranges': 'bytes',
      etag: `"${FIRST}"`,
      'access-control-allow-origin': '*',
    });
    const parts = await Promise.all([0, 1, 2, 3].map((index) => run.get(`/cam/v1/${FIRST}.${index}.m4s`)));
    expect(Buffer.concat(parts.map(({ body }) => body))).toEqual(segment.body);
    expect((await run.get('/cam/a1/init-7.mp4')).headers.get('content-type')).toBe('audio/mp4');
    expect((await run.get(`/cam/v1/${FIRST}.m4s`, { 'If-None-Match': `"${FIRST}"` })).status).toBe(304);
    expect(run.output.bytesOut).toBeGreaterThan(segment.body.length * 2);
  });

  it.each([
    ['/cam/v1/1700000000000.m4s', 'segment_gone'],
    ['/cam/v1/1900000000000.m4s', 'segment_too_early'],
    ['/cam/v1/1800000000000.9.m4s', 'segment_gone'],
    ['/cam/v1/1800000001234.m4s', 'segment_gone'],
    ['/cam/ts/1800000001234.ts', 'segment_gone'],
    ['/cam/v1/1800000008000.9.m4s', 'segment_too_early'],
    ['/cam/v1/init-6.mp4', 'segment_gone'],
    ['/cam/v2/1800000000000.m4s', 'track_not_found'],
    ['/cam/ts/1700000000000.ts', 'segment_gone'],
    ['/cam/ts/1800000008000.ts', 'segment_too_early'],
  ])('return the reason why %s is missing', async (path, code) => {
    const run = await startedEdge();
    run.stream.playing(PLAIN)(9300);
    const reply = await run.get(path);
    expect(reply.status).toBe(404);
    expect(JSON.parse(reply.body.toString())).toMatchObject({ error: code });
    expect(reply.headers.get('cache-control')).toBe('max-age=1');
  });

  it('support any byte range', async () => {
    const run = await startedEdge();
    run.stream.playing(PLAIN)(9300);
    const segmentBytes = bytesOf(run, 'v1', FIRST);
    const client = await run.connect();
    const any = fc.oneof(
      fc
        .tuple(fc.nat(segmentBytes.length + 50), fc.nat(segmentBytes.length + 50))
        .map(([from, length]) => `${from}-${from + length}`),
      fc.nat(segmentBytes.length + 50).map((from) => `${from}-`),
      fc.nat(segmentBytes.length + 50).map((count) => `-${count}`),
    );
    await fc.assert(
      fc.asyncProperty(any, async (range) => {
        client.send(request(`/cam/v1/${FIRST}.m4s`, { Range: `bytes=${range}` }));
        const { status, headers, body } = await client.reply();
        const [, from = '', to = ''] = /^(\d*)-(\d*)$/.exec(range) ?? [];
        const first = from === '' ? Math.max(0, segmentBytes.length - Number(to)) : Number(from);
        const last = from === '' || to === '' ? segmentBytes.length - 1 : Math.min(Number(to), segmentBytes.length - 1);
        if (first >= segmentBytes.length) {
          expect([status, headers.get('content-range')]).toEqual([416, `bytes */${segmentBytes.length}`]);
          return;
        }
        expect([status, headers.get('content-range')]).toEqual([206, `bytes ${first}-${last}/${segmentBytes.length}`]);
        expect(body.equals(segmentBytes.subarray(first, last + 1))).toBe(true);
      }),
      { numRuns: 60 },
    );
    for (const range of ['bytes=5-2', 'bytes=0-1,4-5', 'lines=1-2', 'bytes=-']) {
      client.send(request(`/cam/v1/${FIRST}.m4s`, { Range: range }));
      expect((await client.reply()).status).toBe(200);
    }
  });

  it('are waited for if a playlist hinted at them', async () => {
    const run = await startedEdge();
    const play = run.stream.playing(PLAIN);
    play(5100);
    const client = await run.connect();
    client.send(request('/cam/v1/1800000004000.2.m4s'));
    await until('a waiting request', () => run.output.waitCount === 1, 30_000);
    play(5800);
    const { status, body } = await client.reply();
    expect([status, body.length > 1000]).toEqual([200, true]);
    // The segment ends without the hinted part, which is never created.
    client.send(request('/cam/v1/1800000004000.4.m4s'));
    play(5990);
    client.send(request('/cam/v1/1800000004000.3.m4s'));
    expect((await client.reply()).status).toBe(404);
    await until('a waiting request', () => run.output.waitCount === 1, 30_000);
    run.clock.advance(7000);
    run.output.sweep(run.clock.now());
    expect((await client.reply()).status).toBe(503);
  });

  it('are sent part by part while the segment is still growing, and aborted when the stream is closed', async () => {
    const run = await startedEdge();
    const play = run.stream.playing(PLAIN);
    play(5100);
    const client = await run.connect();
    client.send(request('/cam/v1/1800000004000.m4s') + request('/cam/index.m3u8'));
    const head = await client.head();
    expect(head.headers.get('transfer-encoding')).toBe('chunked');
    const pieces = [await client.chunk(), await client.chunk()];
    for (const untilMs of [5600, 6200]) {
      play(untilMs);
      pieces.push(await client.chunk());
    }
    expect(await client.chunk()).toBeUndefined();
    expect(Buffer.concat(pieces.filter((piece) => piece !== undefined))).toEqual(bytesOf(run, 'v1', '1800000004000'));
    expect((await client.reply()).status).toBe(200);
    client.send(request('/cam/v1/1800000006000.m4s'));
    await client.head();
    run.closeOutput();
    // A truncated body that looks complete would be cached for ever.
    await expect(client.chunk()).rejects.toThrow('ended');
  });

  it('keep their bytes in memory until they were sent', async () => {
    const run = await startedEdge();
    const play = run.stream.playing({ ...PLAIN, seconds: 40, bytesPerPicture: 30_000 });
    play(5100);
    const client = await run.connect();
    client.socket.pause();
    client.send(request('/cam/v1/1800000002000.m4s').repeat(20));
    const expected = bytesOf(run, 'v1', '1800000002000');
    await until('a full queue', () => run.edge.queuedBytes > 0, 30_000);
    // The segment left the window long ago.
    play(39_000);
    client.socket.resume();
    let completeCount = 0;
    for (let count = 0; count < 20; count++) {
      const reply = await client.reply();
      if (reply.status !== 200) continue;
      expect(reply.body.equals(expected)).toBe(true);
      completeCount++;
    }
    expect(completeCount).toBeGreaterThan(1);
    run.closeOutput();
    await until('the release of all memory', () => run.stream.pool.inUse <= 2, 30_000);
  });
});

describe('transport stream segments', () => {
  const media = testMedia();

  it('are listed and sent only when their audio is complete too', async () => {
    const run = await startedEdge();
    // The audio arrives one second late.
    run.stream.playing({ ...PLAIN, audio: { sampleRate: 48_000, lateMs: 1000 } })(6200);
    const playlist = (await run.get('/cam/index.ts.m3u8')).body.toString();
    expect(playlist.match(/ts\/\d+\.ts/g)).toEqual(['ts/1800000000000.ts', 'ts/1800000002000.ts']);
    expect((await run.get('/cam/ts/1800000004000.ts')).status).toBe(404);
    expect((await run.get('/cam/ts/1800000002000.ts')).status).toBe(200);
  });

  it.each([
    [new ExplainedError(because('disk_busy', { path: '/secret/clip.mp4' })), 'disk_busy'],
    [Object.assign(new Error('EIO: /secret/clip.mp4'), { code: 'EIO' }), 'EIO'],
    [new TypeError('/secret is not a function'), 'TypeError'],
  ])(
    'answer 503 with the reason, without the path, if a file of a segment cannot be read: %s',
    async (error, reason) => {
      const run = await startedEdge();
      run.stream.playing(PLAIN)(9300);
      const { window } = run.stream;
      const find = window.segmentByMsn.bind(window);
      const file = { read: async (): Promise<Uint8Array> => Promise.reject(error) };
      vi.spyOn(window, 'segmentByMsn').mockImplementation((trackId, msn) => {
        const entry = find(trackId, msn);
        if (!entry) return undefined;
        const parts = entry.segment.parts.map((part) => ({ ...part, pieces: [{ file, offset: 0, sizeBytes: 1 }] }));
        return { ...entry, segment: Object.assign(Object.create(entry.segment) as Segment, { parts }) };
      });
      const reply = await run.get(`/cam/ts/${FIRST}.ts`);
      expect(reply.status).toBe(503);
      expect(JSON.parse(reply.body.toString())).toMatchObject({
        error: 'media_unreadable',
        errors: [{ title: `The file with this media cannot be read (${reason})` }],
      });
    },
  );

  it('have no faults for ffprobe, each segment alone and all together', async () => {
    const stream = new StreamRun();
    const run = await startedEdge('cam', { stream });
    stream.playUnits([media.video, media.audio], media.units(9));
    const playlist = (await run.get('/cam/index.ts.m3u8')).body.toString();
    const names = playlist.match(/ts\/\d+\.ts/g) ?? [];
    expect(names.length).toBeGreaterThanOrEqual(3);
    const segments = await Promise.all(names.map(async (name) => (await run.get(`/cam/${name}`)).body));
    for (const segment of segments) {
      expect(
        ffprobe(segment, ['-show_entries', 'stream=codec_name,width', '-of', 'csv=p=0']).match(/h264,160|aac/g),
      ).toContain('h264,160');
      const packets = probePackets(segment);
      expect(packets.find(({ stream: index }) => index === 0)?.isKey).toBe(true);
    }
    const packets = probePackets(Buffer.concat(segments));
    for (const index of [0, 1]) {
      const times = packets.filter(({ stream: of }) => of === index).map(({ dtsTicks }) => dtsTicks);
      const steps = times.slice(1).map((time, at) => time - (times[at] ?? 0));
      const maxStep = index === 0 ? 3600 : 1921;
      expect(steps.filter((step) => step <= 0 || step > maxStep)).toEqual([]);
    }
    const unchanged = await run.get(`/cam/${names[0]}`, { 'If-None-Match': `"${names[0]?.slice(3, -3)}"` });
    expect(unchanged.status).toBe(304);
  });
});

describe('the continuous transport stream', () => {
  const media = testMedia();

  it('starts with tables and a key frame, and has no faults for ffprobe', async () => {
    const stream = new StreamRun();
    const run = await startedEdge('cam', { stream });
    const units = [...media.units(9)];
    const half = units.findIndex((unit) => unit.dtsTicks > 3.3 * 90_000);
    stream.playUnits([media.video, media.audio], units.slice(0, half));
    const client = await run.connect();
    client.send(request('/cam/mpegts'));
    const head = await client.head();
    expect(head.headers.get('content-type')).toBe('video/mp2t');
    expect(head.headers.get('cache-control')).toBe('no-store');
    stream.playUnits([media.video, media.audio], units.slice(half));
    stream.close();
    run.closeOutput();
    const pieces: Buffer[] = [];
    for (let piece = await client.chunk(); piece; piece = await client.chunk()) pieces.push(piece);
    const bytes = Buffer.concat(pieces);
    expect(bytes.length % 188).toBe(0);
    const packets = probePackets(bytes);
    const pictures = packets.filter(({ stream: index }) => index === 0);
    expect(pictures[0]?.isKey).toBe(true);
    // Pictures from the key frame at 2 s to the end.
    expect(pictures.length).toBeGreaterThanOrEqual(6 * 25);
    const steps = pictures.slice(1).map(({ dtsTicks }, at) => dtsTicks - (pictures[at]?.dtsTicks ?? 0));
    expect(steps.filter((step) => step !== 3600)).toEqual([]);
  });

  it('is muxed once for all viewers, and its muxer closes when the last viewer leaves', async () => {
    const run = await startedEdge();
    const play = run.stream.playing(PLAIN);
    play(3000);
    const clients = await Promise.all([run.connect(), run.connect()]);
    for (const client of clients) {
      client.send(request('/cam/mpegts'));
      expect((await client.head()).status).toBe(200);
    }
    play(5000);
    for (const client of clients) expect((await client.chunk())?.[0]).toBe(0x47);
    expect(run.sessions.countOf('cam')).toBe(1);
    for (const client of clients) client.socket.destroy();
    await until('no viewer', () => !run.output.hasWatchers, 30_000);
    for (let round = 0; round < 20; round++) {
      const client = await run.connect();
      client.send(request('/cam/mpegts'));
      await client.head();
      client.socket.destroy();
      await until('no viewer', () => !run.output.hasWatchers, 30_000);
    }
    expect(run.output.closeListenerCount).toBe(0);
  });

  it('skips to a later key frame for a slow viewer', async () => {
    const run = await startedEdge();
    const play = run.stream.playing({
      video: { fps: 25, gopFrames: 50, bFrames: 0 },
      seconds: 60,
      bytesPerPicture: 40_000,
    });
    play(3000);
    const client = await run.connect();
    client.send(request('/cam/mpegts'));
    await client.head();
    client.socket.pause();
    play(45_000);
    expect(run.tsOutputs.skips).toBeGreaterThan(0);
    expect(run.edge.queuedBytes).toBeLessThan(8 * 1024 * 1024);
  });
});
