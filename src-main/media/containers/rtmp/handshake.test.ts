import { describe, expect, it } from 'vitest';
import { HANDSHAKE_BYTES, readDigest, writeDigest, writeResponseDigest, writeServerHandshake } from './handshake.ts';

const random = Uint8Array.from({ length: 2 * HANDSHAKE_BYTES }, (_, i) => (i * 167 + 13) & 0xff);

function clientPacket(seed: number): Uint8Array {
  const packet = Uint8Array.from({ length: HANDSHAKE_BYTES }, (_, i) => (i * seed + 101) & 0xff);
  packet.set([0, 0, 0, 0, 9, 0, 124, 2]);
  return packet;
}

describe('the RTMP handshake', () => {
  it('answers a simple client with the packet of the client', () => {
    const c1 = clientPacket(31);
    c1.fill(0, 4, 8);
    const answer = writeServerHandshake(c1, random, 77);
    expect(answer).toHaveLength(1 + 2 * HANDSHAKE_BYTES);
    expect([...answer.subarray(0, 9)]).toEqual([3, 0, 0, 0, 77, 0, 0, 0, 0]);
    expect(Buffer.compare(answer.subarray(1 + HANDSHAKE_BYTES), c1)).toBe(0);
  });

  it('treats a client with a version and a wrong digest as a simple client', () => {
    const c1 = clientPacket(37);
    expect(readDigest(c1, 'player')).toBeUndefined();
    expect(Buffer.compare(writeServerHandshake(c1, random, 0).subarray(1 + HANDSHAKE_BYTES), c1)).toBe(0);
  });

  it.each([8, 772])('answers a digest in the block at %i with digests that the client can verify', (block) => {
    const c1 = clientPacket(41);
    writeDigest(c1, block, 'player');
    const found = readDigest(c1, 'player');
    expect(found?.block).toBe(block);

    const answer = writeServerHandshake(c1, random, 0);
    expect(readDigest(answer.subarray(1, 1 + HANDSHAKE_BYTES), 'server')?.block).toBe(block);
    const s2 = answer.subarray(1 + HANDSHAKE_BYTES);
    expect(
      Buffer.compare(s2.subarray(-32), writeResponseDigest(s2, found?.digest ?? new Uint8Array(0), 'server')),
    ).toBe(0);
  });
});
