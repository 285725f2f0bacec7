import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { requirePeer } from '../../scripts/setup-peers.ts';
import { allUnitsOf, readUnits, type ShownUnit } from './numbered-media.ts';

const run = promisify(execFile);
const LIMIT_MS = 120_000;
/** Maximum time in milliseconds in which a player ends on request. */
const END_MS = 3000;

/** Units that a player received from an address. */
export interface ReceivedUnits {
  /** Decoded pictures. */
  readonly v: readonly ShownUnit[];
  /** Audio packets; empty if the player does not report them. */
  readonly a: readonly ShownUnit[];
}

/**
 * Pictures that GStreamer decodes from an address, in order. They equal those of ffmpeg, because H.264 decoders are
 * exact.
 *
 * @param end stops the player; necessary if the address is endless
 */
export async function picturesByGst(address: string, frameBytes: number, end?: AbortSignal): Promise<string[]> {
  return inFolder(async (target) => {
    const line = `-q -e uridecodebin uri=${address} ! videoconvert ! video/x-raw,format=I420 ! filesink location=${target}`;
    await watch(requirePeer('gst-launch'), line.split(' '), end);
    const bytes = readFileSync(target);
    return Array.from({ length: Math.floor(bytes.length / frameBytes) }, (_, index) =>
      createHash('md5')
        .update(bytes.subarray(index * frameBytes, (index + 1) * frameBytes))
        .digest('hex'),
    );
  });
}

/**
 * Units that VLC writes to a transport stream: decoded pictures, and audio packets.
 *
 * @param end stops the player; necessary if the address is endless
 */
export async function unitsByVlc(address: string, end?: AbortSignal): Promise<ReceivedUnits> {
  return inFolder(async (target) => {
    const vlc = [requirePeer('vlc'), '-I', 'dummy', '--no-sout-all', '--play-and-exit'];
    const command = [...vlc, '--sout', `#std{access=file,mux=ts,dst=${target}}`, address];
    // VLC does not run as root.
    const user = ['--reuid=65534', '--regid=65534', '--clear-groups', 'env', `HOME=${dirname(target)}`];
    const [program, args] = process.getuid?.() === 0 ? ['setpriv', [...user, ...command]] : ['env', command];
    await watch(program, args, end);
    const sound = { file: target, content: 'a' as const, options: ['-bsf:a', 'aac_adtstoasc'] };
    const [v = [], a = []] = await allUnitsOf([{ file: target, content: 'v' }, sound]);
    return { v, a };
  });
}

/**
 * Units that ffmpeg reads from an endless address: decoded pictures, and audio packets.
 *
 * @param isTs whether the segments are transport streams
 */
export async function unitsByFfmpeg(address: string, isTs: boolean, end: AbortSignal): Promise<ReceivedUnits> {
  return inFolder(async (target) => {
    const input = ['-v', 'error', '-nostdin', '-copyts', '-i', address];
    const pictures = ['-map', '0:v:0', '-fps_mode', 'passthrough', '-f', 'framemd5', `${target}.v`];
    const plain = isTs ? ['-bsf:a', 'aac_adtstoasc'] : [];
    const sound = ['-map', '0:a:0', '-c:a', 'copy', ...plain, '-f', 'framemd5', `${target}.a`];
    await watch('ffmpeg', [...input, ...pictures, ...sound], end);
    const read = (name: string): ShownUnit[] => (existsSync(name) ? readUnits(readFileSync(name, 'utf8')) : []);
    return { v: read(`${target}.v`), a: read(`${target}.a`) };
  });
}

/** Runs a player to its end, or stops it like a user with Ctrl+C. */
async function watch(program: string, args: readonly string[], end: AbortSignal | undefined): Promise<void> {
  const running = run(program, args, end ? {} : { timeout: LIMIT_MS });
  const stop = (): void => {
    running.child.kill('SIGINT');
    // A program that waits for the network ignores the signal.
    setTimeout(() => running.child.kill('SIGKILL'), END_MS).unref();
  };
  end?.addEventListener('abort', stop);
  try {
    await running;
  } catch (error) {
    if (end?.aborted !== true) throw error;
  }
}

async function inFolder<T>(use: (target: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'airdesk-peer-'));
  chmodSync(folder, 0o777);
  try {
    return await use(join(folder, 'out'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
