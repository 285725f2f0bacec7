import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newestOf } from '../../src-main/lib/limits/newest.ts';

/** Digests of the decoded pictures and sounds of a file, in order. */
export interface DecodedFrames {
  readonly video: readonly string[];
  readonly audio: readonly string[];
}

/** What was decoded of which bytes: tests decode the same source again and again, and what they compare it with is often the same to the byte. */
const DECODED = new Map<string, DecodedFrames>();
const MOST_KEPT = 16;

/** Decodes a file with ffmpeg; raises an error where it complains of anything. @param format name of the container, as a file ends */
export function decodedFrames(bytes: Uint8Array, format: 'mp4' | 'ts'): DecodedFrames {
  const key = `${format} ${createHash('sha256').update(bytes).digest('hex')}`;
  return newestOf(DECODED, key, MOST_KEPT, () => decode(bytes, format));
}

function decode(bytes: Uint8Array, format: 'mp4' | 'ts'): DecodedFrames {
  const path = join(tmpdir(), `airdesk-${randomUUID()}.${format}`);
  writeFileSync(path, bytes);
  try {
    // Small pictures: threads that hand them to each other cost more than they decode.
    const command = `ffmpeg -nostdin -v warning -threads 1 -filter_threads 1 -i ${path} -map 0 -fps_mode passthrough -threads 1 -f framemd5 - 2>&1`;
    const text = execFileSync('sh', ['-c', command], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
    const media = new Map([...text.matchAll(/^#media_type (\d+): (\w+)$/gm)].map(([, index, type]) => [index, type]));
    const frames: { video: string[]; audio: string[] } = { video: [], audio: [] };
    for (const line of text.trim().split('\n')) {
      if (line.startsWith('#')) continue;
      const fields = line.split(',').map((field) => field.trim());
      const type = media.get(fields[0]);
      if (fields.length !== 6 || (type !== 'video' && type !== 'audio')) throw new Error(`ffmpeg says: ${line}`);
      frames[type].push(fields[5] ?? '');
    }
    return frames;
  } finally {
    rmSync(path);
  }
}
