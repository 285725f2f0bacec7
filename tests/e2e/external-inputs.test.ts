import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AirdeskProcess } from '../helpers/airdesk-process.ts';
import { childrenOf, readerOf } from '../helpers/children-of.ts';
import { freePort, freeUdpPort } from '../helpers/free-port.ts';
import { markedClip } from '../helpers/marked-clip.ts';
import { RtspServer } from '../helpers/rtsp-server.ts';
import { until } from '../helpers/until.ts';

// External peers: GStreamer serves RTSP; ffmpeg serves RTMP, and speaks SRT as caller and as listener.

const PASSPHRASE = 'e2e-passphrase-1';
const LOCKED = 'locked-secret';
const folder = mkdtempSync(join(tmpdir(), 'airdesk-external-e2e-'));
const peers: ChildProcess[] = [];
let rtsp: RtspServer;
let server: AirdeskProcess;
/** Port of the SRT listener whose passphrase no caller knows. */
let guardedPort = 0;

/** Starts an ffmpeg process that sends the clip in an endless loop. */
function send(format: string, output: readonly string[]): ChildProcess {
  const args = [
    '-v',
    'error',
    '-nostdin',
    '-re',
    '-stream_loop',
    '-1',
    '-i',
    markedClip(),
    '-c',
    'copy',
    '-f',
    format,
    ...output,
  ];
  const peer = spawn('ffmpeg', args, { stdio: 'ignore' });
  peers.push(peer);
  return peer;
}

beforeAll(async () => {
  const clip = markedClip();
  const [srtListener, srtCaller, guarded, rtmp, unused] = await Promise.all([
    freePort(),
    freePort(),
    freePort(),
    freePort(),
    freePort(),
  ]);
  rtsp = await RtspServer.start(clip);
  send('mpegts', [`srt://127.0.0.1:${srtListener}?mode=listener&passphrase=${PASSPHRASE}`]);
  send('flv', ['-listen', '1', `rtmp://127.0.0.1:${rtmp}/live/cam`]);
  const other = markedClip({ seconds: 4, height: 360 });
  const rtpVideo = await freeUdpPort(4);
  const rtpAudio = rtpVideo + 2;
  const sdp = join(folder, 'cam.sdp');
  const rtp = [
    '-v',
    'error',
    '-nostdin',
    '-re',
    '-stream_loop',
    '-1',
    '-i',
    clip,
    '-map',
    '0:v',
    '-c',
    'copy',
    '-f',
    'rtp',
    `rtp://127.0.0.1:${rtpVideo}`,
    '-map',
    '0:a',
    '-c',
    'copy',
    '-f',
    'rtp',
    `rtp://127.0.0.1:${rtpAudio}`,
    '-sdp_file',
    sdp,
  ];
  peers.push(spawn('ffmpeg', rtp, { stdio: 'ignore' }));
  await until('the description', () => existsSync(sdp), 30_000);
  writeFileSync(join(folder, 'list.m3u'), `#EXTM3U\n${other}\nnowhere.mp4\n${other}\n`);
  server = await AirdeskProcess.start(`
    allowed_paths ${dirname(other)};
    stream rtsp-tcp { input ${rtsp.url}; }
    stream rtsp-udp { input ${rtsp.url} transport=udp; }
    stream rtsp-user { input ${rtsp.lockedUrl(`viewer:${LOCKED}`)}; }
    stream rtsp-refused { input ${rtsp.lockedUrl(`viewer:not-${LOCKED}`)}; }
    stream rtsp-gone { input rtsp://127.0.0.1:${unused}/cam; }
    stream srt-caller { input srt://127.0.0.1:${srtListener}?mode=caller passphrase=${PASSPHRASE} latency=120; }
    stream srt-listener { input "srt://127.0.0.1:${srtCaller}?mode=listener&passphrase=${PASSPHRASE}"; }
    stream srt-guarded { input srt://127.0.0.1:${guarded}?mode=listener passphrase=${PASSPHRASE}; }
    stream rtp-sdp { input rtp:// sdp=${sdp}; }
    stream rtmp { input rtmp://127.0.0.1:${rtmp}/live/cam; }
    stream mkv { input file://${other}; }
    stream list { input playlist://${join(folder, 'list.m3u')}; }
    stream copy { input copy://mkv; }
    stream loop { input copy://loop; }
  `);
  send('mpegts', [`srt://127.0.0.1:${srtCaller}?mode=caller&passphrase=${PASSPHRASE}&streamid=cam1`]);
  guardedPort = guarded;
});

