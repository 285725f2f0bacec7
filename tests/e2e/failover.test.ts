import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AirdeskProcess } from '../helpers/airdesk-process.ts';
import { EncoderProcess } from '../helpers/encoder-process.ts';
import { freeUdpPort } from '../helpers/free-port.ts';
import { markedClip } from '../helpers/marked-clip.ts';
import { PageServer } from '../helpers/page-server.ts';
import { PlayerPage } from '../helpers/player-page.ts';
import { MachineStalls } from '../helpers/machine-stalls.ts';
import { startBrowser } from '../helpers/start-browser.ts';
import { probeStream } from '../helpers/probe-stream.ts';
import { until } from '../helpers/until.ts';

// Two ffmpeg encoders with different formats, and a backup file; a real player plays all the time.

const FRAMES_TIMEOUT_MS = 1000;
const SOURCE_TIMEOUT_MS = 5000;
/**
 * Maximum duration of a switch after the time-out: a tick, a key frame of the other input, and the state that is sent
 * once per second, with a second more for slow machines. Less than the other time-out.
 */
const SWITCH_MS = FRAMES_TIMEOUT_MS + 250 + 1000 + 1500 + 1000;
/** Maximum time until an input that need not be stable for ten seconds is on air, in milliseconds. */
const AT_ONCE_MS = 8000;
/** Time limit that only prevents hanging. */
const LIMIT_MS = 60_000;
const CUT = '#EXT-X-DISCONTINUITY\n';
const folder = mkdtempSync(join(tmpdir(), 'airdesk-failover-e2e-'));
const machineStalls = MachineStalls.watch();
let server: AirdeskProcess;
let pages: PageServer;
let browser: Browser;
let player: PlayerPage;
let ports: readonly number[];
/** All running encoders. */
const encoders: EncoderProcess[] = [];
const others: EncoderProcess[] = [];
/**
 * Option of tests of one stream, which run in sequence. Tests of other streams run at the same time, because all of
 * them mostly wait.
 */
const IN_ORDER = { concurrent: false };

/** Starts one of the two encoders: 0 is preferred and has 240 lines, 1 has 360. */
function send(index: 0 | 1): EncoderProcess {
  const encoder = EncoderProcess.publish(
    { url: `udp://127.0.0.1:${ports[index] ?? 0}?pkt_size=1316` },
    { height: index === 0 ? 240 : 360 },
  );
  encoders.push(encoder);
  return encoder;
}

/**
 * Duration in milliseconds: by the clock, and without stalls of the machine. Minimum durations are checked with the
 * first value, maximum durations with the second.
 */
interface Took {
  readonly clockMs: number;
  readonly ranMs: number;
}

/**
 * Arguments of an encoder whose clock is the time since `startMs`, in epoch milliseconds, however long ffmpeg takes to
 * start.
 */
function clockSince(startMs: number, x264 = ''): readonly string[] {
  const pts = `PTS-STARTPTS+(RTCSTART-${startMs}000)/(TB*1000000)`;
  const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-x264-params', `scenecut=0${x264}`];
  return [...video, '-fps_mode', 'passthrough', '-vf', `setpts=${pts}`, '-c:a', 'aac', '-af', `asetpts=${pts}`];
}

/** Whether a UDP port is in use (proc_pid_net(5)). */
function isListening(port: number): boolean {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')} `;
  return readFileSync('/proc/net/udp', 'latin1').includes(local);
}

/** Start of the newest complete segment in epoch milliseconds, from its address; 0 while only parts of the first segment exist. */
async function newestMs(name: string): Promise<number> {
  const text = await server.text(`/${name}/v1/index.m3u8`);
  return text.includes('#EXT-X-START') ? 0 : Number([...text.matchAll(/^(\d+)\.m4s/gm)].at(-1)?.[1] ?? 0);
}

/** Waits until an input is on air; returns the duration. */
async function onAir(active: number | null): Promise<Took> {
  const [startMs, stillMs] = [performance.now(), machineStalls.totalMs];
  await server.streamWhere(
    'prog',
    `input ${active ?? 'backup'}`,
    (state) =>
      active === null ? state.backup_running : state.active_input === active && !state.backup_running && state.alive,
    LIMIT_MS,
  );
  const clockMs = performance.now() - startMs;
  return { clockMs, ranMs: clockMs - (machineStalls.totalMs - stillMs) };
}

async function playlist(): Promise<string> {
  return server.text('/prog/v1/index.m3u8');
}

function count(text: string, tag: string): number {
  return text.split(tag).length - 1;
}

