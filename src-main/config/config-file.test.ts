import fc from 'fast-check';
import { spawn } from 'node:child_process';
import {
  chmod,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigFile, type ConfigFileSystem } from './config-file.ts';

let folder = '';
let path = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airdesk-config-'));
  path = join(folder, 'airdesk.conf');
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/**
 * File system whose process is killed before its nth step; with `isTorn`, the nth step is half done if it is a write.
 */
function dyingFileSystem(stepsLeft: number, isTorn = false): ConfigFileSystem {
  let left = stepsLeft;
  const step = (): void => {
    if (left-- <= 0) throw new Error('killed');
  };
  return {
    async open(name, flags, mode) {
      step();
      const handle = await open(name, flags, mode);
      return {
        async writeFile(data) {
          if (left === 0 && isTorn && data instanceof Uint8Array)
            await handle.writeFile(data.subarray(0, data.length >> 1));
          step();
          await handle.writeFile(data);
        },
        async sync() {
          step();
          await handle.sync();
        },
        chown: (uid, gid) => handle.chown(uid, gid),
        chmod: (newMode) => handle.chmod(newMode),
        close: () => handle.close(),
      };
    },
    async rename(from, to) {
      step();
      await rename(from, to);
    },
    async unlink(name) {
      step();
      await unlink(name);
    },
    readFile,
    realpath,
    stat,
    readdir,
  };
}

describe('ConfigFile', () => {
  it('loads undefined if the file is missing, and creates the file', async () => {
    const file = new ConfigFile(path);
    expect(await file.load()).toBeUndefined();
    await file.save('http 80;');
    expect(await readFile(path, 'utf8')).toBe('http 80;');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['airdesk.conf']);
  });

  it('preserves every byte, including a byte order mark and line ends', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
        await writeFile(path, `\ufeff${text}\r\n`);
        const file = new ConfigFile(path);
        expect(await file.load()).toBe(`\ufeff${text}\r\n`);
        await file.save(`\ufeff${text}`);
        expect(await readFile(path, 'utf8')).toBe(`\ufeff${text}`);
      }),
      { numRuns: 30 },
    );
  });

  it('keeps permissions and symbolic links', async () => {
    const target = join(folder, 'real.conf');
    await writeFile(target, 'a;');
    await chmod(target, 0o664);
    await symlink('real.conf', path);
    const file = new ConfigFile(path);
    await file.load();
    await file.save('b;');
    expect(await readFile(target, 'utf8')).toBe('b;');
    expect((await stat(target)).mode & 0o777).toBe(0o664);
    expect((await readdir(folder)).sort()).toEqual(['airdesk.conf', 'real.conf']);
  });

  it.each([
    ['changed', (): Promise<void> => writeFile(path, 'theirs;')],
    ['removed', (): Promise<void> => unlink(path)],
  ])('does not overwrite a file that was %s since', async (_, change) => {
    await writeFile(path, 'old;');
    const file = new ConfigFile(path);
    await file.load();
    expect(await file.isChangedOnDisk()).toBe(false);
    await change();
    expect(await file.isChangedOnDisk()).toBe(true);
    await expect(file.save('mine;')).rejects.toMatchObject({ code: 'config_file_changed' });
    await file.load();
    await file.save('mine;');
    expect(await readFile(path, 'utf8')).toBe('mine;');
  });

  it('does not overwrite a file that was not loaded before', async () => {
    await writeFile(path, 'old;');
    await expect(new ConfigFile(path).save('mine;')).rejects.toMatchObject({ code: 'config_file_changed' });
    expect(await readFile(path, 'utf8')).toBe('old;');
  });

  it('reports a file that cannot be read', async () => {
    await writeFile(path, Buffer.from([0x61, 0xff]));
    await expect(new ConfigFile(path).load()).rejects.toMatchObject({ code: 'config_file_unreadable' });
    await expect(new ConfigFile(folder).load()).rejects.toMatchObject({ code: 'config_file_unreadable' });
  });

  it('saves in the order of the calls', async () => {
    const file = new ConfigFile(path);
    await file.load();
    await Promise.all(['1;', '2;', '3;'].map((text) => file.save(text)));
    expect(await readFile(path, 'utf8')).toBe('3;');
  });

  it('contains the old or the new text after a failure at any step', async () => {
    const old = 'old;\n'.repeat(1000);
    const fresh = 'new;\n'.repeat(2000);
    const outcomes = new Set<string>();
    for (const isTorn of [false, true]) {
      for (let steps = 0; steps < 8; steps++) {
        await writeFile(path, old);
        const file = new ConfigFile(path, dyingFileSystem(steps, isTorn));
        await file.load();
        const isSaved = await file.save(fresh).then(
          () => true,
          () => false,
        );
        const now = await readFile(path, 'utf8');
        expect(now).toBe(isSaved ? fresh : old);
        outcomes.add(isSaved ? 'new' : 'old');
      }
    }
    expect([...outcomes].sort()).toEqual(['new', 'old']);
  });

  it.each([
    ['ENOSPC', 'disk_full'],
    ['EACCES', 'config_not_saved'],
  ])('reports a file that cannot be saved: %s', async (code, expected) => {
    const failing = {
      ...dyingFileSystem(8, false),
      open: () => Promise.reject(Object.assign(new Error('no'), { code })),
    };
    await writeFile(path, 'old;');
    const file = new ConfigFile(path, failing);
    await file.load();
    await expect(file.save('new;')).rejects.toMatchObject({ code: expected });
    await expect(file.copyAside('1')).rejects.toMatchObject({ code: expected });
  });

  it('has complete text after kill -9 of the saving process, and no temporary files remain', async () => {
    const moduleUrl = new URL('./config-file.ts', import.meta.url).href;
    const script = `import { ConfigFile } from ${JSON.stringify(moduleUrl)};
      const file = new ConfigFile(process.argv[1]);
      await file.load();
      for (let n = 0; ; n++) { await file.save((n + ';').padEnd(300000, 'x') + 'end'); if (n === 3) process.stdout.write('saving'); }`;
    for (let round = 0; round < 4; round++) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script, path], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await new Promise((resolve) => child.stdout.once('data', resolve));
      child.kill('SIGKILL');
      await new Promise((resolve) => child.once('exit', resolve));
      const file = new ConfigFile(path);
      expect(await file.load()).toMatch(/^[0-9]+;x+end$/);
      expect(await readdir(folder)).toEqual(['airdesk.conf']);
    }
  });
});
