import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AirdeskProcess } from '../helpers/airdesk-process.ts';
import { unitDigests } from '../helpers/clip-files.ts';
import { until } from '../helpers/until.ts';

/** Duration of the encoders in seconds of media. Set it to 3600 for an endurance test. */
const SECONDS = Number(process.env['AIRDESK_RECORDED_SECONDS'] ?? 6);
/** Speed of sending relative to real time. */
const SPEED = Number(process.env['AIRDESK_RECORDED_SPEED'] ?? 1);
/** Streams that are recorded by a `stream`, a `template` and a `live` directive. */
const STREAMS = ['cam', 'north/one', 'studio/two'] as const;

let server: AirdeskProcess;
const encoders: ChildProcess[] = [];

beforeAll(async () => {
  server = await AirdeskProcess.start(`stream cam { input publish://; segment_duration 1; dvr archive; }
template places { prefix north; input publish://; segment_duration 1; dvr archive; }
live studio { segment_duration 1; dvr archive; }`);
});

afterAll(async () => {
  for (const encoder of encoders) encoder.kill('SIGKILL');
  await server.dispose();
});

/** Paths of the blocks of a stream, oldest first. */
function blocks(stream: string): string[] {
  const folder = join(server.folder, 'data/archive', stream);
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.mp4'));
  return names.sort().map((name) => join(folder, name));
}

/** Hashes of all pictures and audio of consecutive files. */
function unitsIn(paths: readonly string[]): { readonly video: readonly string[]; readonly audio: readonly string[] } {
  const found = unitDigests(paths.flatMap((path) => [[path, 'v:0'] as const, [path, 'a:0'] as const]));
  const every = (rest: number): string[] => found.filter((_, index) => index % 2 === rest).flat();
  return { video: every(0), audio: every(1) };
}

it(
  'records every frame of a stream, of a template and of a live prefix',
  async () => {
    const clip = join(server.folder, 'clip.flv');
    const inputs = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=10', '-f', 'lavfi', '-i', 'sine=sample_rate=44100'];
    const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '10', '-bf', '0', '-pix_fmt', 'yuv420p'];
    const audio = ['-c:a', 'aac', '-b:a', '32k'];
    execFileSync('ffmpeg', ['-v', 'error', ...inputs, '-t', `${SECONDS}`, ...video, ...audio, clip]);
    const sent = unitsIn([clip]);
    expect(sent.video).toHaveLength(SECONDS * 10);

    await Promise.all(
      STREAMS.map(async (stream) => {
        const path = stream.includes('/') ? stream : `static/${stream}`;
        const url = `${server.rtmpUrl}/${path}`;
        const args = ['-v', 'error', '-nostdin', '-readrate', `${SPEED}`, '-i', clip, '-c', 'copy', '-f', 'flv', url];
        const encoder = spawn('ffmpeg', args, { stdio: 'ignore' });
        encoders.push(encoder);
        expect(await once(encoder, 'exit')).toEqual([0, null]);
      }),
    );
    for (const stream of STREAMS) {
      let readBytes = 0;
      const recorded = await until(
        `the archive of ${stream} is whole`,
        () => {
          const paths = blocks(stream);
          const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0);
          // Nothing was written after the file was read.
          if (bytes === readBytes) return undefined;
          readBytes = bytes;
          const found = unitsIn(paths);
          return found.video.length >= sent.video.length ? found : undefined;
        },
        60_000,
        () => server.printed,
      );
      expect([stream, recorded.video]).toEqual([stream, sent.video]);
      // An AAC encoder sends its first audio before the first picture; the stream starts at that picture.
      const sound = recorded.audio;
      expect(sent.audio.length - sound.length).toBeLessThanOrEqual(1);
      expect([stream, sound]).toEqual([stream, sent.audio.slice(-sound.length)]);
    }
  },
  120_000 + SECONDS * 2000,
);
