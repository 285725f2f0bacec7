import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { requirePeer } from '../../scripts/setup-peers.ts';
import { unitsOf, type ShownUnit } from './break-viewer.ts';

const run = promisify(execFile);
const LIMIT_MS = 120_000;

/** Digests of the pictures that GStreamer decodes of an address, in their order: the same as ffmpeg's, because decoders of H.264 are exact. */
export async function picturesByGst(address: string, frameBytes: number): Promise<string[]> {
  return inFolder(async (target) => {
    const line = `-q uridecodebin uri=${address} ! videoconvert ! video/x-raw,format=I420 ! filesink location=${target}`;
    await run(requirePeer('gst-launch'), line.split(' '), { timeout: LIMIT_MS });
    const bytes = readFileSync(target);
    return Array.from({ length: Math.floor(bytes.length / frameBytes) }, (_, index) =>
      createHash('md5')
        .update(bytes.subarray(index * frameBytes, (index + 1) * frameBytes))
        .digest('hex'),
    );
  });
}

/** What VLC takes of an address, as it writes it to a transport stream: pictures decoded, and packets of sound. */
export async function unitsByVlc(address: string): Promise<{ readonly v: ShownUnit[]; readonly a: ShownUnit[] }> {
  return inFolder(async (target) => {
    const vlc = [requirePeer('vlc'), '-I', 'dummy', '--no-sout-all', '--play-and-exit'];
    const command = [...vlc, '--sout', `#std{access=file,mux=ts,dst=${target}}`, address];
    // VLC does not run as root.
    const user = ['--reuid=65534', '--regid=65534', '--clear-groups', 'env', `HOME=${dirname(target)}`];
    const [program, args] = process.getuid?.() === 0 ? ['setpriv', [...user, ...command]] : ['env', command];
    await run(program, args, { timeout: LIMIT_MS });
    return { v: unitsOf(target, 'v'), a: unitsOf(target, 'a', ['-bsf:a', 'aac_adtstoasc']) };
  });
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
