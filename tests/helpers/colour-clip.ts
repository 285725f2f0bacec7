import { execFileSync } from 'node:child_process';

/** Makes a clip of one colour in the format of the marked clips, which `EncoderProcess` sends. */
export function makeColourClip(file: string, seconds: number, colour = 'magenta'): void {
  const sources = [`color=${colour}:size=426x240:rate=25`, 'sine=frequency=300:sample_rate=48000'];
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-nostdin',
    ...sources.flatMap((one) => ['-f', 'lavfi', '-t', String(seconds), '-i', one]),
    '-pix_fmt',
    'yuv420p',
    '-preset',
    'ultrafast',
    '-g',
    '25',
    '-bf',
    '0',
    '-ac',
    '2',
    '-c:a',
    'aac',
    file,
  ]);
}
