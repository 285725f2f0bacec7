import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AirdeskProcess } from '../../helpers/airdesk-process.ts';
import { BadLine } from '../../helpers/bad-line.ts';
import { readerOf } from '../../helpers/children-of.ts';
import { FaultStage } from '../../helpers/fault-stage.ts';
import { freeUdpPort } from '../../helpers/free-port.ts';
import { markedClip } from '../../helpers/marked-clip.ts';
import { OddClockEncoder } from '../../helpers/odd-clock-encoder.ts';
import { probeStream } from '../../helpers/probe-stream.ts';
import { processTimeMs } from '../../helpers/process-time.ts';
import { RtmpEncoder } from '../../helpers/rtmp-encoder.ts';
import { starved } from '../../helpers/starved.ts';
import { TcpLine } from '../../helpers/tcp-line.ts';
import { testMedia } from '../../helpers/test-media.ts';
import { until } from '../../helpers/until.ts';

// All faults at once on one server, while a player watches a healthy stream.

/** Maximum growth of used memory by a flood, in bytes. */
const MEMORY_BYTES = 20 * 1024 * 1024;
const HALF_OPEN = 2000;
/** Time limit that only prevents hanging. */
const LIMIT_MS = 60_000;
/** Maximum recovery time of a stream on a busy machine, in milliseconds. On an idle machine, recovery takes 1 to 3 s. */
const MAX_RECOVERY_MS = 10_000;
const media = testMedia();
const otherClip = markedClip({ seconds: 20, height: 360 });
const lines: (BadLine | TcpLine)[] = [];
const oddEncoders: OddClockEncoder[] = [];
let stage: FaultStage;
let rtmpPort: number;
let udp: BadLine;
let rtp: BadLine;
let srt: BadLine;
let wrapPort: number;
let pulled: TcpLine;
let origin: AirdeskProcess;
/** Memory in use after the second flood, in bytes. */
let usedAfterFlood = 0;

async function line(): Promise<readonly [BadLine, number]> {
  const port = await freeUdpPort();
  const opened = await BadLine.open(port);
  lines.push(opened);
  return [opened, port];
}

async function odd(key: string, clock: (ms: number) => number): Promise<void> {
  oddEncoders.push(await OddClockEncoder.publish(rtmpPort, 'live', key, media, clock));
}

/** Tries to publish; returns whether the encoder was accepted. A refused encoder disconnects, and may retry. */
async function getsIn(key: string): Promise<boolean> {
  const encoder = await OddClockEncoder.publish(rtmpPort, 'live', key, media, (ms) => ms);
  oddEncoders.push(encoder);
  const state = await stage.server
    .streamWhere(`live/${key}`, 'frames', ({ alive }) => alive, 4000)
    .catch(() => undefined);
  if (!state) encoder.close();
  return state !== undefined;
}

/** Waits until a stream is on air and has segments. */
async function untilOnAir(stream: string): Promise<void> {
  await stage.server.streamWhere(stream, 'frames', ({ alive }) => alive);
  await stage.server.text(`/${stream}/v1/index.m3u8`);
}

beforeAll(async () => {
  const [udpLine, rtpLine, srtLine] = await Promise.all([line(), line(), line()]);
  [udp, rtp, srt] = [udpLine[0], rtpLine[0], srtLine[0]];
  wrapPort = await freeUdpPort();
  // Another server, from which one stream is pulled as an endless transport stream.
  origin = await AirdeskProcess.start(`stream clip { input file://${otherClip}; }`);
  pulled = await TcpLine.open(Number(new URL(origin.url).port));
  lines.push(pulled);
  stage = await FaultStage.start(`
    stream bad-udp { input udp://127.0.0.1:${udpLine[1]}; }
    stream bad-rtp { input rtp://127.0.0.1:${rtpLine[1]}; }
    stream bad-srt { input srt://127.0.0.1:${srtLine[1]}?mode=listener latency=1000; }
    stream wrapped { input udp://127.0.0.1:${wrapPort}; }
    stream pulled { input tshttp://127.0.0.1:${pulled.port}/clip/mpegts; }
    stream decoded { input file://${otherClip}; }
  `);
  rtmpPort = Number(new URL(stage.server.rtmpUrl.replace('rtmp', 'http')).port);
  stage.encoder({ url: `udp://127.0.0.1:${udp.port}?pkt_size=1316` });
  stage.encoder({ url: `rtp://127.0.0.1:${rtp.port}` });
  stage.encoder({ url: `srt://127.0.0.1:${srt.port}?mode=caller&latency=1000000` });
  await Promise.all(['bad-udp', 'bad-rtp', 'bad-srt', 'pulled', 'decoded'].map(untilOnAir));
  await stage.startCounting();
});

