import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { H264, H265, probeClip } from '../../../tests/helpers/clip-folder.ts';
import { RecordingInput } from '../../../tests/helpers/recording-input.ts';
import { testSources } from '../../../tests/helpers/ffmpeg-media.ts';
import { makeFiles } from '../../../tests/helpers/made-media.ts';
import { until } from '../../../tests/helpers/until.ts';
import { UrlReaders } from '../../codec/url-readers.ts';
import { PathNotAllowedError } from '../../lib/allowed-paths.ts';
import { systemClock } from '../../lib/clock.ts';
import { silentLog } from '../../lib/log.ts';
import { FeedServer } from '../../lib/feed/feed-server.ts';
import type { ExternalAddress } from './external-address.ts';
import { ExternalInput } from './external-input.ts';

const folder = mkdtempSync(join(tmpdir(), 'airdesk-external-'));
const readers = new UrlReaders({
  entry: new URL('../../codec-process.ts', import.meta.url),
  cacheFolder: join(folder, 'cache'),
  clock: systemClock,
  log: silentLog,
});
const feeds = new FeedServer(systemClock);
const open: ExternalInput[] = [];

const closeAll = (): Promise<unknown> => Promise.all(open.splice(0).map((input) => input.close()));

afterAll(async () => {
  await closeAll();
  await readers.close();
  await feeds.close();
  rmSync(folder, { recursive: true });
});

function clip(name: string, options: readonly string[]): string {
  makeFiles(folder, [...testSources(1, 1), ...options, name]);
  return join(folder, name);
}

function play(
  path: string,
  loop = false,
  sink = new RecordingInput(),
  kind: ExternalAddress['kind'] = 'file',
): RecordingInput {
  const input = new ExternalInput(
    {
      address: { kind, url: kind === 'file' ? `file:${path}` : path, options: {} },
      port: readers,
      feeds,
      clock: systemClock,
      loop,
    },
    sink,
  );
  open.push(input);
  input.start();
  return sink;
}

function ended(sink: RecordingInput): Promise<{ code: string; detail: string }> {
  return until('the end of the input', () => sink.ends[0], 30_000);
}

const AAC = ['-c:a', 'aac', '-ac', '2'];

