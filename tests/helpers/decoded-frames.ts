import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Digests of the decoded pictures and sounds of a file, in order. */
export interface DecodedFrames {
  readonly video: readonly string[];
  readonly audio: readonly string[];
}

/** Decodes a file with ffmpeg; raises an error where it complains of anything. @param format name of the container, as a file ends */
export function decodedFrames(bytes: Uint8Array, format: 'mp4' | 'ts'): DecodedFrames {
  const path = join(tmpdir(), `airdesk-${randomUUID()}.${format}`);
  writeFileSync(path, bytes);
  try {
    const command = `ffmpeg -nostdin -v warning -i ${path} -map 0 -fps_mode passthrough -f framemd5 - 2>&1`;
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
