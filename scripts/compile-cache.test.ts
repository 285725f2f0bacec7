import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { calledFunctions, isEntryOf, placesIn, withCode } from './compile-cache.ts';

const ranges = (startOffset: number, ...counts: number[]) => ({
  ranges: counts.map((count) => ({ startOffset, count })),
});

describe('calledFunctions', () => {
  it('joins what was called in several threads, and leaves out other folders and what was not called', () => {
    const one = {
      result: [
        { url: 'file:///app/out/a.js', functions: [ranges(0, 1), ranges(90, 2, 0), ranges(40, 0, 7)] },
        { url: 'node:fs', functions: [ranges(0, 1)] },
      ],
    };
    const two = { result: [{ url: 'file:///app/out/a.js', functions: [ranges(0, 1), ranges(12, 3)] }] };

    expect([...calledFunctions([one, two], 'file:///app/out/')]).toEqual([['file:///app/out/a.js', [0, 12, 90]]]);
  });
});

describe('placesIn', () => {
  it.each([
    [0, 0, 0],
    [2, 0, 2],
    [3, 1, 0],
    [4, 2, 0],
    [6, 2, 2],
  ])('finds offset %i in line %i, column %i', (offset, lineNumber, columnNumber) => {
    expect(placesIn('ab\n\ncde')(offset)).toEqual({ lineNumber, columnNumber });
  });
});

describe('entries', () => {
  it('are recognized by their source, and checked by Node against their code', () => {
    const folder = mkdtempSync(join(tmpdir(), 'airdesk-compile-cache-'));
    try {
      const source = 'export const answer = 42;\n';
      writeFileSync(join(folder, 'a.mjs'), source);
      execFileSync(process.execPath, [join(folder, 'a.mjs')], {
        env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'cache') },
      });
      const [name = ''] = readdirSync(join(folder, 'cache'), { recursive: true, encoding: 'utf8' }).filter((path) =>
        /[\\/]/.test(path),
      );
      const entry = readFileSync(join(folder, 'cache', name));

      expect(isEntryOf(entry, Buffer.from(source))).toBe(true);
      expect(isEntryOf(entry, Buffer.from(source.replace('42', '43')))).toBe(false);
      expect(withCode(entry, entry.subarray(20))).toEqual(entry);
      const changed = withCode(entry, Buffer.from('code'));
      expect(changed.subarray(20).toString()).toBe('code');
      expect([changed.readUInt32LE(8), changed.readUInt32LE(16)]).toEqual([4, crc32('code')]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
