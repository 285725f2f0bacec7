import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Duration of the clip: a whole number of GOPs, of pictures and of AAC frames at 48 kHz. */
export const CLIP_SECONDS = 32;
export const CLIP_FPS = 25;

/** Files that all sections use. */
export interface BenchMedia {
  readonly flv: string;
  readonly ts: string;
}

/** Creates the clip once: H.264 High 720p25, GOP 2 s with B-frames, 4 Mbit/s, AAC 128 kbit/s; as FLV and as MPEG-TS. */
export function benchMedia(): BenchMedia {
  const folder = join(tmpdir(), 'airdesk-bench');
  mkdirSync(folder, { recursive: true });
  const flv = join(folder, 'clip-1.flv');
  const ts = join(folder, 'clip-1.ts');
  // Noise, so that the encoder uses the full bitrate.
  if (!existsSync(flv)) ffmpeg([...inputs(), ...encoder(), '-f', 'flv'], flv);
  if (!existsSync(ts)) ffmpeg(['-i', flv, '-c', 'copy', '-f', 'mpegts'], ts);
  return { flv, ts };
}

function inputs(): string[] {
  const picture = `testsrc2=size=1280x720:rate=${CLIP_FPS},noise=alls=18:allf=t,format=yuv420p`;
  return [
    '-f',
    'lavfi',
    '-i',
    picture,
    '-f',
    'lavfi',
    '-i',
    'sine=frequency=440:sample_rate=48000',
    '-t',
    `${CLIP_SECONDS}`,
  ];
}

function encoder(): string[] {
  const rate = ['-b:v', '4M', '-maxrate', '4M', '-bufsize', '4M'];
  const gop = ['-g', '50', '-keyint_min', '50', '-sc_threshold', '0', '-bf', '2'];
  return [
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-profile:v',
    'high',
    ...gop,
    ...rate,
    '-c:a',
    'aac',
    '-ac',
    '2',
    '-b:a',
    '128k',
  ];
}

function ffmpeg(args: readonly string[], path: string): void {
  const unfinished = `${path}.new`;
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...args, unfinished], { stdio: ['ignore', 'ignore', 'inherit'] });
  renameSync(unfinished, path);
}
