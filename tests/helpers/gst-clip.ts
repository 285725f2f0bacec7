import { execFile } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { requirePeer } from '../../scripts/setup-peers.ts';
import { convertedFile } from './made-media.ts';

/**
 * Muxes video and audio of an MP4 file by GStreamer, once per machine.
 *
 * @param muxer element with its properties, such as `mp4mux faststart=true`
 */
export async function gstClip(from: string, muxer: string, to: string): Promise<void> {
  const program = requirePeer('gst-launch');
  const file = await convertedFile(program, from, [muxer], async (target) => {
    const line = [
      `filesrc location=${from} ! qtdemux name=d`,
      `${muxer} name=m ! filesink location=${target}`,
      'd.video_0 ! queue ! h264parse ! m.',
      'd.audio_0 ! queue ! aacparse ! m.',
    ].join(' ');
    const { stderr } = await promisify(execFile)(program, ['-q', ...line.split(' ')]);
    process.stderr.write(stderr);
  });
  copyFileSync(file, to);
}
