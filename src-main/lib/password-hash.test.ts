import { describe, expect, it } from 'vitest';
import {
  hashPassword,
  isPasswordHash,
  parsePasswordHash,
  printPasswordHash,
  verifyPassword,
  type PasswordHash,
} from './password-hash.ts';

// RFC 7914 section 12, third vector: scrypt (P="pleaseletmein", S="SodiumChloride", N=16384, r=8, p=1).
const VECTOR: PasswordHash = {
  costLog: 14,
  blockSize: 8,
  parallelism: 1,
  salt: Buffer.from('SodiumChloride'),
  hash: Buffer.from(
    '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887',
    'hex',
  ),
};

describe('password hashes', () => {
  it('match the vector of RFC 7914', async () => {
    expect(await verifyPassword('pleaseletmein', VECTOR)).toBe(true);
    expect(await verifyPassword('pleaseletmeIn', VECTOR)).toBe(false);
  });

  it('are unchanged after printing and parsing', () => {
    expect(parsePasswordHash(printPasswordHash(VECTOR))).toEqual(VECTOR);
  });

  it('match their password in any Unicode form, and no other password', async () => {
    const text = await hashPassword('Gr\u00fc\u00dfe an alle');
    const hash = parsePasswordHash(text);
    expect(text).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(text).not.toContain('alle');
    if (!hash) throw new Error('no hash');
    expect(await verifyPassword('Gru\u0308\u00dfe an alle', hash)).toBe(true);
    expect(await verifyPassword('Grusse an alle', hash)).toBe(false);
    expect(await hashPassword('Gr\u00fc\u00dfe an alle')).not.toBe(text);
  });

  it.each([
    ['a plain password', 'secret'],
    ['another scheme', '$argon2id$v=19$m=1,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA'],
    ['too much memory', '$scrypt$ln=18,r=8,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaA'],
    ['too wide blocks', '$scrypt$ln=14,r=17,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaA'],
    ['too many lanes', '$scrypt$ln=14,r=8,p=9$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaA'],
    ['too little work', '$scrypt$ln=4,r=8,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaA'],
    ['no salt', '$scrypt$ln=14,r=8,p=1$$aGFzaGhhc2hoYXNoaGFzaA'],
    ['no hash', '$scrypt$ln=14,r=8,p=1$c2FsdHNhbHRzYWx0$'],
  ])('are not parsed from %s', (_what, text) => {
    expect(parsePasswordHash(text)).toBeUndefined();
  });

  it('are recognized by their prefix', () => {
    expect(isPasswordHash('$scrypt$broken')).toBe(true);
    expect(isPasswordHash('scrypt')).toBe(false);
  });
});
