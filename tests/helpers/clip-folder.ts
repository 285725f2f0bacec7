import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { AccessUnit, FormatProblem, SpliceMessage } from '../../src-main/media/access-unit.ts';
import type { Track } from '../../src-main/media/track.ts';
import type { InputEnd, InputSink } from '../../src-main/ingest/input.ts';
import type { FileBytes } from '../../src-main/media/containers/file-bytes.ts';
import { makeFiles, probeMade } from './made-media.ts';

/** Folder of clips that tests create with ffmpeg. */
export class ClipFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'airdesk-clips-'));

  /** Creates a clip of a test picture and a tone; returns its path. */
  make(name: string, options: readonly string[], seconds = 2): string {
    const picture = ['-f', 'lavfi', '-i', `testsrc2=s=160x90:r=25:d=${seconds}`];
    const tone = ['-f', 'lavfi', '-i', `sine=r=48000:d=${seconds}`];
    makeFiles(this.path, [...picture, ...tone, '-shortest', ...options, name]);
    return join(this.path, name);
  }

  close(): void {
    rmSync(this.path, { recursive: true });
  }
}

/** Options of ffmpeg for a fast H.264 picture with B-frames. */
export const H264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '2', '-g', '25', '-threads', '1'];

/** Options of ffmpeg for a fast H.265 picture with B-frames. */
export const H265 = [
  '-c:v',
  'libx265',
  '-preset',
  'ultrafast',
  '-g',
  '25',
  '-x265-params',
  'log-level=error:bframes=2:pools=1',
  '-tag:v',
  'hvc1',
];

/** One packet as ffprobe lists it. */
interface ProbedPacket {
  readonly stream_index: number;
  readonly pts: number;
  readonly dts: number;
  readonly size: string;
  readonly flags: string;
}

/** Output of ffprobe for a file. */
interface ProbedClip {
  readonly packets: readonly ProbedPacket[];
  readonly timescales: readonly number[];
  readonly streams: readonly Record<string, unknown>[];
}

const SHOWN = ['-show_packets', '-show_streams', '-of', 'json'];

/** Runs ffprobe on a file; fails if ffprobe prints a message. */
export function probe(path: string): ProbedClip {
  const { out, err } = run('ffprobe', ['-v', 'error', ...SHOWN, path]);
  if (err !== '') throw new Error(`ffprobe complains: ${err}`);
  return readProbed(out);
}

/** Output of ffprobe for a clip that ffmpeg created, cached per machine. */
export function probeClip(path: string): ProbedClip {
  const name = basename(path);
  return readProbed(probeMade({ folder: dirname(path), files: [name] }, [...SHOWN, name]));
}

function readProbed(text: string): ProbedClip {
  // The options of ffprobe request these fields.
  const value = JSON.parse(text) as { packets: ProbedPacket[]; streams: { time_base: string }[] };
  return {
    packets: value.packets,
    timescales: value.streams.map((stream) => Number(stream.time_base.split('/')[1])),
    streams: value.streams,
  };
}

function run(program: string, options: readonly string[]): { readonly out: string; readonly err: string } {
  const errorFile = join(mkdtempSync(join(tmpdir(), 'airdesk-run-')), 'stderr');
  const out = execFileSync('/bin/sh', ['-c', 'exec "$0" "$@" 2>"$AIRDESK_STDERR"', program, ...options], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    env: { ...process.env, AIRDESK_STDERR: errorFile },
  });
  const err = readFileSync(errorFile, 'utf8');
  rmSync(join(errorFile, '..'), { recursive: true });
  return { out, err };
}

/** File in memory. */
export function bytesOfMemory(bytes: Uint8Array): FileBytes {
  return {
    sizeBytes: bytes.length,
    read(target, position) {
      const part = bytes.subarray(position, position + target.length);
      target.set(part);
      return Promise.resolve(part.length);
    },
  };
}

/** Sink that collects all calls of an input except splice messages. */
export class CollectingSink implements InputSink {
  readonly trackSets: (readonly Track[])[] = [];
  readonly units: AccessUnit[] = [];
  readonly problems: FormatProblem[] = [];
  readonly ends: InputEnd[] = [];
  receivedBytes = 0;
  onUnit: ((unit: AccessUnit) => void) | undefined;

  tracks(tracks: readonly Track[]): void {
    this.trackSets.push(tracks);
  }

  accessUnit(unit: AccessUnit): void {
    this.units.push({ ...unit, data: unit.data.slice() });
    this.onUnit?.(unit);
  }

  splice(_message: SpliceMessage): void {
    // The clips of these tests have no splice points.
  }

  problem(problem: FormatProblem): void {
    this.problems.push(problem);
  }

  received(bytes: number): void {
    this.receivedBytes += bytes;
  }

  ended(end: InputEnd): void {
    this.ends.push(end);
  }
}
