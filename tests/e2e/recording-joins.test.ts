import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AirdeskProcess } from '../helpers/airdesk-process.ts';
import { until } from '../helpers/until.ts';

// An encoder that stops and publishes again: the archive contains every picture of both recordings once, in every form.

const run = promisify(execFile);
const SECONDS = 5;
/**
 * Pauses of the encoder in milliseconds: after a short pause the stream continues without a discontinuity, a long pause
 * leaves a gap.
 */
const PAUSES = { at_once: 0, soon: 2000, later: 8000 } as const;
type Name = keyof typeof PAUSES;
const NAMES = Object.keys(PAUSES) as readonly Name[];

let server: AirdeskProcess;
/** Two clips with different pictures in the same format. */
let clips: readonly string[];

beforeAll(async () => {
  server = await AirdeskProcess.start(
    NAMES.map((name) => `stream ${name} { input publish://; segment_duration 1; dvr archive; }`).join('\n'),
  );
  clips = ['testsrc2', 'testsrc'].map((pictures) => {
    const clip = join(server.folder, `${pictures}.flv`);
    const inputs = [
      '-f',
      'lavfi',
      '-i',
      `${pictures}=size=160x90:rate=10`,
      '-f',
      'lavfi',
      '-i',
      'sine=sample_rate=44100',
    ];
    const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '10', '-bf', '2', '-pix_fmt', 'yuv420p'];
    execFileSync('ffmpeg', [
      '-v',
      'error',
      ...inputs,
      '-t',
      `${SECONDS}`,
      ...video,
      '-c:a',
      'aac',
      '-b:a',
      '32k',
      clip,
    ]);
    return clip;
  });
});

afterAll(async () => {
  await server?.dispose();
});

/** Hashes of the decoded pictures of an address. */
async function pictures(address: string): Promise<string[]> {
  const args = ['-i', address, '-map', '0:v:0', '-fps_mode', 'passthrough', '-f', 'framemd5', '-'];
  const { stdout } = await run('ffmpeg', ['-v', 'error', '-nostdin', ...args], { maxBuffer: 64 << 20 });
  const lines = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => line.split(',').at(-1)?.trim() ?? '');
}

async function publish(name: Name, clip: string): Promise<void> {
  const url = `${server.rtmpUrl}/static/${name}`;
  await run('ffmpeg', ['-v', 'error', '-nostdin', '-readrate', '1', '-i', clip, '-c', 'copy', '-f', 'flv', url]);
}

it.concurrent.each(NAMES)(
  'the archive contains every picture before and after a pause once if the encoder returns %s',
  async (name) => {
    const sent = (await Promise.all(clips.map(pictures))).flat();
    expect(new Set(sent).size).toBe(SECONDS * 20);
    const from = Math.floor(Date.now() / 1000) - 2;
    await publish(name, clips[0] ?? '');
    await setTimeout(PAUSES[name]);
    await publish(name, clips[1] ?? '');
    const seconds = Math.ceil(Date.now() / 1000) + 1 - from;
    const address = (form: string): string => `${server.url}/${name}/archive-${from}-${seconds}.${form}`;
    await until(
      'the end of the list',
      async () => (await (await fetch(address('ts.m3u8'))).text()).includes('#EXT-X-ENDLIST'),
      90_000,
      () => server.printed,
    );
    const numbers = sent.map((_, at) => at);
    for (const form of ['ts.m3u8', 'ts', 'mp4', 'm3u8']) {
      const found = (await pictures(address(form))).map((hash) => sent.indexOf(hash));
      expect({ form, found: found.join(' ') }).toEqual({ form, found: numbers.join(' ') });
    }
  },
  180_000,
);
