import { execFile, type ExecFileException } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { requirePeer } from '../../scripts/setup-peers.ts';

const run = promisify(execFile);
const LIMIT_MS = 120_000;
/** With which its threads end the program at times. */
const CRASHES: readonly unknown[] = ['SIGSEGV', 'SIGABRT', 'SIGTRAP'];

/** A picture that GStreamer shows. */
export interface ShownPicture {
  /** Its time in what is played. */
  readonly seconds: number;
  readonly lines: number;
}

/** The pictures that the player of GStreamer shows of an address when it goes to times, one after the other. Raises what it cannot do; where it crashes, it is asked once more. */
export async function gstSeeks(address: string, seconds: readonly number[]): Promise<readonly ShownPicture[]> {
  const args = [join(import.meta.dirname, 'gst-seeks.py'), address, ...seconds.map(String)];
  const play = () => run(requirePeer('gst-player'), args, { timeout: LIMIT_MS });
  const { stdout } = await play().catch((error: ExecFileException) => {
    if (CRASHES.includes(error.signal)) return play();
    throw new Error(`${error.message} (${error.signal ?? error.code})`, { cause: error });
  });
  return JSON.parse(stdout) as ShownPicture[];
}
