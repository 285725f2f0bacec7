import { execFile } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { requirePeer } from '../../scripts/setup-peers.ts';
import { convertedFile } from './made-media.ts';

const run = promisify(execFile);
const LIMIT_MS = 300_000;

/** Muxes a file into MKV by mkvmerge, once per machine. @param options additional arguments */
export async function mkvmergeClip(from: string, to: string, options: readonly string[] = []): Promise<void> {
  const program = requirePeer('mkvmerge');
  const file = await convertedFile(program, from, options, async (target) =>
    run(program, ['-q', '-o', target, ...options, from], { timeout: LIMIT_MS }),
  );
  copyFileSync(file, to);
}

/**
 * Muxes a file by VLC, in real time. VLC omits the last pictures, and more of them on a busy machine, so the result is
 * not cached.
 *
 * @param muxer such as `ts`
 */
export async function vlcClip(from: string, muxer: string, to: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'airdesk-vlc-'));
  try {
    const [source, target] = [join(folder, 'in'), join(folder, 'out')];
    chmodSync(folder, 0o777);
    copyFileSync(from, source);
    const vlc = [requirePeer('vlc'), '-I', 'dummy', '--no-sout-all', '--play-and-exit', source];
    const command = [...vlc, '--sout-all', '--sout', `#std{access=file,mux=${muxer},dst=${target}}`];
    // VLC does not run as root.
    const user = ['--reuid=65534', '--regid=65534', '--clear-groups', 'env', `HOME=${folder}`];
    const [program, args] = process.getuid?.() === 0 ? ['setpriv', [...user, ...command]] : ['env', command];
    await run(program, args, { timeout: LIMIT_MS });
    copyFileSync(target, to);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
