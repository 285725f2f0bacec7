import { execFile, type ExecFileException } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { requirePeer } from '../../scripts/setup-peers.ts';

const run = promisify(execFile);
/** Time limit in milliseconds that only prevents hanging. */
const LIMIT_MS = 60_000;
/**
 * Time limits of GStreamer runs: its threads sometimes deadlock at a change of Periods without an open request, and the
 * run is repeated.
 */
const GST_LIMITS_MS = [20_000, 20_000, LIMIT_MS];

/** Players other than browsers. */
export type Peer = 'ffmpeg' | 'gstreamer' | 'vlc';

/**
 * Program and arguments that decode the video of an address into a file of 256 bytes per frame, or into packets of a
 * transport stream.
 */
function playerCommand(
  peer: Exclude<Peer, 'ffmpeg'>,
  address: string,
  target: string,
  fromSeconds: number,
): readonly [string, ...string[]] {
  if (peer === 'gstreamer') {
    const picture = 'videoconvert ! videoscale ! video/x-raw,format=GRAY8,width=16,height=16';
    if (address.includes('.mpd')) {
      // The player of GStreamer follows streams that start and end with the Periods.
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

/**
 * Number of pictures that a player decodes from an address; VLC omits the last ones.
 *
 * @param fromSeconds start position of VLC
 */
export async function picturesBy(peer: Peer, address: string, fromSeconds = 0): Promise<number> {
  const [pictures = 0] = await allPicturesBy(peer, [address], fromSeconds);
  return pictures;
}

/**
 * Numbers of pictures that a player decodes from several addresses: ffmpeg plays all of them in one run, and counts the
 * output of VLC in one run.
 */
export async function allPicturesBy(peer: Peer, addresses: readonly string[], fromSeconds = 0): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'airdesk-peer-'));
  chmodSync(folder, 0o777);
  const targets = addresses.map((_, index) => join(folder, `out-${index}`));
  try {
    if (peer === 'ffmpeg') {
      await eachByFfmpeg(addresses, ['-vf', 'scale=16:16', '-pix_fmt', 'gray', '-f', 'rawvideo'], targets);
      return targets.map((target) => statSync(target).size / 256);
    }
    await Promise.all(
      addresses.map(async (address, index) => {
        const [program, ...args] = playerCommand(peer, address, targets[index] ?? '', fromSeconds);
        await play(program, args, peer === 'gstreamer' ? GST_LIMITS_MS : [LIMIT_MS]);
      }),
    );
    if (peer === 'gstreamer') return targets.map((target) => statSync(target).size / 256);
    const reports = targets.map((target) => `${target}.packets`);
    await eachByFfmpeg(targets, ['-c', 'copy', '-f', 'framemd5'], reports);
    return reports.map((report) => readFileSync(report, 'utf8').match(/^0,/gm)?.length ?? 0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Lets ffmpeg read the video of each input, and write it to a separate target. */
async function eachByFfmpeg(
  inputs: readonly string[],
  options: readonly string[],
  targets: readonly string[],
): Promise<void> {
  await run(
    'ffmpeg',
    [
      '-v',
      'error',
      '-nostdin',
      ...inputs.flatMap((input) => ['-i', input]),
      ...targets.flatMap((to, at) => ['-map', `${at}:v`, ...options, '-fps_mode', 'passthrough', to]),
    ],
    { timeout: 2 * LIMIT_MS },
  );
}

/** Runs a program until it ends. If it reaches a time limit, it is run again with the next limit. */
async function play(program: string, args: readonly string[], [timeout, ...others]: readonly number[]): Promise<void> {
  await run(program, args, { timeout }).catch((error: ExecFileException) => {
    if (error.killed && others.length > 0) return play(program, args, others);
    throw error;
  });
}
