import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPackedAudioStart } from './id3-timestamp.ts';

function tag(frames: readonly Buffer[], version = 4): Buffer {
  const body = Buffer.concat(frames);
  return Buffer.concat([
    Buffer.from('ID3'),
    Buffer.from([version, 0, 0, 0, 0, body.length >> 7, body.length & 0x7f]),
    body,
  ]);
}

function priv(owner: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(`${owner}\0`), data]);
  return Buffer.concat([Buffer.from('PRIV'), Buffer.from([0, 0, body.length >> 7, body.length & 0x7f, 0, 0]), body]);
}

function time(ticks: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(ticks));
  return bytes;
}

const OWNER = 'com.apple.streaming.transportStreamTimestamp';

describe('readPackedAudioStart', () => {
  it('reads the 33-bit time of the first sample, after other frames and tags', () => {
    const bytes = Buffer.concat([
      tag([priv('example.org', Buffer.alloc(90))]),
      tag([priv('x', Buffer.alloc(3)), priv(OWNER, time(2 ** 33 - 5))]),
      Buffer.from([0xff, 0xf1]),
    ]);
    expect(readPackedAudioStart(bytes)).toEqual({ audioStart: bytes.length - 2, ptsTicks: 2 ** 33 - 5 });
    expect(readPackedAudioStart(tag([priv(OWNER, time(90_000))], 3)).ptsTicks).toBe(90_000);
  });

  it('returns the first byte if there is no tag', () => {
    expect(readPackedAudioStart(Buffer.from([0xff, 0xf1, 0x50]))).toEqual({ audioStart: 0 });
    expect(readPackedAudioStart(tag([priv(OWNER, time(1))]).subarray(0, 40))).toEqual({ audioStart: 0 });
  });

  it('returns a position inside any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 120 }), (bytes) => {
        const { audioStart } = readPackedAudioStart(Buffer.concat([Buffer.from('ID3'), bytes]));
        expect(audioStart).toBeLessThanOrEqual(bytes.length + 3);
      }),
    );
  });
});
