import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HlsFolder } from '../helpers/hls-folder.ts';
import { systemClock } from '../../src-main/lib/clock.ts';
import type { AccessUnit } from '../../src-main/media/access-unit.ts';
import { AirdeskProcess } from '../helpers/airdesk-process.ts';
import { RecordingInput } from '../helpers/recording-input.ts';
import { until } from '../helpers/until.ts';

const folder = new HlsFolder();
const children: ChildProcess[] = [];

// All tests run in parallel, because each mostly waits for its media.
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await folder.close();
});

/** 0.24 s at 25 pictures a second: less than a part, and much less than a segment. */
const RUN_PICTURES = 6;
/** Minimum of {@link TimedInput.evenness}. */
const EVEN = 0.6;

/** Sink that records the arrival of each access unit in epoch milliseconds. */
class TimedInput extends RecordingInput {
  readonly arrivals: number[] = [];

  override accessUnit(unit: AccessUnit): void {
    this.arrivals.push(Date.now());
    super.accessUnit(unit);
  }

  /**
   * Fraction of the runs of pictures that arrived in 0.5 to 1.5 times their duration. Near 1 for even arrival, 0 for
   * bursts longer than such a run. A stall of the machine affects only a few runs.
   */
  get evenness(): number {
    const times = this.#pictures();
    const runs = times.slice(RUN_PICTURES).map((last, index) => {
      const first = times[index]!;
      return (last.cameMs - first.cameMs) / (last.atMs - first.atMs);
    });
    return runs.filter((ratio) => ratio > 0.5 && ratio < 1.5).length / runs.length;
  }

  /** Median delay of pictures after their UTC times, in milliseconds. */
  get behindMs(): number {
    const behind = this.#pictures().map(({ cameMs, atMs }) => cameMs - atMs);
    return behind.sort((a, b) => a - b)[behind.length >> 1]!;
  }

  #pictures(): { readonly cameMs: number; readonly atMs: number }[] {
    const units = this.units().map(({ trackId, dtsTicks }, index) => ({
      trackId,
      cameMs: this.arrivals[index]!,
      atMs: dtsTicks / 90,
    }));
    return units.filter(({ trackId }) => trackId === 'v1');
  }

  frameSteps(trackId: string): Set<number> {
    const times = this.units(trackId).map(({ dtsTicks }) => dtsTicks);
    return new Set(times.slice(1).map((ticks, index) => Math.round((ticks - times[index]!) / 10)));
  }
}

/** Live encoder that writes HLS into the folder at the pace of the clock. */
function encode(seconds: number, options: readonly string[]): ChildProcess {
  const sources = [
    '-re',
    '-f',
    'lavfi',
    '-i',
    'testsrc2=s=160x90:r=25',
    '-re',
    '-f',
    'lavfi',
    '-i',
    'sine=r=48000',
    '-t',
    String(seconds),
  ];
  const codecs = [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-g',
    '25',
    '-threads',
    '1',
    '-c:a',
    'aac',
    '-f',
    'hls',
    '-hls_time',
    '1',
  ];
  const child = spawn('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...sources, ...codecs, ...options], {
    cwd: folder.path,
    stdio: 'ignore',
  });
  children.push(child);
  return child;
}

async function written(name: string, segments: number): Promise<void> {
  const count = (): boolean =>
    existsSync(join(folder.path, name)) && folder.file(name).toString().split('#EXTINF').length > segments;
  await until(name, count, 30_000);
}

