import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Provides a server with the test pictures of `fake://` that earlier servers encoded, because encoding takes longer
 * than most tests. Call it before the server starts.
 */
export function sharePictures(dataFolder: string): void {
  const shared = join(tmpdir(), 'airdesk-test-media', 'cache');
  const cache = join(dataFolder, 'cache');
  mkdirSync(shared, { recursive: true });
  mkdirSync(dataFolder, { recursive: true });
  if (!existsSync(cache)) symlinkSync(shared, cache, 'junction');
}
