import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestHash, isSigned, signDigest, type LogDigest } from './log-digest.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const DIGEST: LogDigest = {
  portalId: 'p1',
  number: 2,
  from: '2026-01-01T00:00:00.000Z',
  to: '2026-01-01T01:00:00.000Z',
  lastSequence: 7,
  headHash: 'ab',
  previousHash: 'cd',
  signedAt: '2026-01-01T01:00:01.000Z',
};

describe('a signed digest of the operations log', () => {
  it('is accepted whatever the order of its fields', () => {
    const { signature } = signDigest(DIGEST, privateKey);
    const digest = Object.fromEntries(Object.entries(DIGEST).toReversed()) as unknown as LogDigest;
    expect(isSigned({ digest, signature }, publicKey)).toBe(true);
    expect(digestHash({ digest, signature })).toBe(digestHash({ digest: DIGEST, signature }));
  });

  it('is refused and has another hash if any field was changed', () => {
    const signed = signDigest(DIGEST, privateKey);
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(DIGEST)), fc.string(), (name, value) => {
        const changed = { ...signed, digest: { ...DIGEST, [name]: `${value}!` } };
        expect(isSigned(changed, publicKey)).toBe(false);
        expect(digestHash(changed)).not.toBe(digestHash(signed));
      }),
    );
  });

  it('is refused if another key signed it, and its hash covers the signature', () => {
    const other = signDigest(DIGEST, generateKeyPairSync('ed25519').privateKey);
    expect(isSigned(other, publicKey)).toBe(false);
    expect(digestHash(other)).not.toBe(digestHash(signDigest(DIGEST, privateKey)));
  });
});
