import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { INPUT_DOCS_FILE, withInputOptions } from '../../scripts/write-config-docs.ts';
import { INPUT_OPTIONS } from '../../src-main/config/schema/input-setting.ts';
import { INPUT_SCHEMES } from '../../src-main/engine/inputs/make-input.ts';
import { filesUnder, isTest, textOf } from './source-files.ts';

/** Expressions by which readers of inputs request an option. */
const READS = [
  /\boptions(?:Of\(spec\))?\.get\('(\w+)'\)/g,
  /\boptions\['(\w+)'\]/g,
  /\bconst \{ (\w+) \} = options;/g,
  /\binteger\('(\w+)'/g,
  /\bquery\.get\('(\w+)'\)/g,
];

describe('the table of input options', () => {
  it('contains every scheme of inputs', () => {
    expect(Object.keys(INPUT_OPTIONS).toSorted()).toEqual(['publish', ...INPUT_SCHEMES].toSorted());
  });

  it('contains exactly the options that readers request', () => {
    const text = ['src-main/ingest', 'src-main/engine/inputs']
      .flatMap((folder) => filesUnder(folder, /\.ts$/))
      .filter((file) => !isTest(file) && !file.includes('/ingest/rtmp/'))
      .map(textOf)
      .join('\n');
    const read = new Set(READS.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name]) => name)));
    expect([...read].toSorted()).toEqual([...new Set(Object.values(INPUT_OPTIONS).flat())].toSorted());
  });

  it('equals the table in the documentation', () => {
    const page = readFileSync(INPUT_DOCS_FILE, 'utf8');
    expect(page).toContain('| `srt` | `latency`, `mode`');
    expect(withInputOptions(page)).toBe(page);
  });
});
