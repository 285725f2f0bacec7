import { describe, expect, it } from 'vitest';
import { TextSeal } from '../../db/text-seal.ts';
import { SecretSeal } from './secret-seal.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const sealWith = (byte: number): SecretSeal => new SecretSeal(() => new TextSeal(new Uint8Array(32).fill(byte)));

describe('a sealed secret', () => {
  it('can be opened only with its own key, and reveals nothing', () => {
    const kept = sealWith(1).close(SECRET);
    expect(Buffer.from(kept.slice(kept.indexOf(':') + 1), 'base64').toString('latin1')).not.toContain('whsec_');
    expect(sealWith(1).open(kept)).toBe(SECRET);
    expect(() => sealWith(2).open(kept)).toThrow('airdesk.key');
  });

  it('is not required: secrets stored before sealing are accepted', () => {
    expect(sealWith(1).open(SECRET)).toBe(SECRET);
  });
});
