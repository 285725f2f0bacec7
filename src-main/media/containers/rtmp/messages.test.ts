import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAggregate, writeAggregate } from './aggregate.ts';
import { amfObject, writeAmf0 } from './amf0.ts';
import { readCommand, readDataMessage, writeCommand } from './command.ts';
import { readControlValue, readUserControl, writeAcknowledgement, writeUserControl } from './protocol-control.ts';

describe('RTMP commands', () => {
  const command = { name: 'publish', transactionId: 4, args: [null, 'cam1', amfObject({ a: 1 })] };

  it('are read as written', () => {
    const message = writeCommand(command, 1);
    expect(message).toMatchObject({ type: 20, streamId: 1 });
    expect(readCommand(message.type, message.payload)).toEqual(command);
  });

  it('declared as AMF 3 are read as AMF 0', () => {
    const wrapped = Buffer.concat([Uint8Array.of(0), writeCommand(command).payload]);
    expect(readCommand(17, wrapped)).toEqual(command);
    expect(readDataMessage(15, Buffer.concat([Uint8Array.of(0), writeAmf0(['onMetaData', 5])]))).toEqual([
      'onMetaData',
      5,
    ]);
  });

  it('without a name are refused', () => {
    expect(readCommand(20, writeAmf0([1, 2]))).toBeUndefined();
    expect(readCommand(20, new Uint8Array(0))).toBeUndefined();
  });
});

describe('RTMP control messages', () => {
  it('are read as written', () => {
    expect(readUserControl(writeUserControl({ event: 6, value: 0xfffffffe }).payload)).toEqual({
      event: 6,
      value: 0xfffffffe,
    });
    expect(readControlValue(writeAcknowledgement(0x1_0000_0005).payload)).toBe(5);
  });

  it('that are too short are refused', () => {
    expect(readUserControl(Uint8Array.of(0, 6, 0))).toBeUndefined();
    expect(readControlValue(Uint8Array.of(1))).toBeUndefined();
  });
});

describe('RTMP aggregate messages', () => {
  const anyTag = fc.record({
    type: fc.constantFrom(8, 9, 18),
    streamId: fc.constant(1),
    timestampMs: fc.integer({ min: 0, max: 0xffffffff }),
    payload: fc.uint8Array({ maxLength: 50 }).map((bytes) => Uint8Array.from(bytes)),
  });

  it('return their tags, shifted to the time of the aggregate', () => {
    fc.assert(
      fc.property(
        fc.array(anyTag, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 0, max: 0xffffffff }),
        (tags, timestampMs) => {
          const first = tags[0]?.timestampMs ?? 0;
          const shifted = tags.map((tag) => ({ ...tag, timestampMs: (tag.timestampMs - first + timestampMs) >>> 0 }));
          const inner = readAggregate(timestampMs, 1, writeAggregate(tags)).map((tag) => ({
            ...tag,
            payload: Uint8Array.from(tag.payload),
          }));
          expect(inner).toEqual(shifted);
        },
      ),
    );
  });

  it('end at an incomplete tag', () => {
    const payload = writeAggregate([{ type: 9, streamId: 1, timestampMs: 0, payload: new Uint8Array(20) }]);
    expect(readAggregate(0, 1, payload.subarray(0, 25))).toEqual([]);
    expect(readAggregate(0, 1, payload.subarray(0, 7))).toEqual([]);
  });
});
