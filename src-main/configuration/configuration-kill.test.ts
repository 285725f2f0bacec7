import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openConfiguration } from '../../tests/helpers/configuration-changer.ts';

const CHANGER = join(import.meta.dirname, '../../tests/helpers/configuration-changer.ts');
const ROUNDS = 4;
const HEAD = '# stays\nhttp 8080;\nstream cam {\n  input publish://;';

it('the configuration file and its history are complete after kill -9 of the process that changes them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'airdesk-kill-'));
  const path = join(folder, 'airdesk.conf');
  await writeFile(path, `${HEAD}\n}\n`);
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const child = spawn(process.execPath, [CHANGER, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
      await once(child.stdout, 'data');
      child.kill('SIGKILL');
      await once(child, 'exit');
      const text = await readFile(path, 'utf8');
      expect(text.startsWith(HEAD)).toBe(true);
      expect(text).toContain(`title "Title ${child.pid} `);
      const { configuration, database } = await openConfiguration(folder);
      expect([configuration.error, configuration.document.text]).toEqual([null, text]);
      const versions = configuration.history.list(1000);
      expect(versions.filter(({ state }) => state === 'pending')).toEqual([]);
      const newest = versions.find(({ state }) => state === 'confirmed');
      // The history names the author of the change, whenever the process ended.
      expect(newest).toMatchObject({ id: configuration.versionId, who: 'changer', isOnDisk: true });
      expect(await configuration.history.text(newest?.id ?? 0)).toBe(text);
      await configuration.close();
      database.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
