import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { makeFiles } from './made-media.ts';

const run = promisify(execFile);

/** Decoded picture or audio unit: its identity, and its time in milliseconds. */
export interface ShownUnit {
  readonly digest: string;
  readonly ms: number;
}

/**
 * Kind of units: decoded pictures, coded pictures, or coded audio. ffmpeg does not decode pictures in fragmented MP4
 * whose times restart.
 */
export type Content = 'v' | 'vc' | 'a';

/**
 * Messages of ffmpeg about restarted times or repeated init segments after EXT-X-DISCONTINUITY. Messages about two
 * inputs are sometimes mixed in one line and continue in the next line.
 */
const ABOUT_DISCONTINUITIES =
  /duplicated MOOV|out of order|Non-monotonous DTS|Last message repeated|changing to \d+\. This may result in incorrect timestamps/;

/** Units to read from a file or playlist. */
export interface RequestedUnits {
  readonly file: string;
  readonly content: Content;
  /** Options of the output. */
  readonly options?: readonly string[];
  /** Number of the audio track; default: the first one. */
  readonly track?: number;
}

/**
 * Digests of the decoded pictures, or of the audio packets, of a file or playlist; fails if a decoder prints a message.
 */
export async function unitsOf(file: string, content: Content): Promise<ShownUnit[]> {
  const [units = []] = await allUnitsOf([{ file, content }]);
  return units;
}

/**
 * Digests of the units of several files or playlists, by one run of ffmpeg: starting ffmpeg takes as long as decoding a
 * minute of such pictures.
 */
export async function allUnitsOf(requested: readonly RequestedUnits[]): Promise<ShownUnit[][]> {
  if (requested.length === 0) return [];
  const files = [...new Set(requested.map(({ file }) => file))];
  const folder = mkdtempSync(join(tmpdir(), 'airdesk-units-'));
  const report = (index: number): string => join(folder, String(index));
  try {
    const inputs = files.flatMap((file) => ['-threads', '1', '-i', file]);
    const outputs = requested.flatMap(({ file, content, options = [], track = 0 }, index) => {
      const coding = content === 'v' ? ['-fps_mode', 'passthrough'] : ['-c', 'copy', ...options];
      return [
        '-map',
        `${files.indexOf(file)}:${content.charAt(0)}:${track}`,
        ...coding,
        '-f',
        'framemd5',
        report(index),
      ];
    });
    const { stderr } = await run('ffmpeg', ['-v', 'warning', '-nostdin', '-copyts', ...inputs, ...outputs], {
      maxBuffer: 1 << 26,
    });
    const complaints = stderr.split('\n').filter((line) => line !== '' && !ABOUT_DISCONTINUITIES.test(line));
    if (complaints.length > 0)
      throw new Error(`ffmpeg complains of ${files.join(', ')}: ${complaints.slice(0, 20).join('\n')}`);
    return requested.map((_, index) => readUnits(readFileSync(report(index), 'utf8')));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Parses the output of ffmpeg's muxer `framemd5`. */
export function readUnits(report: string): ShownUnit[] {
  const scale = Number(/#tb 0: 1\/(\d+)/.exec(report)?.[1]);
  return report
    .split('\n')
    .filter((line) => /^\d/.test(line))
    .map((line) => line.split(',').map((field) => field.trim()))
    .map((fields) => ({ digest: fields[5] ?? '', ms: (Number(fields[2]) * 1000) / scale }));
}

/** Number of bits in each picture: bars across its upper third, and the inverted bits below them. */
const CODE_BITS = 16;
/** Number of bits of the picture number; the other bits identify the media. */
const NUMBER_BITS = 13;
/** Picture size at which numbers can be read from the screen. */
export const READABLE_SIZE = { width: 160, height: 96 };

/** Content of a small clip. */
interface NumberedMedia {
  readonly seconds: number;
  /**
   * Seed, 0 to 7. Media of different seeds have different pictures and audio. At a size that a page can read, each
   * picture shows the seed and its number.
   */
  readonly seed: number;
  readonly options?: readonly string[];
  /** Number of different audio tracks; default: 1. */
  readonly sounds?: number;
  /** Width and height, multiples of 16; default: 96 × 64. */
  readonly size?: { readonly width: number; readonly height: number };
}

/** Video and audio without two equal units, in closed GOPs of a second, encoded once per machine. */
export function encodeNumbered(file: string, { seconds, seed, options = [], size, sounds = 1 }: NumberedMedia): void {
  const { width, height } = size ?? { width: 96, height: 64 };
  const picture = `testsrc2=size=${width}x${height}:rate=25:duration=${seconds},hue=h=${seed * 47}${codeFilters(seed, width, height)}`;
  const noise = (index: number): string => `anoisesrc=d=${seconds}:c=pink:r=48000:a=0.3:seed=${seed + 8 * index}`;
  makeFiles(dirname(file), [
    '-f',
    'lavfi',
    '-i',
    picture,
    ...Array.from({ length: sounds }, (_, index) => ['-f', 'lavfi', '-i', noise(index)]).flat(),
    ...Array.from({ length: sounds + 1 }, (_, index) => ['-map', String(index)]).flat(),
    '-pix_fmt',
    'yuv420p',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-threads',
    '1',
    '-level',
    '2.1',
    '-g',
    '25',
    '-keyint_min',
    '25',
    '-sc_threshold',
    '0',
    '-bf',
    '0',
    ...options,
    '-ac',
    '2',
    '-c:a',
    'aac',
    '-b:a',
    '48k',
    basename(file),
  ]);
}

/** Filters of ffmpeg that draw the code of each picture. */
function codeFilters(seed: number, width: number, height: number): string {
  const [barWidth, barHeight] = [width / CODE_BITS, Math.floor(height / 6)];
  const black = `,drawbox=x=0:y=0:w=${width}:h=${2 * barHeight}:color=black:t=fill`;
  const bars = Array.from({ length: CODE_BITS }, (_, bit) => {
    const isSet = bit < NUMBER_BITS ? `mod(floor(n/${2 ** bit})\\,2)` : String((seed >> (bit - NUMBER_BITS)) & 1);
    return [isSet, `1-${isSet}`].map(
      (enable, row) =>
        `,drawbox=x=${bit * barWidth}:y=${row * barHeight}:w=${barWidth}:h=${barHeight}:color=white:t=fill:enable='${enable}'`,
    );
  });
  return black + bars.flat().join('');
}

/** Seed and number that a picture shows; undefined if it shows none. @param grey grey pixels, row by row */
export function numberIn(
  grey: Uint8Array,
  { width, height }: { readonly width: number; readonly height: number },
): { readonly seed: number; readonly number: number } | undefined {
  const isWhite = (bit: number, row: number): boolean => {
    const [x, y] = [Math.floor(((bit + 0.5) * width) / CODE_BITS), Math.floor(((row + 0.5) * height) / 6)];
    return (grey[y * width + x] ?? 0) > 127;
  };
  let code = 0;
  for (let bit = 0; bit < CODE_BITS; bit++) {
    if (isWhite(bit, 0) === isWhite(bit, 1)) return undefined;
    if (isWhite(bit, 0)) code += 2 ** bit;
  }
  return { seed: code >> NUMBER_BITS, number: code % 2 ** NUMBER_BITS };
}
