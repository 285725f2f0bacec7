import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { systemDiskFiles } from './disk-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'airdesk-disk-'));
const path = join(folder, 'a/b/c.mp4');

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('systemDiskFiles', () => {
  it('creates a file with its folders once, writes buffers consecutively and reads them', async () => {
    const file = await systemDiskFiles.create(path);
    const shared = Buffer.from(new SharedArrayBuffer(4)).fill(7);
    const many = Array.from({ length: 3000 }, (_, index) => Uint8Array.of(index & 0xff));
    await file.write([shared, ...many], 0);
    await file.sync();
    expect(await file.sizeBytes()).toBe(3004);
    expect([...(await file.read(2, 4))]).toEqual([7, 7, 0, 1]);
    await expect(file.read(3000, 5)).rejects.toThrow(RangeError);
    await file.truncate(6);
    await file.write([Uint8Array.of(9)], 6);
    await file.close();
    expect([...readFileSync(path)]).toEqual([7, 7, 7, 7, 0, 1, 9]);
    await expect(systemDiskFiles.create(path)).rejects.toMatchObject({ code: 'EEXIST' });
    const again = await systemDiskFiles.open(path);
    expect(await again.sizeBytes()).toBe(7);
    await again.close();
  });

  it('lists, removes and measures files, and treats a missing folder as empty', async () => {
    expect(await systemDiskFiles.list(join(folder, 'a/b'))).toEqual(['c.mp4']);
    expect(await systemDiskFiles.list(join(folder, 'nowhere'))).toEqual([]);
    expect(await systemDiskFiles.removeFolder(join(folder, 'a/b'))).toBe(false);
    expect(await systemDiskFiles.remove(path)).toBe(7);
    await expect(systemDiskFiles.remove(path)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await systemDiskFiles.removeFolder(join(folder, 'a/b'))).toBe(true);
    const { totalBytes, freeBytes } = await systemDiskFiles.diskSpace(join(folder, 'disk'));
    expect(totalBytes).toBeGreaterThanOrEqual(freeBytes);
    expect(freeBytes).toBeGreaterThan(0);
    // Listing creates no folder.
    expect(await systemDiskFiles.list(folder)).toEqual(['a']);
  });

  it('throws the error of a full disk', async () => {
    const full = await systemDiskFiles.open('/dev/full');
    await expect(full.write([Uint8Array.of(1)], 0)).rejects.toMatchObject({ code: 'ENOSPC' });
    await full.close();
  });
});
