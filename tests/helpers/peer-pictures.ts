import { execFile, type ExecFileException } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { requirePeer } from '../../scripts/setup-peers.ts';

const run = promisify(execFile);
/** Against hanging only. */
const LIMIT_MS = 60_000;
/** Threads of GStreamer wait for each other now and then where Periods change, with no request open: it is asked again. */
const GST_LIMITS_MS = [20_000, 20_000, LIMIT_MS];

/** Players that are no browser. */
export type Peer = 'ffmpeg' | 'gstreamer' | 'vlc';

/** Program and arguments that decode the picture of an address into a file of 256 bytes a frame, or into packets of a transport stream. */
function decoder(peer: Peer, address: string, target: string, fromSeconds: number): readonly [string, ...string[]] {
  if (peer === 'ffmpeg') {
    const picture = ['-map', '0:v', '-vf', 'scale=16:16', '-pix_fmt', 'gray', '-fps_mode', 'passthrough'];
    return ['ffmpeg', '-v', 'error', '-nostdin', '-i', address, ...picture, '-f', 'rawvideo', target];
  }
  if (peer === 'gstreamer') {
    const picture = 'videoconvert ! videoscale ! video/x-raw,format=GRAY8,width=16,height=16';
    if (address.includes('.mpd')) {
      // Its player takes what comes and goes with the Periods.
      const sink = `video-sink=${picture} ! filesink sync=false location=${target}`;
      return [requirePeer('gst-launch'), '-q', 'playbin', `uri=${address}`, 'audio-sink=fakesink sync=false', sink];
    }
    const line = `-q uridecodebin uri=${address} name=d d. ! queue ! ${picture} ! filesink location=${target} d. ! queue ! audioconvert ! fakesink`;
    return [requirePeer('gst-launch'), ...line.split(' ')];
  }
  // VLC does not run as root.
  const vlc = [
    requirePeer('vlc'),
    '-I',
    'dummy',
    '--no-sout-all',
    '--play-and-exit',
    '--start-time',
    String(fromSeconds),
    '--sout',
  ];
  const command = [...vlc, `#std{access=file,mux=ts,dst=${target}}`, address];
  if (process.getuid?.() !== 0) return ['env', ...command];
  return ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', 'env', `HOME=${dirname(target)}`, ...command];
}

/** How many pictures a player makes of an address, of which VLC leaves out the last ones. @param fromSeconds where VLC begins */
export async function picturesBy(peer: Peer, address: string, fromSeconds = 0): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'airdesk-peer-'));
  chmodSync(folder, 0o777);
  const target = join(folder, 'out');
  try {
    const [program, ...args] = decoder(peer, address, target, fromSeconds);
    await play(program, args, peer === 'gstreamer' ? GST_LIMITS_MS : [LIMIT_MS]);
    if (peer !== 'vlc') return statSync(target).size / 256;
    const packets = [
      '-v',
      'error',
      '-select_streams',
      'v',
      '-count_packets',
      '-show_entries',
      'stream=nb_read_packets',
    ];
    return Number.parseInt((await run('ffprobe', [...packets, '-of', 'csv=p=0', target])).stdout, 10);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a program until it ends by itself, once more for each further limit behind which it was ended. */
async function play(program: string, args: readonly string[], [timeout, ...others]: readonly number[]): Promise<void> {
  await run(program, args, { timeout }).catch((error: ExecFileException) => {
    if (error.killed && others.length > 0) return play(program, args, others);
    throw error;
  });
}
