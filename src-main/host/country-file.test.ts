import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countryFile } from '../../tests/helpers/country-file.ts';
import { silentLog } from '../lib/log.ts';
import { CountrySource } from './country-file.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'airdesk-countries-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('CountrySource', () => {
  it('reads countries from the configured file, and keeps its data if a new file is unusable', async () => {
    writeFileSync(join(folder, 'a.mmdb'), countryFile([['192.0.2.0/24', 'DE']], 24));
    writeFileSync(join(folder, 'bad.mmdb'), 'nothing');
    const errors: string[] = [];
    const source = new CountrySource(folder, {
      ...silentLog,
      error: (_message, fields) => errors.push(String(fields?.['error'])),
    });
    expect(source.countryOf('192.0.2.1')).toBeNull();
    await source.apply('a.mmdb');
    expect([source.countryOf('192.0.2.1'), source.countryOf('198.51.100.1')]).toEqual(['DE', null]);
    await source.apply('bad.mmdb');
    await source.apply('missing.mmdb');
    expect([source.countryOf('192.0.2.1'), errors.length]).toEqual(['DE', 2]);
    await source.apply(null);
    expect(source.countryOf('192.0.2.1')).toBeNull();
  });
});
