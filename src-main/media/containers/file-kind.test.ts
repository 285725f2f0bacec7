import { describe, expect, it } from 'vitest';
import { fileKindOf } from './file-kind.ts';

function packets(stride: number, lead: number, count: number): Uint8Array {
  const bytes = new Uint8Array(lead + stride * count).fill(1);
  for (let i = 0; i < count; i++) bytes[lead + i * stride] = 0x47;
  return bytes;
}

describe('fileKindOf', () => {
  it.each([188, 192, 204])('detects MPEG-TS with packets every %i bytes', (stride) => {
    expect(fileKindOf(packets(stride, 0, 20))).toBe('mpegts');
    expect(fileKindOf(packets(stride, 4, 20))).toBe('mpegts');
    expect(fileKindOf(packets(stride, stride - 1, 3))).toBe('mpegts');
  });

  it.each(['ftyp', 'moov', 'wide'])('detects MP4 that starts with %s', (type) => {
    expect(fileKindOf(Buffer.from(`\0\0\0\x20${type}isom`, 'latin1'))).toBe('mp4');
  });

  it('returns undefined for other bytes', () => {
    expect(fileKindOf(new Uint8Array(0))).toBeUndefined();
    expect(fileKindOf(packets(188, 0, 1))).toBeUndefined();
    expect(fileKindOf(packets(190, 0, 20))).toBeUndefined();
    expect(fileKindOf(Buffer.from('GIF89a and more of it'.repeat(50)))).toBeUndefined();
  });
});
