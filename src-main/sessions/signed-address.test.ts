import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { signAddress, signatureOf, signatureOfToken, tokenOfSignature, whyUnsigned } from './signed-address.ts';

const KEY = 'a key of sixteen+ characters';
const NOW_MS = 1_767_225_600_000;
const EXPIRES = '1767225660';
const NEWS = { use: 'play', name: 'studio/news', ip: '192.0.2.7' } as const;
const signed = (key = KEY, facts: Parameters<typeof signAddress>[0] = { ...NEWS, ip: '' }) => ({
  expires: EXPIRES,
  sig: signAddress(facts, EXPIRES, key),
});

describe('signed addresses', () => {
  it('have the same signature as from openssl', () => {
    const sig = execFileSync('openssl', ['dgst', '-sha256', '-hmac', KEY, '-binary'], {
      input: `play:studio/news:${EXPIRES}`,
    });
    expect(sig.toString('base64url')).toBe(signed().sig);
  });

  it('are valid until they expire, with any of the keys', () => {
    expect(whyUnsigned([KEY], NEWS, signed(), NOW_MS)).toBeUndefined();
    expect(whyUnsigned(['another key', KEY], NEWS, signed(), NOW_MS)).toBeUndefined();
    expect(whyUnsigned([KEY], NEWS, signed(KEY, NEWS), NOW_MS)).toBeUndefined();
    expect(whyUnsigned([KEY], NEWS, signed(), NOW_MS + 60_000)).toBe('the signature has expired');
  });

  it.each([
    ['another name', { ...NEWS, name: 'studio/new' }, signed()],
    ['another use', { ...NEWS, use: 'publish' } as const, signed()],
    ['another address', { ...NEWS, ip: '192.0.2.8' }, signed(KEY, NEWS)],
    ['another time', NEWS, { ...signed(), expires: '1767225661' }],
    ['another key', NEWS, signed('another key')],
  ])('are invalid for %s', (_what, facts, signature) => {
    expect(whyUnsigned([KEY], facts, signature, NOW_MS)).toBe('the signature is wrong');
  });

  it('need their complete form', () => {
    expect(whyUnsigned([KEY], NEWS, undefined, NOW_MS)).toBe('the address is not signed');
    for (const broken of [
      { expires: '', sig: signed().sig },
      { expires: '1e12', sig: signed().sig },
      { expires: EXPIRES, sig: '' },
      { expires: EXPIRES, sig: `${signed().sig}=` },
    ])
      expect(whyUnsigned([KEY], NEWS, broken, NOW_MS)).toBe('the signature has the wrong form');
    expect(whyUnsigned([], NEWS, signed(), NOW_MS)).toBe('the signature is wrong');
  });

  it('can be used as tokens; other tokens are not signatures', () => {
    const query = new URLSearchParams(signed());
    const signature = signatureOf((name) => query.get(name));
    expect(signature).toEqual(signed());
    expect(signatureOfToken(tokenOfSignature(signed()))).toEqual(signed());
    for (const token of ['', '.', 'abc', `${EXPIRES}.short`]) expect(signatureOfToken(token)).toBeUndefined();
  });
});