afterAll(async () => {
  for (const peer of peers) peer.kill('SIGKILL');
  await rtsp.close();
  await server.dispose();
  rmSync(folder, { recursive: true });
});

describe('inputs read by a codec process', () => {
  it.each([
    'rtsp-tcp',
    'rtsp-udp',
    'rtsp-user',
    'srt-caller',
    'srt-listener',
    'rtp-sdp',
    'rtmp',
    'mkv',
    'list',
    'copy',
  ])('%s is on air, and ffprobe finds no fault', async (name) => {
    const state = await server.streamWhere(
      name,
      '25 fps',
      ({ status, fps }) => status === 'running' && fps !== null && fps > 24 && fps < 26,
    );
    expect(state.media_info?.tracks.map(({ codec }) => codec).toSorted()).toEqual(['aac', 'h264']);
    await until(
      'two segments',
      async () => (await server.text(`/${name}/v1/index.m3u8`)).split('#EXTINF').length > 2,
      30_000,
    );
    const probe = spawn('ffprobe', [
      '-v',
      'error',
      '-read_intervals',
      '%+#150',
      '-show_entries',
      'packet=stream_index,flags',
      '-of',
      'csv=p=0',
      `${server.url}/${name}/index.m3u8`,
    ]);
    let out = '';
    let err = '';
    probe.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    probe.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    await once(probe, 'close');
    expect(err).toBe('');
    for (const stream of ['0', '1'])
      expect(
        out.split('\n').some((line) => line.startsWith(`${stream},K`)),
        out,
      ).toBe(true);
  });

  it('report faults without passwords', async () => {
    expect((await server.streamWithProblem('rtsp-refused', 'input_refused')).problems[0]?.detail).toContain('password');
    await server.streamWithProblem('rtsp-gone', 'input_unreachable');
    await server.streamWithProblem('loop', 'bad_input_url');
    const states = JSON.stringify(await server.call('streams.list', {}));
    for (const secret of [PASSPHRASE, LOCKED]) {
      expect(states).not.toContain(secret);
      expect(server.printed).not.toContain(secret);
    }
  });

  it('report an SRT caller with a wrong passphrase as a problem and by an event', async () => {
    send('mpegts', [`srt://127.0.0.1:${guardedPort}?mode=caller&passphrase=not${PASSPHRASE}`]);
    const code = 'publish_bad_password';
    const detail = 'The passphrase of an SRT caller is wrong';
    const { problems } = await server.streamWithProblem('srt-guarded', code);
    expect(problems).toContainEqual(expect.objectContaining({ code, detail }));
    const { events } = await server.call('events.recent', { limit: 10, event: 'publish_refused' });
    // A caller that got no answer in time calls again.
    expect(events.slice(0, 1)).toMatchObject([
      { event: 'publish_refused', media: 'srt-guarded', ip: null, code, detail },
    ]);
  });

  it('show the current entry and the skipped entries of a playlist', async () => {
    const { playlist } = await server.streamWhere('list', 'a playlist', (state) => state.playlist !== undefined);
    expect(playlist).toMatchObject({ current_entry: markedClip({ seconds: 4, height: 360 }), current_type: 'file' });
    expect(playlist?.position).toBeLessThanOrEqual(4100);
    await server.streamWithProblem('list', 'playlist_entry_skipped');
  });

  it('do not affect each other when one process crashes, and restart the process', async () => {
    // The processes of refused addresses may be ending, because they are retried.
    const file = markedClip({ seconds: 4, height: 360 });
    process.kill(await until('a reader of the file', () => readerOf(server.pid, file), 30_000), 'SIGKILL');
    const died = await until(
      'the stream whose process died',
      async () => {
        const { streams } = await server.call('streams.list', {});
        const hit = streams.filter(({ problems }) => problems.some(({ code }) => code === 'codec_process_failed'));
        return hit.length > 0 ? hit : undefined;
      },
      60_000,
    );
    expect(died).toHaveLength(1);
    await server.streamWhere(
      died[0]?.name ?? '',
      'a second run',
      ({ status, fps }) => status === 'running' && (fps ?? 0) > 20,
    );
  });

  it('end their processes with the server', async () => {
    const children = childrenOf(server.pid).map(({ pid }) => pid);
    expect(children.length).toBeGreaterThan(5);
    expect(await server.stop()).toBe(0);
    const alive = children.filter((pid) => {
      try {
        process.kill(pid, 0);
        return true;
      } catch {
        return false;
      }
    });
    expect(alive).toEqual([]);
  });
});
