import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { NotAFileError, openRegularFile, readRegularFile } from './regular-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'airdesk-regular-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('regular files', () => {
  it('are opened; pipes, devices and folders are refused immediately', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    // More attempts than threads in the pool: if one waited, the test would hang.
    for (const path of [...Array.from({ length: 20 }, () => pipe), '/dev/zero', folder])
      await expect(openRegularFile(path)).rejects.toThrow(NotAFileError);
  });

  it('are read up to a maximum length', async () => {
    const path = join(folder, 'text');
    writeFileSync(path, 'twelve bytes');
    expect((await readRegularFile(path, 12)).toString()).toBe('twelve bytes');
    await expect(readRegularFile(path, 11)).rejects.toThrow('longer than 11 bytes');
  });
});
