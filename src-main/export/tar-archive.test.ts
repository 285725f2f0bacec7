import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { tarBytes, tarOf, type PackedFile } from './tar-archive.ts';

const folder = mkdtempSync(join(tmpdir(), 'airdesk-tar-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function aFile(name: string, text: string, more: Partial<PackedFile> = {}): PackedFile {
  const path = join(folder, `source-${readdirSync(folder).length}`);
  writeFileSync(path, text);
  return { name, path, sizeBytes: Buffer.byteLength(text), modifiedMs: Date.UTC(2027, 0, 15), ...more };
}
async function packed(files: readonly PackedFile[], ...range: [first?: number, last?: number]): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of tarOf(files, ...range)) pieces.push(piece);
  return Buffer.concat(pieces);
}

describe('tarOf', () => {
  it('writes an archive that tar unpacks, with names of any length and script', async () => {
    const long = `Tor/${'sehr-'.repeat(40)}lang.txt`;
    const texts: Readonly<Record<string, string>> = {
      'goal/001-cam.mp4': 'a'.repeat(1500),
      'goal/empty.txt': '',
      'goal/block.txt': 'b'.repeat(512),
      [long]: 'long',
      'Straße/Ω 1.txt': 'any script',
    };
    const files = Object.entries(texts).map(([name, text]) => aFile(name, text));
    const bytes = await packed(files);
    expect(tarBytes(files)).toBe(bytes.length);
    const target = mkdtempSync(join(folder, 'unpacked-'));
    execFileSync('tar', ['-x', '-C', target], { input: bytes });
    for (const [name, text] of Object.entries(texts)) expect(readFileSync(join(target, name), 'utf8')).toBe(text);
  });

  it('returns any byte range, and reads only the files in that range', async () => {
    const files = [aFile('one', 'a'.repeat(700)), aFile('Ω', ''), aFile('three', 'b'.repeat(1024)), aFile('four', 'c')];
    const bytes = await packed(files);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(bytes.length - 1), async (a, b) => {
        const [first, last] = [Math.min(a, b), Math.max(a, b)];
        expect((await packed(files, first, last)).equals(bytes.subarray(first, last + 1))).toBe(true);
      }),
      { numRuns: 200 },
    );
    const gone = files.map((file, at) => (at === 3 ? file : { ...file, path: join(folder, 'none') }));
    expect((await packed(gone, bytes.length - 2048)).equals(bytes.subarray(-2048))).toBe(true);
  });

  it('writes the size of a file larger than 8 GiB', async () => {
    const huge = { ...aFile('huge', ''), sizeBytes: 2 ** 33 + 5 };
    const { value } = (await tarOf([huge]).next()) as { readonly value: Buffer };
    expect(value.toString('latin1')).toContain('19 size=8589934597\n');
    expect(tarBytes([huge])).toBe(3 * 512 + 2 ** 33 + 512 + 1024);
  });

  it('throws if a file became shorter or disappeared', async () => {
    await expect(packed([aFile('a', 'abc', { sizeBytes: 4 })])).rejects.toThrow(/shorter than it was/);
    await expect(packed([aFile('a', 'abc', { path: join(folder, 'none') })])).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