afterAll(async () => {
  for (const encoder of oddEncoders) encoder.close();
  await stage.dispose();
  for (const opened of lines) opened.close();
  await origin.dispose();
});

describe.concurrent('an input', () => {
  // The longest tests come first: five run at a time.
  it('over a bad SRT line loses nothing', async () => {
    srt.damage({ lost: 0.03, doubled: 0.02, reordered: 0.03 });
    const harmedBefore = srt.harmed;
    await until('damage', () => srt.harmed > harmedBefore + 60, 20_000);
    await stage.applyFault('SRT: 3 % lost, 2 % doubled, 3 % out of order', 'bad-srt', [], () => {});
    srt.damage({});
  });

  it('with a wrapping MPEG-TS clock continues without a discontinuity', async () => {
    // 2^33 ticks are 95 443.7 s.
    stage.encoder({ url: `udp://127.0.0.1:${wrapPort}?pkt_size=1316`, arguments: ['-output_ts_offset', '95440'] });
    await untilOnAir('wrapped');
    const start = await stage.endMs('wrapped');
    await until('the wrap', async () => (await stage.endMs('wrapped')) > start + 6000, 20_000);
    expect((await stage.server.stream('wrapped'))?.problems).toEqual([]);
    expect(await stage.server.text('/wrapped/v1/index.m3u8')).not.toContain('#EXT-X-DISCONTINUITY\n');
  });

  it('with an RTMP clock that wraps at 32 bits continues without a discontinuity', async () => {
    await odd('wrap32', (ms) => 2 ** 32 - 3000 + ms);
    await untilOnAir('live/wrap32');
    const start = await stage.endMs('live/wrap32');
    await until('the wrap', async () => (await stage.endMs('live/wrap32')) > start + 6000, 20_000);
    expect((await stage.server.stream('live/wrap32'))?.problems).toEqual([]);
    expect(await stage.server.text('/live/wrap32/v1/index.m3u8')).not.toContain('#EXT-X-DISCONTINUITY\n');
  });

  it('of a killed encoder continues when the encoder is back', async () => {
    const target = { url: `${stage.server.rtmpUrl}/live/killed` };
    const encoder = stage.encoder(target);
    await untilOnAir('live/killed');
    const { recoveryMs } = await stage.applyFault(
      'encoder killed',
      'live/killed',
      ['publish_closed'],
      () => encoder.stop('SIGKILL'),
      () => void stage.encoder(target),
    );
    expect(recoveryMs).toBeLessThan(MAX_RECOVERY_MS);
  });

  it('of an encoder cut off by a firewall continues with the next connection', async () => {
    const tcp = await TcpLine.open(rtmpPort);
    const target = { url: `rtmp://127.0.0.1:${tcp.port}/live/cut` };
    const encoder = stage.encoder(target);
    await untilOnAir('live/cut');
    const cut = async (): Promise<void> => {
      tcp.cut();
      await encoder.ended();
    };
    expect(
      (await stage.applyFault('connection cut', 'live/cut', ['publish_closed'], cut, () => void stage.encoder(target)))
        .recoveryMs,
    ).toBeLessThan(MAX_RECOVERY_MS);
    lines.push(tcp);
  });

  it('from a server whose connection is cut connects again', async () => {
    const { recoveryMs } = await stage.applyFault('connection to another server cut', 'pulled', ['input_ended'], () => {
      pulled.cut();
    });
    expect(recoveryMs).toBeLessThan(MAX_RECOVERY_MS);
  });

  it('of an encoder that hangs continues with the same encoder', async () => {
    const encoder = stage.encoder({ url: `${stage.server.rtmpUrl}/live/paused` });
    await untilOnAir('live/paused');
    const { recoveryMs } = await stage.applyFault(
      'encoder stands still',
      'live/paused',
      ['input_stalled'],
      () => {
        encoder.pause();
      },
      () => {
        encoder.resume();
      },
    );
    expect(recoveryMs).toBeLessThan(MAX_RECOVERY_MS);
  });

  it('whose codec process is killed gets a new process', async () => {
    const reader = await until('a reader of the file', () => readerOf(stage.server.pid, otherClip), LIMIT_MS);
    const { recoveryMs } = await stage.applyFault(
      'codec process killed',
      'decoded',
      ['codec_process_failed'],
      () => void process.kill(reader, 'SIGKILL'),
    );
    expect(recoveryMs).toBeLessThan(MAX_RECOVERY_MS);
  });

  it.each([
    ['bad-udp', () => udp, ['ts_continuity'], 'MPEG-TS by UDP: 2 % lost, 2 % doubled, 4 % out of order'],
    ['bad-rtp', () => rtp, ['rtp_lost'], 'RTP: 2 % lost, 2 % doubled, 4 % out of order'],
  ] as const)('over a bad line reports the faults and continues: %s', async (name, lineOf, codes, fault) => {
    const { recoveryMs } = await stage.applyFault(fault, name, codes, () => {
      lineOf().damage({ lost: 0.02, doubled: 0.02, reordered: 0.04 });
    });
    expect(lineOf().harmed).toBeGreaterThan(0);
    expect(recoveryMs).toBeLessThan(MAX_RECOVERY_MS);
    lineOf().damage({});
  });

  it.each([
    ['forward', 3_600_000],
    ['back', -3_600_000],
  ])('whose clock jumps an hour %s continues after one discontinuity', async (way, byMs) => {
    let jumpMs = 0;
    await odd(way, (ms) => 7_200_000 + ms + jumpMs);
    await untilOnAir(`live/${way}`);
    const { recoveryMs } = await stage.applyFault(
      `clock jumps an hour ${way}`,
      `live/${way}`,
      ['timestamps_jumped'],
      () => {
        jumpMs = byMs;
      },
    );
    expect(recoveryMs).toBeLessThan(MAX_RECOVERY_MS);
    expect((await stage.server.text(`/live/${way}/v1/index.m3u8`)).split('#EXT-X-DISCONTINUITY\n')).toHaveLength(2);
  });
});

