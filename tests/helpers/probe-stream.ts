import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Packets that ffprobe found at an address. */
export interface StreamProbe {
  /** Warnings and errors; empty if there are none. */
  readonly complaints: string;
  /** Number of packets of each kind. */
  readonly video: number;
  readonly audio: number;
  readonly keyFrames: number;
}

/** Reads some seconds of a stream with ffprobe, to check the output of a server with another program. */
export async function probeStream(url: string, seconds = 3): Promise<StreamProbe> {
  const entries = 'packet=codec_type,flags';
  const child = spawn('ffprobe', [
    '-v',
    'error',
    '-read_intervals',
    `%+${seconds}`,
    '-show_entries',
    entries,
    '-of',
    'csv=p=0',
    url,
  ]);
  let complaints = '';
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  await once(child, 'close');
  const lines = text.split('\n');
  const video = lines.filter((line) => line.startsWith('video'));
  return {
    complaints,
    video: video.length,
    audio: lines.filter((line) => line.startsWith('audio')).length,
    keyFrames: video.filter((line) => line.includes(',K')).length,
  };
}