beforeAll(async () => {
  ports = [await freeUdpPort(), await freeUdpPort(), await freeUdpPort(), await freeUdpPort()];
  const slate = join(folder, 'slate.ts');
  execFileSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', '-t', '4', '-i', markedClip(), '-c', 'copy', slate]);
  for (const height of [240, 360] as const) markedClip({ height });
  const input = (index: number): string =>
    `input udp://127.0.0.1:${ports[index] ?? 0} priority=${index + 1} frames_timeout=${FRAMES_TIMEOUT_MS / 1000} source_timeout=${SOURCE_TIMEOUT_MS / 1000};`;
  server = await AirdeskProcess.start(
    `stream prog { ${input(0)} ${input(1)} backup ${slate} timeout=2; segment_count 20; }
     stream udp { input udp://127.0.0.1:${ports[2] ?? 0}; segment_duration 6; segment_count 20; }
     stream srt { input srt://127.0.0.1:${ports[3] ?? 0}?mode=listener; segment_duration 6; segment_count 20; }`,
  );
  pages = await PageServer.start();
  browser = await startBrowser();
});

afterAll(async () => {
  machineStalls.close();
  await browser.close();
  await pages.close();
  await Promise.all([...encoders, ...others].map((encoder) => encoder.stop('SIGKILL')));
  await server.dispose();
  rmSync(folder, { recursive: true });
});

describe.concurrent('a stream with two encoders and a backup file', () => {
  it('switches to the second encoder when the first is killed, and back', IN_ORDER, async () => {
    const first = send(0);
    await onAir(0);
    send(1);
    player = await PlayerPage.open(browser, pages, 'hlsjs', `${server.url}/prog/index.m3u8`);
    await player.playing();
    await player.watchPictures();
    await player.reset();
    const stalledBeforeMs = machineStalls.totalMs;
    // A stream that has just started lists gaps with their own init segment before its first segment.
    await until('a playlist of segments', async () => !(await playlist()).includes('#EXT-X-GAP'), 20_000);
    // An encoder that gets too little CPU time also causes discontinuities.
    const textBefore = await playlist();
    const [initsBefore, cutsBefore] = [count(textBefore, '#EXT-X-MAP'), count(textBefore, CUT)];
    await first.stop('SIGKILL');
    const switched = await onAir(1);
    expect(switched.clockMs).toBeGreaterThanOrEqual(FRAMES_TIMEOUT_MS / 2);
    expect(switched.ranMs).toBeLessThan(SWITCH_MS);
    const text = await until(
      'the cut in the playlist',
      async () => {
        const now = await playlist();
        return count(now, CUT) > cutsBefore && count(now, '#EXT-X-MAP') > initsBefore ? now : undefined;
      },
      LIMIT_MS,
    );
    const initOf = (part: string): string | undefined => [...part.matchAll(/MAP:URI="([^"]+)"/g)].at(-1)?.[1];
    const cutAt = text.lastIndexOf(CUT);
    expect(initOf(text.slice(cutAt))).not.toBe(initOf(text.slice(0, cutAt)));
    const report = await player.reportWhere(
      'the picture of the other encoder',
      ({ sizes }) => sizes.at(-1) === '640x360',
      LIMIT_MS,
    );
    expect(report.longestFreezeMs - (machineStalls.totalMs - stalledBeforeMs)).toBeLessThan(SWITCH_MS);
    const { problems } = await server.streamWithProblem('prog', 'input_stalled');
    expect(problems.find(({ code }) => code === 'input_stalled')?.detail).toContain('input 1');
    send(0);
    expect((await onAir(0)).clockMs).toBeGreaterThan(8000);
    await player.reportWhere(
      'the picture of the better encoder',
      ({ sizes, frames }) => sizes.length >= 2 && frames > report.frames + 100,
      LIMIT_MS,
    );
    expect(await probeStream(`${server.url}/prog/index.m3u8`)).toMatchObject({ complaints: '' });
  });

  it('shows the input that an operator selects', IN_ORDER, async () => {
    await server.call('streams.select_input', { name: 'prog', input: 1 });
    expect((await onAir(1)).ranMs).toBeLessThan(AT_ONCE_MS);
    // The server sends the state of a stream once a second.
    await server.streamWhere('prog', 'the selection', ({ selected_input }) => selected_input === 1);
    await server.call('streams.select_input', { name: 'prog', input: 0 });
    expect((await onAir(0)).ranMs).toBeLessThan(AT_ONCE_MS);
  });

  it('plays the backup file when all encoders are lost, and an encoder as soon as one is back', IN_ORDER, async () => {
    await Promise.all(encoders.map((encoder) => encoder.stop('SIGKILL')));
    expect((await onAir(null)).ranMs).toBeLessThan(2000 + SWITCH_MS);
    const { frames } = await player.report();
    await player.reportWhere('the file', (report) => report.frames > frames + 50, LIMIT_MS);
    send(0);
    expect((await onAir(0)).ranMs).toBeLessThan(AT_ONCE_MS);
    const report = await player.report();
    await player.reportWhere('the encoder', (now) => now.frames > report.frames + 100 && !now.paused, LIMIT_MS);
    expect((await player.report()).errors.filter((error) => error.includes('fatal'))).toEqual([]);
    expect(await probeStream(`${server.url}/prog/index.m3u8`)).toMatchObject({ complaints: '' });
  });
});

