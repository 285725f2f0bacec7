import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepNewest } from '../../src-main/lib/limits/newest.ts';

/** Hashes of the decoded pictures and audio of a file, in order. */
export interface DecodedFrames {
  readonly video: readonly string[];
  readonly audio: readonly string[];
}

/** Bytes of a file, and the extension of its container. */
export interface MediaBytes {
  readonly bytes: Uint8Array;
  readonly format: 'mp4' | 'ts';
}

/** Presentation times of the first picture and the first audio of a file, in seconds; undefined if there is none. */
export interface FirstTimes {
  readonly video: number | undefined;
  readonly audio: number | undefined;
}

interface Decoded {
  readonly frames: DecodedFrames;
  readonly firstSeconds: FirstTimes;
}

/** Cached results: tests decode the same source repeatedly, and outputs are often identical. */
const DECODED = new Map<string, Decoded>();
const MAX_CACHED = 64;

/** Decodes a file with ffmpeg; throws the messages of ffmpeg. */
export function decodedFrames(bytes: Uint8Array, format: MediaBytes['format']): DecodedFrames {
  return decodedOf({ bytes, format }).frames;
}

/** Presentation times of the first picture and the first audio of a file. */
export function firstTimes(bytes: Uint8Array, format: MediaBytes['format']): FirstTimes {
  return decodedOf({ bytes, format }).firstSeconds;
}

/**
 * Decodes files in advance by one run of ffmpeg, because starting ffmpeg takes longer than decoding small pictures. If
 * ffmpeg prints a message, nothing is cached, and each file is decoded separately on request.
 */
export function decodeTogether(files: readonly MediaBytes[]): void {
  const missing = [...new Map(files.map((file) => [keyOf(file), file]))].filter(([key]) => !DECODED.has(key));
  const { complaints, decoded } = decode(missing.map(([, file]) => file));
  if (complaints !== '') return;
  for (const [index, [key]] of missing.entries()) cache(key, decoded[index]);
}

function decodedOf(file: MediaBytes): Decoded {
  const key = keyOf(file);
  const cached = DECODED.get(key);
  if (cached) return cached;
  const { complaints, decoded } = decode([file]);
  const [found] = decoded;
  if (complaints !== '' || !found) throw new Error(`ffmpeg says: ${complaints}`);
  cache(key, found);
  return found;
}

function keyOf({ bytes, format }: MediaBytes): string {
  return `${format} ${createHash('sha256').update(bytes).digest('hex')}`;
}

function cache(key: string, decoded: Decoded | undefined): void {
  if (decoded) DECODED.set(key, decoded);
  keepNewest(DECODED, MAX_CACHED);
}

function decode(files: readonly MediaBytes[]): { readonly complaints: string; readonly decoded: readonly Decoded[] } {
  if (files.length === 0) return { complaints: '', decoded: [] };
  const folder = mkdtempSync(join(tmpdir(), 'airdesk-decoded-'));
  const report = (index: number): string => join(folder, String(index));
  try {
    // One thread is enough: for small pictures, passing them between threads takes longer than decoding.
    const inputs = files.flatMap(({ bytes, format }, index) => {
      const path = `${report(index)}.${format}`;
      writeFileSync(path, bytes);
      return ['-threads', '1', '-i', path];
    });
    const outputs = files.flatMap((_, index) => [
      '-map',
      String(index),
      '-fps_mode',
      'passthrough',
      '-threads',
      '1',
      '-f',
      'framemd5',
      report(index),
    ]);
    const args = ['-nostdin', '-v', 'warning', '-copyts', '-filter_threads', '1', ...inputs, ...outputs];
    const { status, stderr } = spawnSync('ffmpeg', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
    if (status !== 0 || stderr !== '') return { complaints: `${status} ${stderr}`, decoded: [] };
    return { complaints: '', decoded: files.map((_, index) => readReport(readFileSync(report(index), 'utf8'))) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Parses the output of ffmpeg's muxer `framemd5`. */
function readReport(text: string): Decoded {
  const media = new Map([...text.matchAll(/^#media_type (\d+): (\w+)$/gm)].map(([, index, type]) => [index, type]));
  const scales = new Map([...text.matchAll(/^#tb (\d+): 1\/(\d+)$/gm)].map(([, index, per]) => [index, Number(per)]));
  const frames: { video: string[]; audio: string[] } = { video: [], audio: [] };
  const firstSeconds: { video: number | undefined; audio: number | undefined } = { video: undefined, audio: undefined };
  for (const line of text.trim().split('\n')) {
    if (line.startsWith('#')) continue;
    const fields = line.split(',').map((field) => field.trim());
    const type = media.get(fields[0]);
    if (fields.length !== 6 || (type !== 'video' && type !== 'audio')) throw new Error(`ffmpeg says: ${line}`);
    firstSeconds[type] ??= Number(fields[2]) / (scales.get(fields[0]) ?? NaN);
    frames[type].push(fields[5] ?? '');
  }
  return { frames, firstSeconds };
}
