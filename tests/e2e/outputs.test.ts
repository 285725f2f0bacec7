import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AirdeskProcess } from '../helpers/airdesk-process.ts';
import { EncoderProcess } from '../helpers/encoder-process.ts';
import { until } from '../helpers/until.ts';

const run = promisify(execFile);

interface ProbedPacket {
  readonly codec_type: string;
  readonly pts_time: string;
  readonly dts_time: string;
  readonly flags: string;
}

/** Packets that ffprobe reads in the first seconds of an address or file, and its messages. */
async function probe(
  input: string,
  seconds: number,
): Promise<{ readonly packets: readonly ProbedPacket[]; readonly complaints: string }> {
  const args = [
    '-v',
    'warning',
    '-read_intervals',
    `%+${seconds}`,
    '-show_packets',
    '-show_entries',
    'packet=codec_type,pts_time,dts_time,flags',
    '-of',
    'json',
    input,
  ];
  const { stdout, stderr } = await run('ffprobe', args, { timeout: 60_000, maxBuffer: 64 * 1024 * 1024 });
  // ffprobe prints the requested fields.
  return { packets: (JSON.parse(stdout) as { packets: ProbedPacket[] }).packets, complaints: stderr };
}

/** Largest difference between consecutive decoding times in seconds. */
function longestStep(packets: readonly ProbedPacket[]): number {
  let longest = 0;
  for (const [index, packet] of packets.entries()) {
    const before = packets[index - 1];
    if (before) longest = Math.max(longest, Number(packet.dts_time) - Number(before.dts_time));
  }
  return longest;
}

function expectSteady(packets: readonly ProbedPacket[], seconds: number): void {
  for (const [type, perSecond, frame] of [
    ['video', 25, 0.04],
    ['audio', 46.875, 0.0214],
  ] as const) {
    const ofType = packets.filter((packet) => packet.codec_type === type);
    expect(ofType.length, type).toBeGreaterThan(perSecond * (seconds - 2));
    expect(longestStep(ofType), type).toBeLessThan(frame * 2);
  }
  expect(packets.find((packet) => packet.codec_type === 'video')?.flags).toContain('K');
}

describe.concurrent('output read by ffprobe', () => {
  let server: AirdeskProcess;
  let encoder: EncoderProcess;

  beforeAll(async () => {
    server = await AirdeskProcess.start();
    encoder = EncoderProcess.publish({ url: `${server.rtmpUrl}/live/cam` }, { bFrames: 2 });
    for (const track of ['v1', 'a1']) {
      await until(
        `segments of ${track}`,
        async () => (await server.text(`/live/cam/${track}/index.m3u8`)).split('#EXTINF').length > 3,
        30_000,
      );
    }
  });

  afterAll(async () => {
    await encoder.stop();
    expect(await server.stop()).toBe(0);
    await server.dispose();
  });

  it.each(['index.m3u8', 'index.ts.m3u8', 'index.mpd'])('of %s has regular times without gaps', async (file) => {
    const { packets } = await probe(`${server.url}/live/cam/${file}`, 8);
    expectSteady(packets, 8);
  });

  it('of the endless MPEG-TS response has regular times and no damage', async () => {
    const response = await fetch(`${server.url}/live/cam/mpegts`);
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    const started = performance.now();
    const reader = response.body?.getReader();
    while (reader && performance.now() - started < 8000) {
      // The body of a response contains bytes.
      const { value } = (await reader.read()) as { value?: Uint8Array };
      if (!value) break;
      pieces.push(value);
      bytes += value.length;
    }
    await reader?.cancel();
    // Cuts after the last complete packet. The last PES packet may be incomplete, so messages about it are ignored.
    const all = Buffer.concat(pieces).subarray(0, bytes - (bytes % 188));
    const file = join(server.folder, 'endless.ts');
    await writeFile(file, all);
    const { packets, complaints } = await probe(file, 100);
    expectSteady(packets, 7);
    expect(
      complaints.split('\n').filter((line) => line !== '' && !/PES packet size mismatch|Packet corrupt/.test(line)),
    ).toEqual([]);
  });
});
