import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type FeedDescription,
  parseFeedDescription,
  parseFeedEnd,
  printFeedDescription,
  printFeedEnd,
} from './feed-description.ts';
import {
  FEED_HEADER_BYTES,
  type FeedHeader,
  type FeedKind,
  FeedReader,
  type FeedRecord,
  MAX_FEED_BYTES,
  readFeedHeader,
  writeFeedHeader,
} from './feed-record.ts';

const ticks = fc.oneof(fc.integer({ min: -1e9, max: 2 ** 40 }), fc.constant(Number.NaN));
const record = fc.record({
  // The numbers 1 to 7 are all kinds, so the cast is safe.
  kind: fc.integer({ min: 1, max: 7 }).map((kind) => kind as FeedKind),
  streamIndex: fc.nat(65_535),
  dtsTicks: ticks,
  ptsTicks: ticks,
  data: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
});

function written({ data, ...header }: Omit<FeedRecord, 'dataBytes'>): Buffer {
  const bytes = Buffer.alloc(FEED_HEADER_BYTES + data.length);
  writeFeedHeader(bytes, { ...header, dataBytes: data.length });
  data.copy(bytes, FEED_HEADER_BYTES);
  return bytes;
}

/** Splits bytes at the given positions, each piece in its own memory. */
function pieces(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((start, index) => Buffer.from(bytes.subarray(start, places[index] ?? bytes.length)));
}

describe('feed records', () => {
  it('have headers that are parsed as written', () => {
    fc.assert(
      fc.property(record, ({ data, ...fields }) => {
        const header: FeedHeader = { ...fields, dataBytes: data.length };
        const bytes = Buffer.alloc(FEED_HEADER_BYTES + 3);
        writeFeedHeader(bytes, header, 3);
        expect(readFeedHeader(bytes, 3)).toEqual(header);
      }),
    );
  });

  it('are read from the bytes in any pieces, immediately or at the end', () => {
    fc.assert(
      fc.property(
        fc.array(record, { maxLength: 12 }),
        fc.array(fc.nat(4000), { maxLength: 20 }),
        fc.boolean(),
        (records, cuts, isPulledLate) => {
          const reader = new FeedReader();
          const found: FeedRecord[] = [];
          const pull = (): void => {
            for (let next = reader.next(); next; next = reader.next())
              found.push({ ...next, data: Buffer.from(next.data) });
          };
          for (const piece of pieces(Buffer.concat(records.map(written)), cuts)) {
            reader.push(piece);
            if (!isPulledLate) pull();
          }
          pull();
          expect(found).toEqual(records.map((one) => ({ ...one, dataBytes: one.data.length })));
          expect(reader.isBroken).toBe(false);
        },
      ),
    );
  });

  it('are not copied if they are completely in the pushed bytes', () => {
    const reader = new FeedReader();
    const bytes = written({ kind: 3, streamIndex: 0, dtsTicks: 0, ptsTicks: 0, data: Buffer.alloc(1000) });
    reader.push(bytes);
    expect(reader.next()?.data.buffer).toBe(bytes.buffer);
  });

  it.each([
    ['an unknown kind', { kind: 8, bytes: 10 }],
    ['more data than MAX_FEED_BYTES', { kind: 3, bytes: MAX_FEED_BYTES + 1 }],
  ])('with %s stop the reader', (_name, { kind, bytes }) => {
    const header = Buffer.alloc(FEED_HEADER_BYTES);
    header.writeUInt32LE(bytes, 0);
    header.writeUInt16LE(kind, 4);
    const reader = new FeedReader();
    reader.push(header);
    expect(reader.next()).toBeUndefined();
    expect(reader.isBroken).toBe(true);
  });
});

describe('feed descriptions', () => {
  const description: FeedDescription = {
    format: 'matroska,webm',
    isOpen: false,
    durationMs: 12_000,
    streams: [
      { index: 0, content: 'video', codec: 'h264', config: Buffer.from([1, 2, 3]), sampleRate: 0, channels: 0 },
      {
        index: 1,
        content: 'audio',
        codec: 'aac',
        config: Buffer.from([0x11, 0x90]),
        sampleRate: 48_000,
        channels: 2,
        language: 'deu',
      },
    ],
  };

  it('are parsed as printed', () => {
    expect(parseFeedDescription(printFeedDescription(description))).toEqual(description);
    const end = { code: 'input_ended', detail: 'over' };
    expect(parseFeedEnd(printFeedEnd(end))).toEqual(end);
  });

  it.each([
    '',
    '{',
    'null',
    '[]',
    '{"streams":1}',
    '{"streams":[1]}',
    '{"streams":[{"index":"a"}]}',
    JSON.stringify({ streams: Array(65).fill({ index: 1 }) }),
  ])('in the invalid text %s are refused', (text) => {
    expect(parseFeedDescription(Buffer.from(text))).toBeUndefined();
    expect(parseFeedEnd(Buffer.from(text))).toBeUndefined();
  });
});
