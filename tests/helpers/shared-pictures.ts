import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Lets a server find the test pictures of `fake://` that servers before it encoded, which takes longer than most tests. To be called before it starts. */
export function sharePictures(dataFolder: string): void {
  const shared = join(tmpdir(), 'airdesk-test-media', 'cache');
  const cache = join(dataFolder, 'cache');
  mkdirSync(shared, { recursive: true });
  mkdirSync(dataFolder, { recursive: true });
  if (!existsSync(cache)) symlinkSync(shared, cache, 'junction');
}
