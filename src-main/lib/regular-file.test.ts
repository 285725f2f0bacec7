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

describe('a file that is read', () => {
  it('is a regular file: pipes, devices and folders are refused at once, in any number', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    // More than the thread pool has places, so one that waits would stop the test.
    for (const path of [...Array.from({ length: 20 }, () => pipe), '/dev/zero', folder])
      await expect(openRegularFile(path)).rejects.toThrow(NotAFileError);
  });

  it('has a maximum length', async () => {
    const path = join(folder, 'text');
    writeFileSync(path, 'twelve bytes');
    expect((await readRegularFile(path, 12)).toString()).toBe('twelve bytes');
    await expect(readRegularFile(path, 11)).rejects.toThrow('longer than 11 bytes');
  });
});