describe.concurrent('HLS written by a live ffmpeg', () => {
  it.each(['mpegts', 'fmp4'])('is read evenly with separate audio and sliding segments, in %s', async (type) => {
    const maps = [
      '-map',
      '0:v',
      '-map',
      '1:a',
      '-var_stream_map',
      'v:0,agroup:s a:0,agroup:s,language:deu,default:yes',
      '-master_pl_name',
      `${type}.m3u8`,
    ];
    encode(12, [
      '-hls_list_size',
      '5',
      '-hls_flags',
      'delete_segments+program_date_time',
      '-hls_segment_type',
      type,
      '-hls_fmp4_init_filename',
      `${type}-init-%v.mp4`,
      ...maps,
      `${type}-%v.m3u8`,
    ]);
    await written(`${type}-0.m3u8`, 4);
    await written(`${type}-1.m3u8`, 4);
    const sink = new TimedInput();
    folder.open(`${await folder.serve()}/${type}.m3u8`, sink, {}, systemClock);
    expect((await sink.end()).code).toBe('input_ended');
    expect(sink.problems).toEqual([]);
    expect(sink.announcements).toMatchObject([[{ id: 'v1' }, { id: 'a1', language: 'deu' }]]);
    expect(sink.units('v1').length).toBeGreaterThanOrEqual(10 * 25);
    expect([...sink.frameSteps('v1')]).toEqual([360]);
    expect([...sink.frameSteps('a1')]).toEqual([192]);
    expect(sink.evenness).toBeGreaterThan(EVEN);
  });

  it('is read across the discontinuity of a restart that appends', async () => {
    const options = [
      '-hls_list_size',
      '6',
      '-hls_flags',
      'delete_segments+append_list+discont_start+omit_endlist',
      'again.m3u8',
    ];
    await once(encode(5, options), 'exit');
    const sink = new TimedInput();
    folder.open(`${await folder.serve()}/again.m3u8`, sink, {}, systemClock);
    const child = encode(8, options);
    await once(child, 'exit');
    await sink.until(() => sink.units('v1').length >= 10 * 25);
    expect(sink.codes).toEqual([]);
    expect(sink.announcements).toHaveLength(1);
    const steps = [...sink.frameSteps('v1')];
    expect(Math.min(...steps)).toBe(360);
    expect(Math.max(...steps)).toBeLessThan(360 + 400);
  });
});

/** Number of segments of a playlist; 0 as long as there are gaps before the first one. */
function segmentsOf(playlist: string): number {
  return playlist.includes('#EXT-X-GAP') ? 0 : playlist.split('#EXTINF').length - 1;
}

describe.concurrent('HLS of another Airdesk server', () => {
  let origin: AirdeskProcess;

  beforeAll(async () => {
    origin = await AirdeskProcess.start('stream origin { input fake:// width=320 height=180; }');
    await origin.text('/origin/v1/index.m3u8', 60_000);
    await until('three segments', async () => segmentsOf(await origin.text('/origin/v1/index.m3u8')) > 3, 30_000);
  });
  afterAll(() => origin.dispose());

  // The first test takes longest, and only five tests run at a time.
  it('is the input of a stream with evenly timed output', async () => {
    const relay = await AirdeskProcess.start(
      `stream relay { input ${origin.url.replace('http:', 'hls:')}/origin/index.m3u8; }`,
    );
    try {
      await relay.text('/relay/v1/index.m3u8', 30_000);
      await until('six segments', async () => segmentsOf(await relay.text('/relay/v1/index.m3u8')) > 5, 30_000);
      const playlist = await relay.text('/relay/v1/index.m3u8');
      expect(playlist).not.toContain('#EXT-X-DISCONTINUITY');
      const durations = [...playlist.matchAll(/#EXTINF:([\d.]+)/g)].map((match) => Number(match[1]));
      expect(new Set(durations)).toEqual(new Set([2]));
      const state = await relay.stream('relay');
      expect(state?.problems).toEqual([]);
    } finally {
      await relay.dispose();
    }
  });

  it('is read part by part near the live edge', async () => {
    const sink = new TimedInput();
    folder.open(`${origin.url.replace('http:', 'hls:')}/origin/index.m3u8`, sink, {}, systemClock);
    await sink.until(() => sink.units('v1').length >= 8 * 25);
    expect(sink.problems).toEqual([]);
    expect(sink.announcements).toMatchObject([
      [
        { id: 'v1', codec: 'h264' },
        { id: 'a1', codec: 'aac' },
      ],
    ]);
    expect([...sink.frameSteps('v1')]).toEqual([360]);
    // The times are UTC. A segment has two seconds: a reader of complete segments would lag by at least six seconds.
    expect(sink.behindMs).toBeGreaterThan(0);
    expect(sink.behindMs).toBeLessThan(5500);
    expect(sink.evenness).toBeGreaterThan(EVEN);
  });

  it('is read in muxed MPEG-TS segments near the live edge', async () => {
    const sink = new TimedInput();
    folder.open(`${origin.url.replace('http:', 'hls:')}/origin/index.ts.m3u8`, sink, {}, systemClock);
    await sink.until(() => sink.units('v1').length >= 6 * 25);
    expect(sink.problems).toEqual([]);
    expect(sink.announcements).toMatchObject([
      [
        { id: 'v1', codec: 'h264' },
        { id: 'a1', codec: 'aac' },
      ],
    ]);
    expect([...sink.frameSteps('v1')]).toEqual([360]);
    expect(sink.evenness).toBeGreaterThan(EVEN);
  });
});
