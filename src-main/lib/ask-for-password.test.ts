import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { askForPassword, type PasswordSource } from './ask-for-password.ts';

/** Terminal with typed input, and its output. */
function terminal(...keys: readonly string[]): { readonly source: PasswordSource; readonly seen: string[] } {
  const seen: string[] = [];
  const source: PasswordSource = Object.assign(Readable.from(keys), {
    isTTY: true,
    setRawMode(isRaw: boolean) {
      seen.push(isRaw ? 'hidden' : 'shown');
      return this as never;
    },
  });
  return { source, seen };
}

const silent = { write: () => true };

describe('askForPassword', () => {
  it('reads the first line of a pipe', async () => {
    expect(await askForPassword(Readable.from([Buffer.from('open se'), Buffer.from('same ä\nmore\n')]), silent)).toBe(
      'open sesame ä',
    );
  });

  it('hides typed characters and allows corrections', async () => {
    const { source, seen } = terminal('o', 'p', 'x', '\u007f', 'en', '\r');
    const written: string[] = [];
    expect(await askForPassword(source, { write: (text) => written.push(text) })).toBe('open');
    expect(seen).toEqual(['hidden', 'shown']);
    expect(written).toEqual(['Password: ', '\n']);
  });

  it('rejects empty and cancelled input', async () => {
    await expect(askForPassword(Readable.from(['\n']), silent)).rejects.toThrow('no password');
    await expect(askForPassword(terminal('a', '\u0003').source, silent)).rejects.toThrow('no password');
  });
});