/** Connects 300 encoders that request a name in use. */
async function floodTakenName(): Promise<void> {
  const from = performance.now();
  const crowd = await Promise.all(Array.from({ length: 300 }, () => RtmpEncoder.publish(rtmpPort, 'live', 'back')));
  await Promise.all(crowd.map((encoder) => encoder.untilStatus('NetStream.Publish.BadName')));
  stage.note(
    `300 publishers of a name in use: publish_busy, all refused after ${((performance.now() - from) / 1000).toFixed(1)} s`,
  );
  for (const encoder of crowd) encoder.socket.destroy();
}

/** Connects 300 encoders with different names that send nothing. */
async function floodNames(): Promise<void> {
  const from = performance.now();
  const crowd = await Promise.all(
    Array.from({ length: 300 }, (_, index) => RtmpEncoder.publish(rtmpPort, 'live', `crowd-${index}`)),
  );
  await Promise.all(crowd.map((encoder) => encoder.untilStatus('NetStream.Publish.Start')));
  stage.note(
    `300 publishers of names of their own: all accepted after ${((performance.now() - from) / 1000).toFixed(1)} s`,
  );
  for (const encoder of crowd) encoder.socket.destroy();
}

/**
 * Connections that send half a message; returns the processor time of the server that a reply took meanwhile, in milliseconds.
 */
