import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FLASH_AREA } from '../../src-main/codec/test-picture/test-picture-drawing.ts';

/** Content of a clip. A white square and a beep of 80 ms mark each second, as in `fake://`. */
export interface MarkedClipOptions {
  readonly seconds: number;
  readonly height: 240 | 360 | 480 | 720;
  readonly codec: 'h264' | 'hevc';
  readonly bFrames: number;
  /** Seconds between key frames. */
  readonly gopSeconds: number;
  readonly tracks: 'both' | 'video' | 'audio';
}

const DEFAULTS: MarkedClipOptions = {
  seconds: 120,
  height: 240,
  codec: 'h264',
  bFrames: 0,
  gopSeconds: 1,
  tracks: 'both',
};
const FPS = 25;

/** Clip for encoders as a Matroska file, created by ffmpeg once per machine and kept in the temporary folder. */
export function markedClip(options: Partial<MarkedClipOptions> = {}): string {
  const { seconds, height, codec, bFrames, gopSeconds, tracks } = { ...DEFAULTS, ...options };
  const folder = join(tmpdir(), 'airdesk-test-media');
  const file = join(folder, `clip-1-${seconds}s-${height}p-${codec}-b${bFrames}-g${gopSeconds}-${tracks}.mkv`);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  const width = Math.round((height * 16) / 18) * 2;
  const area = `x=iw*${FLASH_AREA.x}:y=ih*${FLASH_AREA.y}:w=iw*${FLASH_AREA.width}:h=ih*${FLASH_AREA.height}:t=fill`;
  const picture = `testsrc2=size=${width}x${height}:rate=${FPS}:duration=${seconds},drawbox=${area}:color=black,drawbox=${area}:color=white:enable='lt(mod(t\\,1)\\,0.079)'`;
  const tone = `aevalsrc='0.03*sin(880*PI*t)+0.35*sin(2000*PI*t)*lt(mod(t\\,1)\\,0.08)':s=48000:d=${seconds}:c=stereo`;
  const gop = String(gopSeconds * FPS);
  const common = [
    '-pix_fmt',
    'yuv420p',
    '-preset',
    'ultrafast',
    '-g',
    gop,
    '-keyint_min',
    gop,
    '-bf',
    String(bFrames),
    '-b:v',
    '600k',
    '-maxrate',
    '800k',
    '-bufsize',
    '800k',
  ];
  const video =
    codec === 'hevc'
      ? ['-c:v', 'libx265', '-x265-params', `log-level=none:scenecut=0:open-gop=0:keyint=${gop}:bframes=${bFrames}`]
      : ['-c:v', 'libx264', '-sc_threshold', '0'];
  const partial = `${file}.${process.pid}`;
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-nostdin',
    '-y',
    ...(tracks === 'audio' ? [] : ['-f', 'lavfi', '-i', picture]),
    ...(tracks === 'video' ? [] : ['-f', 'lavfi', '-i', tone]),
    ...(tracks === 'audio' ? [] : [...video, ...common]),
    ...(tracks === 'video' ? [] : ['-c:a', 'aac', '-b:a', '96k']),
    '-f',
    'matroska',
    partial,
  ]);
  renameSync(partial, file);
  return file;
}
