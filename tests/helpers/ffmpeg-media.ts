import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { madeBytes } from './made-media.ts';

/** Packet of an elementary stream from ffprobe. */
export interface ProbedPacket {
  readonly stream: number;
  readonly ptsTicks: number;
  readonly dtsTicks: number;
  readonly isKey: boolean;
}

/** Standard output of ffmpeg with these arguments. Without an input file, the output is cached per machine. */
export function ffmpeg(args: readonly string[]): Buffer {
  const isMade = args.every((word, at) => word !== '-i' || args[at - 1] === 'lavfi');
  if (isMade) return madeBytes(args);
  return execFileSync('ffmpeg', ['-v', 'error', '-nostdin', ...args, '-'], { maxBuffer: 64 * 1024 * 1024 });
}

/** Arguments for a small test picture and a number of tones. */
export function testSources(seconds: number, tones: number): string[] {
  const tone = Array.from({ length: tones }, (_, n) => [
    '-f',
    'lavfi',
    '-i',
    `sine=frequency=${440 + 100 * n}:sample_rate=48000:duration=${seconds}`,
  ]);
  return ['-f', 'lavfi', '-i', `testsrc2=size=160x90:rate=25:duration=${seconds}`, ...tone.flat()];
}

/** Runs ffprobe on a transport stream; throws on any warning. */
export function ffprobe(bytes: Uint8Array, args: readonly string[]): string {
  const path = join(tmpdir(), `airdesk-${randomUUID()}.ts`);
  writeFileSync(path, bytes);
  try {
    const command = `ffprobe -v warning ${args.join(' ')} ${path} 2>&1`;
    return execFileSync('sh', ['-c', command], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  } finally {
    rmSync(path);
  }
}

/** All packets of a transport stream from ffprobe, in file order. */
export function probePackets(bytes: Uint8Array): ProbedPacket[] {
  const lines = ffprobe(bytes, [
    '-show_packets',
    '-of',
    'compact',
    '-show_entries',
    'packet=stream_index,pts,dts,flags',
  ]).split('\n');
  return lines
    .filter((line) => line.startsWith('packet|'))
    .map((line) => {
      const field = (name: string): string => new RegExp(`\\|${name}=([^|]*)`).exec(line)?.[1] ?? '';
      return {
        stream: Number(field('stream_index')),
        ptsTicks: Number(field('pts')),
        dtsTicks: Number(field('dts')),
        isKey: field('flags').startsWith('K'),
      };
    });
}