describe.concurrent('an encoder that reconnects', () => {
  it('causes no discontinuity if its clock continued, and one if its clock restarted', async () => {
    const target = { url: `${server.rtmpUrl}/live/cam` };
    const onContinuedClock = { ...target, arguments: clockSince(Date.now()) };
    const before = EncoderProcess.publish(onContinuedClock);
    others.push(before);
    await server.text('/live/cam/v1/index.m3u8');
    const newest = async (): Promise<number> => newestMs('live/cam');
    await until('a segment of the first connection', async () => (await newest()) > 0, 20_000);
    await before.stop('SIGKILL');
    const onAgain = EncoderProcess.publish(onContinuedClock);
    others.push(onAgain);
    const cuts = async (): Promise<number> => count(await server.text('/live/cam/v1/index.m3u8'), CUT);
    const killedMs = await newest();
    await until('segments of the second connection', async () => (await newest()) >= killedMs + 5000, 20_000);
    expect(await cuts()).toBe(0);
    await onAgain.stop('SIGKILL');
    others.push(EncoderProcess.publish(target));
    await until('a declared cut', async () => (await cuts()) === 1, LIMIT_MS);
    expect(await probeStream(`${server.url}/live/cam/index.m3u8`)).toMatchObject({ complaints: '' });
  });

  it.each(['udp', 'srt'] as const)(
    'replaces the previous encoder on a %s input without a discontinuity if the clocks continue',
    async (name) => {
      const port = ports[name === 'udp' ? 2 : 3] ?? 0;
      const url = name === 'udp' ? `udp://127.0.0.1:${port}?pkt_size=1316` : `srt://127.0.0.1:${port}?mode=caller`;
      await until('an open port', () => isListening(port), LIMIT_MS);
      const startMs = Date.now();
      const send = (height: 240 | 360, x264?: string): EncoderProcess => {
        const arguments_ = [...clockSince(startMs, x264), '-f', 'mpegts'];
        const encoder = EncoderProcess.publish({ url, arguments: arguments_ }, { height });
        others.push(encoder);
        return encoder;
      };
      const listed = async (): Promise<readonly [cuts: number, inits: number]> => {
        const text = await server.text(`/${name}/v1/index.m3u8`);
        return [count(text, CUT), count(text, '#EXT-X-MAP')];
      };
      /** Replaces the encoder, and waits for segments of the next one. A pause that fits into a segment is no interruption. */
      const replace = async (encoder: EncoderProcess, ...next: Parameters<typeof send>): Promise<EncoderProcess> => {
        await encoder.stop();
        const beforeMs = await newestMs(name);
        let sent = send(...next);
        const isOn = async (): Promise<boolean> => {
          // A caller ends if the listener still has the previous connection.
          if (!sent.isRunning) sent = send(...next);
          return (await newestMs(name)) >= beforeMs + 5000;
        };
        await until('segments of the next', isOn, LIMIT_MS, () => `${sent.printed}${server.printed}`);
        return sent;
      };
      // More reference pictures than the next encoder needs, so that its sets fit the same decoder.
      const first = send(240, ':ref=4');
      await until('a segment', async () => (await newestMs(name)) > 0, LIMIT_MS);
      await until(
        'segments only',
        async () => !(await server.text(`/${name}/v1/index.m3u8`)).includes('GAP'),
        LIMIT_MS,
      );
      expect(await listed()).toEqual([0, 1]);
      const second = await replace(first, 240);
      expect(await listed()).toEqual([0, 1]);
      await replace(second, 360);
      expect(await listed()).toEqual([1, 2]);
      expect(await probeStream(`${server.url}/${name}/index.m3u8`)).toMatchObject({ complaints: '' });
    },
  );
});
