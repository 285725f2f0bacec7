import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFeedFrame, writeFeedHead, type FeedHead } from './feed.ts';

const head: fc.Arbitrary<FeedHead> = fc.record({
  kind: fc.constantFrom('init' as const, 'part' as const),
  feed: fc.nat(0xffff_ffff),
  track: fc.nat(255),
  isIndependent: fc.boolean(),
  isGap: fc.boolean(),
  startMs: fc.double({ noNaN: true, noDefaultInfinity: true }),
  mediaType: fc.string({ unit: 'binary-ascii', maxLength: 255 }),
});

function joined(...parts: readonly Uint8Array[]): ArrayBuffer {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes.buffer;
}

describe('frames of a feed', () => {
  it('are parsed as written, with their media', () => {
    fc.assert(
      fc.property(head, fc.uint8Array({ maxLength: 300 }), (written, media) => {
        const read = readFeedFrame(joined(writeFeedHead(written), media));
        expect(read).toEqual({ ...written, media });
      }),
    );
  });

  it('are ignored if they are truncated, of another version or malformed', () => {
    const frame = writeFeedHead({
      kind: 'init',
      feed: 1,
      track: 0,
      isIndependent: false,
      isGap: false,
      startMs: 0,
      mediaType: 'video/mp4',
    });
    for (let length = 0; length < frame.length; length++)
      expect(readFeedFrame(frame.buffer.slice(0, length))).toBeUndefined();
    const other = joined(frame);
    new Uint8Array(other)[0] = 2;
    expect(readFeedFrame(other)).toBeUndefined();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const read = readFeedFrame(joined(bytes));
        expect(read === undefined || bytes[0] === 1).toBe(true);
      }),
    );
  });
});
