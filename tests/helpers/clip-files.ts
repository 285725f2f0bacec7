import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { remadeFile } from './made-media.ts';

/** Duration of a clip in seconds, and arguments for the muxer. */
interface Clip {
  readonly seconds: number;
  readonly muxer?: readonly string[];
}

/**
 * Folder with clips of a test: the same small picture with B-frames and a tone, muxed in several ways. Each clip is
 * created once per machine.
 */
export class ClipFiles {
  readonly folder = mkdtempSync(join(tmpdir(), 'airdesk-clips-'));

  path(name: string): string {
    return join(this.folder, name);
  }

  /** Muxes a clip into a file whose name selects the format. */
  add(name: string, { seconds, muxer = [] }: Clip): string {
    const path = this.path(name);
    copyFileSync(remadeFile(encoded(seconds), ['-c', 'copy', ...muxer, `clip${extname(name)}`]), path);
    return path;
  }

  close(): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** Arguments that encode a clip of a number of seconds. */
function encoded(seconds: number): readonly string[] {
  return [
    '-f',
    'lavfi',
    '-i',
    `testsrc2=size=160x90:rate=25:duration=${seconds}`,
    '-f',
    'lavfi',
    '-i',
    `sine=frequency=440:sample_rate=48000:duration=${seconds}`,
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-threads',
    '1',
    '-g',
    '50',
    '-bf',
    '2',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    '-b:a',
    '64k',
    `.encoded-${seconds}.mkv`,
  ];
}

/** Column of the hash of a unit, after stream, two times, duration and size; side data follows. */
const HASH_COLUMN = 5;
type StreamName = 'v:0' | 'a:0';

/**
 * MD5 of the coded data of each unit, for streams of files or addresses, in decoding order. All are read by one run of
 * ffmpeg, because starting ffmpeg takes most of the time.
 */
export function unitDigests(requested: readonly (readonly [input: string, stream: StreamName])[]): string[][] {
  if (requested.length === 0) return [];
  const folder = mkdtempSync(join(tmpdir(), 'airdesk-digests-'));
  const inputs = [...new Set(requested.map(([input]) => input))];
  const report = (index: number): string => join(folder, String(index));
  try {
    const outputs = requested.flatMap(([input, stream], index) => [
      '-map',
      `${inputs.indexOf(input)}:${stream}`,
      '-c',
      'copy',
      '-f',
      'framemd5',
      report(index),
    ]);
    execFileSync('ffmpeg', ['-v', 'error', '-nostdin', ...inputs.flatMap((input) => ['-i', input]), ...outputs]);
    return requested.map((_, index) =>
      readFileSync(report(index), 'utf8')
        .split('\n')
        .flatMap((line) => (line === '' || line.startsWith('#') ? [] : [line.split(',')[HASH_COLUMN]?.trim() ?? ''])),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}
