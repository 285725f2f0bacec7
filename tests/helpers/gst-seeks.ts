import { execFile, type ExecFileException } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { requirePeer } from '../../scripts/setup-peers.ts';

const run = promisify(execFile);
const LIMIT_MS = 120_000;
/** Signals that end the program after a crash, which happens sometimes. */
const CRASHES: readonly unknown[] = ['SIGSEGV', 'SIGABRT', 'SIGTRAP'];

/** Picture shown by GStreamer. */
export interface ShownPicture {
  /** Position in the media. */
  readonly seconds: number;
  readonly lines: number;
}

/**
 * Pictures that the player of GStreamer shows after consecutive seeks. After a crash the run is repeated once; other
 * failures throw.
 */
export async function gstSeeks(address: string, seconds: readonly number[]): Promise<readonly ShownPicture[]> {
  const args = [join(import.meta.dirname, 'gst-seeks.py'), address, ...seconds.map(String)];
  const play = () => run(requirePeer('gst-player'), args, { timeout: LIMIT_MS });
  const { stdout } = await play().catch((error: ExecFileException) => {
    if (CRASHES.includes(error.signal)) return play();
    throw new Error(`${error.message} (${error.signal ?? error.code})`, { cause: error });
  });
  return JSON.parse(stdout) as ShownPicture[];
}
