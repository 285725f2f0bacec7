import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../lib/log.ts';
import { FileSeal, sealKeyFile, TextSeal } from './text-seal.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'airdesk-seal-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('TextSeal', () => {
  it('opens any sealed text, and seals the same text differently each time', () => {
    const seal = new TextSeal(new Uint8Array(32).fill(7));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const sealed = seal.seal(bytes);
        expect(new Uint8Array(seal.open(sealed))).toEqual(bytes);
        expect(Buffer.compare(sealed, seal.seal(bytes))).not.toBe(0);
      }),
    );
  });

  it('refuses changed and truncated texts, and those sealed with another key', () => {
    const seal = new TextSeal(new Uint8Array(32).fill(7));
    const sealed = Buffer.from(seal.seal(Buffer.from('edit_auth admin secret;')));
    const sealedElsewhere = new TextSeal(new Uint8Array(32).fill(8)).seal(Buffer.from('x'));
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => seal.open(changed)).toThrow(expect.objectContaining({ code: 'config_version_sealed' }));
      expect(() => seal.open(sealed.subarray(0, at))).toThrow(
        expect.objectContaining({ code: 'config_version_sealed' }),
      );
    }
    expect(() => seal.open(sealedElsewhere)).toThrow(expect.objectContaining({ code: 'config_version_sealed' }));
  });

  it('has the same digest for the same text and key, and another for another key', () => {
    const text = Buffer.from('a;');
    const name = new TextSeal(new Uint8Array(32).fill(7)).digestOf(text);
    expect(new TextSeal(new Uint8Array(32).fill(7)).digestOf(text)).toEqual(name);
    expect(new TextSeal(new Uint8Array(32).fill(8)).digestOf(text)).not.toEqual(name);
  });

  it('creates its file once, readable only by its owner', () => {
    const path = join(folder, 'airdesk.key');
    const sealed = TextSeal.ofFile(path).seal(Buffer.from('a'));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(Buffer.from(TextSeal.ofFile(path).open(sealed)).toString()).toBe('a');
    // No temporary file remains.
    expect(readdirSync(folder)).toEqual(['airdesk.key']);
  });

  it('throws an error with a code for an unusable key file', () => {
    const path = join(folder, 'airdesk.key');
    writeFileSync(path, 'short');
    expect(() => TextSeal.ofFile(path)).toThrow(expect.objectContaining({ code: 'key_lost' }));
    expect(() => TextSeal.ofFile(join(folder, 'none', 'airdesk.key'))).toThrow(
      expect.objectContaining({ code: 'database_unavailable' }),
    );
  });

  it('keeps texts that need a lost key file, and opens them when the file is back', () => {
    const path = join(folder, 'airdesk.key');
    const texts: Uint8Array[] = [];
    const start = (): FileSeal =>
      new FileSeal(sealKeyFile(path, { log: silentLog, now: () => 0 }), {
        texts: () => texts,
        hasOther: () => false,
      });
    texts.push(start().seal(Buffer.from('a')));
    const key = readFileSync(path);
    for (const content of [undefined, '', Buffer.alloc(32), Buffer.alloc(32, 1)]) {
      rmSync(path);
      if (content !== undefined) writeFileSync(path, content);
      const seal = start();
      expect(() => seal.seal(Buffer.from('b'))).toThrow(expect.objectContaining({ code: 'key_lost' }));
      writeFileSync(path, key);
      expect(Buffer.from(seal.open(texts[0]!)).toString()).toBe('a');
    }
  });
});