describe('a host that is not allowed', () => {
  it.each([
    [Object.assign(new Error('cam.example.org may not lead there'), { code: 'EACCES' }), 'input_refused'],
    [Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND', syscall: 'getaddrinfo' }), 'input_unreachable'],
  ])('ends the input before a reader is opened: %s', async (error, code) => {
    const sink = new RecordingInput();
    let opened = 0;
    const port = { open: () => ({ ended: Promise.resolve(String(opened++)), close: () => undefined }) };
    const address = { kind: 'rtsp', url: 'rtsp://cam.example.org/x', options: {} } as const;
    const limits = (): Promise<never> => Promise.reject(error);
    new ExternalInput({ address, port, feeds, clock: systemClock, limits }, sink).start();
    expect(await ended(sink)).toMatchObject({ code });
    expect(opened).toBe(0);
  });
});

describe('inputs that another process reads', () => {
  it.concurrent.each([
    ['h264-aac.mkv', [...H264, ...AAC, '-metadata:s:a:0', 'language=ger'], ['h264', 'aac']],
    ['h265-ac3.mkv', [...H265, '-c:a', 'ac3'], ['h265', 'ac3']],
    ['h264-opus.mkv', [...H264, '-c:a', 'libopus'], ['h264', 'opus']],
    ['h264-mp3.avi', [...H264, '-bf', '0', '-c:a', 'libmp3lame'], ['h264', 'mp3']],
    ['h264-aac.flv', [...H264, ...AAC], ['h264', 'aac']],
    ['mp2.mpg', ['-c:v', 'mpeg2video', '-c:a', 'mp2'], ['mp2']],
    ['adts.aac', ['-vn', ...AAC], ['aac']],
  ])('give the same packets as ffprobe for %s', async (name, options, codecs) => {
    const path = clip(name, options);
    const sink = play(path);
    expect(await ended(sink)).toEqual({ code: 'input_ended', ...because('file_ended') });
    const tracks = sink.announcements[0] ?? [];
    expect(tracks.map(({ codec }) => codec)).toEqual(codecs);
    expect(sink.announcements).toHaveLength(1);
    const { packets, streams } = probeClip(path);
    for (const track of tracks) {
      const index = streams.findIndex((stream) => stream['codec_type'] === track.content);
      const [num = NaN, den = NaN] = String(streams[index]?.['time_base']).split('/').map(Number);
      const scale = (90_000 * num) / den;
      const expected = packets.filter((packet) => packet.stream_index === index);
      const units = sink.units(track.id);
      expect(units.length).toBe(expected.length);
      // A container without presentation times leaves the first times to its reader.
      const known = expected.filter((packet) => Number.isFinite(packet.pts));
      const unitsOfKnown = units.filter((_, at) => Number.isFinite(expected[at]?.pts));
      expect(unitsOfKnown.map((unit) => unit.ptsTicks)).toEqual(known.map((packet) => Math.round(packet.pts * scale)));
      expect(units.map((unit) => unit.isRandomAccess)).toEqual(expected.map((packet) => packet.flags.startsWith('K')));
      for (const [at, unit] of units.entries())
        if (at > 0) expect(unit.dtsTicks).toBeGreaterThan(units[at - 1]?.dtsTicks ?? NaN);
    }
    if (name === 'h264-aac.mkv') expect(tracks[1]).toMatchObject({ language: 'ger' });
    if (name === 'mp2.mpg') expect(sink.codes).toEqual(['codec_unknown']);
    else expect(sink.problems).toEqual([]);
  });
});

describe('an input read by another process', () => {
  afterEach(closeAll);

  it('plays a file repeatedly with continuous times', async () => {
    const sink = play(clip('loop.mkv', [...H264, ...AAC]), true);
    await until('the second pass', () => sink.units('v1').length > 40, 30_000);
    const times = sink.units('v1').map(({ dtsTicks }) => dtsTicks);
    expect(times.every((ticks, index) => index === 0 || ticks > (times[index - 1] ?? NaN))).toBe(true);
    expect(sink.ends).toEqual([]);
    expect(sink.announcements).toHaveLength(1);
  });

  it('plays a file in real time', async () => {
    const path = clip('pace.mkv', [...H264, ...AAC]);
    const startMs = performance.now();
    const sink = new RecordingInput();
    const arrived: number[] = [];
    const keep = sink.accessUnit.bind(sink);
    sink.accessUnit = (unit) => {
      arrived.push(performance.now() - startMs);
      keep(unit);
    };
    play(path, false, sink);
    await ended(sink);
    expect((arrived.at(-1) ?? 0) - (arrived[0] ?? 0)).toBeGreaterThan(800);
  });

  it('reports why it cannot be read', async () => {
    const text = join(folder, 'text.mkv');
    writeFileSync(text, 'No film at all. '.repeat(400));
    const list = join(folder, 'list.m3u8');
    writeFileSync(list, '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n/etc/passwd\n#EXT-X-ENDLIST\n');
    const sinks = [text, list, join(folder, 'missing.mkv'), clip('other.mkv', ['-c:v', 'mpeg4', '-an'])].map((path) =>
      play(path),
    );
    sinks.push(play('rtsp://user:verysecret@127.0.0.1:1/cam', false, new RecordingInput(), 'rtsp'));
    const ends = await Promise.all(sinks.map(ended));
    expect(ends.map(({ code }) => code)).toEqual([
      'input_unreadable',
      'input_unreadable',
      'input_file_not_found',
      'input_no_tracks',
      'input_unreachable',
    ]);
    expect(ends[3]?.detail).toContain('mpeg4');
    expect(ends[4]?.detail).toMatch(/refused/i);
    expect(JSON.stringify(ends)).not.toContain('verysecret');
  });

  it('does not read a forbidden file, and starts no process for it', async () => {
    const sink = new RecordingInput();
    const address: ExternalAddress = { kind: 'sdp', url: 'file:/etc/shadow', options: {} };
    const port = { open: (): never => expect.unreachable() };
    const locate = (): Promise<string> => Promise.reject(new PathNotAllowedError());
    const input = new ExternalInput({ address, port, feeds, clock: systemClock, locate }, sink);
    open.push(input);
    input.start();
    expect(await sink.end()).toMatchObject({ code: 'path_not_allowed' });
  });

  it('ends without affecting another input when its process crashes', async () => {
    // Received media is played first. The noise makes one second of it large.
    const path = clip('crash.mkv', [...H264, '-vf', 'noise=alls=80:allf=t', '-qp', '10', ...AAC]);
    const first = play(path, true);
    await until('the first frames', () => first.units().length > 0, 30_000);
    const [pid] = readers.pids;
    const second = play(path, true);
    await until('frames of the second input', () => second.units().length > 0, 30_000);
    process.kill(pid ?? 0, 'SIGKILL');
    const { code, detail } = await ended(first);
    expect(code).toBe('codec_process_failed');
    expect(detail).toContain('SIGKILL');
    const seen = second.units().length;
    await until('more frames of the second input', () => second.units().length > seen + 10, 30_000);
    expect(second.ends).toEqual([]);
    expect(readers.stats.crashed).toBe(1);
  });

  it('emits nothing after close, and leaves no process running', async () => {
    const sink = play(clip('close.mkv', [...H264, ...AAC]), true);
    await until('the first frames', () => sink.units().length > 0, 30_000);
    const seen = sink.calls.length;
    await closeAll();
    expect(readers.pids).toEqual([]);
    expect(sink.calls).toHaveLength(seen);
    expect(sink.ends).toEqual([]);
  });
});
