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
/** A player has so long to end when it is asked to. */
const END_MS = 3000;

/** What a player took of an address. */
export interface TakenUnits {
  readonly v: readonly ShownUnit[];
  /** Empty where the player does not say. */
  readonly a: readonly ShownUnit[];
}

/** Pictures that GStreamer decodes of an address, in their order: the same as ffmpeg's, because decoders of H.264 are exact. @param end ends it, where the address does not end */
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

/** What VLC takes of an address, as it writes it to a transport stream: pictures decoded, and packets of sound. @param end ends it, where the address does not end */
export async function unitsByVlc(address: string, end?: AbortSignal): Promise<TakenUnits> {
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

/** What ffmpeg takes of an address that does not end: pictures decoded, and packets of sound. @param isTs whether it is of transport streams */
export async function unitsByFfmpeg(address: string, isTs: boolean, end: AbortSignal): Promise<TakenUnits> {
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

/** Runs a player to its end, or until it is ended as a person does. */
async function watch(program: string, args: readonly string[], end: AbortSignal | undefined): Promise<void> {
  const child = run(program, args, end ? {} : { timeout: LIMIT_MS });
  const stop = (): void => {
    child.child.kill('SIGINT');
    // What waits for the network does not hear it.
    setTimeout(() => child.child.kill('SIGKILL'), END_MS).unref();
  };
  end?.addEventListener('abort', stop);
  try {
    await child;
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
