import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { requirePeer } from '../../scripts/setup-peers.ts';

const run = promisify(execFile);
const LIMIT_MS = 120_000;

/** A picture that GStreamer shows. */
export interface ShownPicture {
  /** Its time in what is played. */
  readonly seconds: number;
  readonly lines: number;
}

/** The pictures that the player of GStreamer shows of an address when it goes to times, one after the other. Raises what it cannot do. */
export async function gstSeeks(address: string, seconds: readonly number[]): Promise<readonly ShownPicture[]> {
  const args = [join(import.meta.dirname, 'gst-seeks.py'), address, ...seconds.map(String)];
  const { stdout } = await run(requirePeer('gst-player'), args, { timeout: LIMIT_MS });
  return JSON.parse(stdout) as ShownPicture[];
}
