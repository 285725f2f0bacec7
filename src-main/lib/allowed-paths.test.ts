import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { AllowedPaths, PathNotAllowedError } from './allowed-paths.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'airdesk-allowed-')));
const data = join(folder, 'data');
const media = join(folder, 'media');
mkdirSync(data);
mkdirSync(media);
writeFileSync(join(folder, 'outside.ts'), '');
writeFileSync(join(media, 'clip.ts'), '');
symlinkSync(join(folder, 'outside.ts'), join(data, 'out.ts'));
symlinkSync(join(media, 'clip.ts'), join(data, 'clip.ts'));
symlinkSync(data, join(folder, 'alias'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('AllowedPaths', () => {
  it('allows paths in the data folder or in an allowed folder, also missing ones', async () => {
    const allowed = new AllowedPaths(data, [media]);
    for (const path of ['new.ts', 'lists/new.ts', join(media, 'clip.ts'), 'clip.ts', join(folder, 'alias', 'new.ts')])
      expect({ path, has: await allowed.has(path) }).toEqual({ path, has: true });
    for (const path of ['..', '../outside.ts', 'out.ts', join(folder, 'outside.ts'), `${media}-other/clip.ts`])
      expect({ path, has: await allowed.has(path) }).toEqual({ path, has: false });
    expect(await allowed.locate('clip.ts')).toBe(join(media, 'clip.ts'));
  });

  it('applies changed folders of the configuration', async () => {
    const allowed = new AllowedPaths(data);
    await expect(allowed.locate('clip.ts')).rejects.toThrow(PathNotAllowedError);
    allowed.set([media]);
    expect(await allowed.locate('clip.ts')).toBe(join(media, 'clip.ts'));
    allowed.set([]);
    await expect(allowed.locate('clip.ts')).rejects.toThrow(PathNotAllowedError);
  });

  it('allows configured paths anywhere, but no links from allowed folders to other places', async () => {
    const allowed = new AllowedPaths(data);
    expect(await allowed.locateConfigured(join(folder, 'outside.ts'))).toBe(join(folder, 'outside.ts'));
    await expect(allowed.locateConfigured('out.ts')).rejects.toThrow(PathNotAllowedError);
    await expect(allowed.locateConfigured(join(data, 'out.ts'))).rejects.toThrow(PathNotAllowedError);
    // The data folder by its other name.
    const named = new AllowedPaths(join(folder, 'alias'));
    await expect(named.locateConfigured(join(data, 'out.ts'))).rejects.toThrow(PathNotAllowedError);
  });
});