async function floodSilent(protocol: 'RTMP' | 'HTTP', turn: string): Promise<number> {
  const port = protocol === 'RTMP' ? rtmpPort : Number(new URL(stage.server.url).port);
  const half: Socket[] = [];
  let open = 0;
  let closed = 0;
  const grown = stage.rssBytes;
  for (let count = 0; count < HALF_OPEN; count++) {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('connect', () => {
      open++;
      socket.write(protocol === 'RTMP' ? Buffer.of(3, 0) : 'GET /neighbour/index.m3u8 HTTP/1.1\r\nHost:');
    });
    socket.on('error', () => {});
    socket.on('close', () => closed++);
    half.push(socket);
  }
  await until('the connections', () => open + closed >= HALF_OPEN, LIMIT_MS);
  const from = processTimeMs(stage.server.pid);
  expect(await stage.server.text('/neighbour/v1/index.m3u8')).toContain('#EXTM3U');
  const answeredMs = processTimeMs(stage.server.pid) - from;
  if (protocol === 'RTMP') {
    // Silent connections are closed, so an encoder can connect again. Another stream continues meanwhile.
    await Promise.all([
      until('free connections', () => closed >= HALF_OPEN / 2, LIMIT_MS),
      stage.waitForNewMedia('live/forward'),
    ]);
    await until('an encoder that gets in', () => getsIn(`late-${turn}`), LIMIT_MS);
  }
  stage.note(
    `${HALF_OPEN} half-open connections by ${protocol}: an answer after ${answeredMs} ms of work, ${Math.round((stage.rssBytes - grown) / 1e6)} MB`,
  );
  for (const socket of half) socket.destroy();
  return answeredMs;
}

// The first two floods grow the heaps to their final size; a leak continues to grow.
describe.each(['first', 'second', 'third'])('a flood, run %s,', (turn) => {
  it('of publishers with one name does not replace the first publisher', async () => {
    await floodTakenName();
    const { problems, alive } = await stage.server.streamWithProblem('live/back', 'publish_busy');
    expect(alive).toBe(true);
    expect(problems.find(({ code }) => code === 'publish_busy')?.count).toBeGreaterThanOrEqual(300);
  });

  it('of silent publishers with many names is disconnected', async () => {
    await floodNames();
    await stage.server.streamWithProblem('live/crowd-0', 'publish_closed');
  });

  it.each(['RTMP', 'HTTP'] as const)('of silent connections does not block other clients: %s', async (protocol) => {
    expect(await floodSilent(protocol, turn)).toBeLessThan(1000);
    if (turn === 'second') usedAfterFlood = await stage.usedBytes();
  });
});

describe('after all faults,', () => {
  it('the unaffected stream never stalled, and memory is as before', async () => {
    const report = await stage.report();
    expect(starved(report)).toEqual([]);
    expect(report.errors).toEqual([]);
    let usedBytes = 0;
    // 2000 connections take a moment to close.
    const isFlat = async (): Promise<boolean> => (usedBytes = await stage.usedBytes()) < usedAfterFlood + MEMORY_BYTES;
    await until('memory as it was', isFlat, LIMIT_MS, () => `${usedBytes} of ${usedAfterFlood} bytes`);
    stage.note(
      `neighbour: longest freeze ${Math.round(report.longestFreezeMs)} ms, ${report.stalls.length} stalls, memory in use ${Math.round((usedBytes - usedAfterFlood) / 1e6)} MB more than before the last flood`,
    );
    expect((await stage.server.stream('neighbour'))?.problems).toEqual([]);
  });

  it.each([
    'live/killed',
    'live/cut',
    'live/paused',
    'pulled',
    'decoded',
    'bad-udp',
    'bad-rtp',
    'bad-srt',
    'wrapped',
    'live/wrap32',
    'live/forward',
    'live/back',
  ])('ffprobe finds nothing wrong with %s', async (name) => {
    const { complaints, video, audio, keyFrames } = await probeStream(`${stage.server.url}/${name}/index.m3u8`, 2);
    expect(complaints).toBe('');
    expect(Math.min(video, audio)).toBeGreaterThan(25);
    expect(keyFrames).toBeGreaterThan(0);
  });

  it('a media thread that crashes is restarted, and its streams play', async () => {
    const { recoveryMs } = await stage.applyFault('media thread killed', 'neighbour', ['media_thread_failed'], () => {
      process.kill(stage.server.pid, 'SIGUSR2');
    });
    expect(recoveryMs).toBeLessThan(MAX_RECOVERY_MS);
    // A player that gave up during the restart does not matter: the stream must play.
    const player = await stage.open('neighbour');
    expect((await player.playing()).errors).toEqual([]);
    expect((await probeStream(`${stage.server.url}/neighbour/index.m3u8`, 2)).complaints).toBe('');
  });
});
