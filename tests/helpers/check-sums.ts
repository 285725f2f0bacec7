import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files listed in `SHA256SUMS` of a folder, as in `sha256sum -c`; fails if a hash differs. */
export function checkSums(folder: string): string[] {
  const lines = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const [, hash, name = ''] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
    const found = createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
    if (hash !== found) throw new Error(`${name} has another SHA-256 than ${line}`);
    return name;
  });
}
