import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FormatProblem } from '../../access-unit.ts';
import { ChunkStreamReader } from './chunk-stream-reader.ts';
import type { ChunkStreamReaderOptions } from './chunk-stream-reader.ts';
import { ChunkStreamWriter } from './chunk-stream-writer.ts';
import type { RtmpMessage } from './message.ts';
import { writeAbort, writeSetChunkSize } from './protocol-control.ts';

interface Reading {
  readonly messages: RtmpMessage[];
  readonly problems: FormatProblem[];
}

/** Reads pieces with one reader and copies its messages. */
function read(pieces: readonly Uint8Array[], options?: ChunkStreamReaderOptions): Reading {
  const messages: RtmpMessage[] = [];
  const problems: FormatProblem[] = [];
  const reader = new ChunkStreamReader(
    {
      message: (type, streamId, timestampMs, payload) =>
        messages.push({ type, streamId, timestampMs, payload: Uint8Array.from(payload) }),
      problem: (problem) => problems.push(problem),
    },
    options,
  );
  for (const piece of pieces) {
    // A reader must neither write into a piece nor read it later.
    const lent = Uint8Array.from(piece);
    reader.push(lent);
    lent.fill(0xee);
  }
  return { messages, problems };
}

function chop(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (let i = 0; at < bytes.length; i += 1) {
    const length = lengths.length === 0 ? bytes.length : (lengths[i % lengths.length] as number);
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return pieces;
}

function fromHex(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text.replace(/\s/g, ''), 'hex'));
}

function video(timestampMs: number, length: number, streamId = 1): RtmpMessage {
  return { type: 9, streamId, timestampMs, payload: Uint8Array.from({ length }, (_, i) => i & 0xff) };
}

const anyMessage = fc.record({
  type: fc.constantFrom(8, 9, 18, 20),
  streamId: fc.constantFrom(0, 1, 2, 0x01020304),
  timestampMs: fc.oneof(
    fc.nat(2000),
    fc.integer({ min: 0xfffff0, max: 0x1000010 }),
    fc.integer({ min: 0, max: 0xffffffff }),
  ),
  payload: fc.uint8Array({ maxLength: 700 }).map((bytes) => Uint8Array.from(bytes)),
});

