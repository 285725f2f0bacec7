import { execFileSync } from 'node:child_process';
import { requirePeer } from '../../scripts/setup-peers.ts';

/** Muxes picture and sound of an MP4 file by GStreamer. @param muxer an element with its properties, such as `mp4mux faststart=true` */
export function gstClip(from: string, muxer: string, to: string): void {
  const line = [
    `filesrc location=${from} ! qtdemux name=d`,
    `${muxer} name=m ! filesink location=${to}`,
    'd.video_0 ! queue ! h264parse ! m.',
    'd.audio_0 ! queue ! aacparse ! m.',
  ].join(' ');
  execFileSync(requirePeer('gst-launch'), ['-q', ...line.split(' ')], { stdio: ['ignore', 'ignore', 'inherit'] });
}
