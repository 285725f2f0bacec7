import { execFile } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { requirePeer } from '../../scripts/setup-peers.ts';

const run = promisify(execFile);
const LIMIT_MS = 60_000;
/** Command prefix for running as a user without rights: VLC does not run as root. */
const UNPRIVILEGED = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];

/** Every picture of a file that VLC shows, as PNG, in order. */
export async function vlcPictures(path: string): Promise<Buffer[]> {
  const folder = mkdtempSync(join(tmpdir(), 'airdesk-vlc-'));
  chmodSync(folder, 0o777);
  const file = join(folder, `file${extname(path)}`);
  copyFileSync(path, file);
  chmodSync(file, 0o644);
  const scene = ['--scene-format=png', '--scene-ratio=1', '--scene-prefix=picture', `--scene-path=${folder}`];
  const playback = ['--no-drop-late-frames', '--no-skip-frames', '--play-and-exit', file];
  const args = ['-I', 'dummy', '--no-audio', '--vout=vdummy', '--video-filter=scene', ...scene, ...playback];
  try {
    const [program = '', ...before] = process.getuid?.() === 0 ? [...UNPRIVILEGED, 'env', `HOME=${folder}`] : ['env'];
    await run(program, [...before, requirePeer('vlc'), ...args], { timeout: LIMIT_MS });
    const names = readdirSync(folder).filter((name) => name.endsWith('.png'));
    return names.sort().map((name) => readFileSync(join(folder, name)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