describe('the RTMP chunk stream', () => {
  it('returns the messages of a writer, however they are chunked, interleaved and split', () => {
    const senders = fc.uniqueArray(
      fc.record({
        id: fc.constantFrom(2, 3, 4, 63, 64, 319, 320, 65_599),
        messages: fc.array(anyMessage, { maxLength: 8 }),
      }),
      { selector: (sender) => sender.id, minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(
        senders,
        fc.integer({ min: 1, max: 600 }),
        fc.array(fc.nat(3), { minLength: 1, maxLength: 30 }),
        fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 6 }),
        (all, chunkBytes, order, lengths) => {
          const writer = new ChunkStreamWriter();
          const bytes: Uint8Array[] = [writer.write(2, writeSetChunkSize(chunkBytes))];
          const queues = all.map((sender) => sender.messages.flatMap((message) => writer.chunks(sender.id, message)));
          for (let i = 0; queues.some((queue) => queue.length > 0); i += 1) {
            const queue = queues[(order[i % order.length] as number) % queues.length];
            bytes.push(queue?.shift() ?? queues.find((other) => other.length > 0)?.shift() ?? new Uint8Array(0));
          }
          const { messages, problems } = read(chop(Buffer.concat(bytes), lengths));
          expect(problems).toEqual([]);
          expect(messages).toHaveLength(all.reduce((sum, sender) => sum + sender.messages.length, 0));
          // The order is kept within a chunk stream. Across chunk streams it is that of the last chunks.
          for (const sender of all) {
            const left = [...messages];
            for (const message of sender.messages) {
              const at = left.findIndex((other) => isSame(other, message));
              expect(at).toBeGreaterThanOrEqual(0);
              left.splice(0, at + 1);
            }
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  it('reads and writes each form of header', () => {
    const golden = `
      04 000064 000003 09 01000000  010203      type 0: 100 ms, video of 3 bytes on stream 1
      44 000028 000002 08           0405        type 1: 40 ms later, audio of 2 bytes
      84 000014                     0607        type 2: 20 ms later
      c4                            0809        type 3: another 20 ms later`;
    const lines = golden
      .trim()
      .split('\n')
      .map((line) => fromHex((/^([0-9a-f ]+?)\s+type/.exec(line.trim()) as RegExpExecArray)[1] as string));
    const messages = [
      { type: 9, streamId: 1, timestampMs: 100, payload: Uint8Array.of(1, 2, 3) },
      { type: 8, streamId: 1, timestampMs: 140, payload: Uint8Array.of(4, 5) },
      { type: 8, streamId: 1, timestampMs: 160, payload: Uint8Array.of(6, 7) },
      { type: 8, streamId: 1, timestampMs: 180, payload: Uint8Array.of(8, 9) },
    ];
    const writer = new ChunkStreamWriter();
    expect(messages.map((message) => Uint8Array.from(writer.write(4, message)))).toEqual(lines);
    expect(read(lines).messages).toEqual(messages);
  });

  it('adds the complete timestamp for a type 3 header after a type 0 header', () => {
    const { messages } = read([fromHex('04 000064 000001 09 01000000 aa  c4 bb')]);
    expect(messages.map((message) => message.timestampMs)).toEqual([100, 200]);
  });

  it.each([
    ['repeat the extended timestamp', true],
    ['leave the extended timestamp out, as older encoders do', false],
  ])('reads long messages whose further chunks %s', (_, isRepeated) => {
    const message = video(0x01000000, 300);
    const extended = '01000000';
    const text = [
      `04 ffffff 00012c 09 01000000 ${extended}`,
      Buffer.from(message.payload.subarray(0, 128)).toString('hex'),
      `c4 ${isRepeated ? extended : ''}`,
      Buffer.from(message.payload.subarray(128, 256)).toString('hex'),
      `c4 ${isRepeated ? extended : ''}`,
      Buffer.from(message.payload.subarray(256)).toString('hex'),
    ].join('');
    for (const lengths of [[], [1], [7], [145, 1, 2, 1]]) {
      const { messages, problems } = read(chop(fromHex(text), lengths));
      expect(problems).toEqual([]);
      expect(messages).toEqual([message]);
    }
  });

  it('adds a timestamp delta across the 32-bit wrap', () => {
    const writer = new ChunkStreamWriter();
    const bytes = [writer.write(4, video(0xfffffff0, 4)), fromHex('84 000020 01020304')];
    expect(read(bytes).messages.map((message) => message.timestampMs)).toEqual([0xfffffff0, 0x10]);
  });

  it('drops a partial message on abort', () => {
    const writer = new ChunkStreamWriter();
    const [half] = writer.chunks(4, video(0, 300));
    const bytes = [half as Uint8Array, writer.write(2, writeAbort(4)), writer.write(6, video(40, 10))];
    expect(read(bytes).messages).toEqual([video(40, 10)]);
  });

  it('returns messages without a payload', () => {
    const writer = new ChunkStreamWriter();
    expect(read([writer.write(4, video(0, 0)), writer.write(4, video(1, 0))]).messages).toEqual([
      video(0, 0),
      video(1, 0),
    ]);
  });

  it.each([
    ['a message over the limit', '04 000000 ffffff 09 01000000', 'rtmp_message_too_large'],
    ['a repeated header on a new chunk stream', 'c4', 'rtmp_bad_chunk'],
    ['a header of type 2 on a new chunk stream', '84 000000', 'rtmp_bad_chunk'],
    ['a chunk size of 0', '02 000000 000004 01 00000000 00000000', 'rtmp_bad_chunk'],
    ['a chunk size over 31 bits', '02 000000 000004 01 00000000 80000000', 'rtmp_bad_chunk'],
    [
      'a new message inside another',
      `04 000000 0000ff 09 01000000 ${'00'.repeat(128)} 04 000000 0000ff 09 01000000`,
      'rtmp_bad_chunk',
    ],
  ])('ends at %s', (_, text, code) => {
    const { messages, problems } = read([fromHex(text), fromHex('06 000000 000001 09 01000000 00')], {
      maxMessageBytes: 0xfffff0,
    });
    expect(problems.map((problem) => problem.code)).toEqual([code]);
    expect(messages).toEqual([]);
  });

  it('ends when a connection uses too many chunk streams', () => {
    const writer = new ChunkStreamWriter();
    const bytes = Array.from({ length: 65 }, (_, i) => writer.write(3 + i, video(0, 1)));
    const { messages, problems } = read(bytes);
    expect(messages).toHaveLength(64);
    expect(problems.map((problem) => problem.code)).toEqual(['rtmp_bad_chunk']);
  });

  it('ends if partial messages take too much memory', () => {
    const writer = new ChunkStreamWriter();
    const set = writer.write(2, writeSetChunkSize(65_536));
    const halves = Array.from({ length: 8 }, (_, i) => writer.chunks(4 + i, video(0, 70_000))[0] as Uint8Array);
    const { problems } = read([set, ...halves], { maxMessageBytes: 100_000, maxGatheredBytes: 500_000 });
    expect(problems.map((problem) => problem.code)).toEqual(['rtmp_message_too_large']);
  });

  it('accepts any bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 400 }), { maxLength: 8 }), (pieces) => {
        expect(read(pieces).problems.length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 300 },
    );
  });
});

function isSame(a: RtmpMessage, b: RtmpMessage): boolean {
  return (
    a.type === b.type &&
    a.streamId === b.streamId &&
    a.timestampMs === b.timestampMs &&
    Buffer.compare(a.payload, b.payload) === 0
  );
}
