import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crc32Mpeg } from '../containers/mpegts/crc32.ts';
import { cancelOf, type SpliceCommand } from './splice-command.ts';
import type { SpliceDescriptor } from './splice-descriptor.ts';
import {
  readSpliceInfo,
  shiftSpliceSection,
  spliceTimeTicks,
  writeSpliceInfo,
  type SpliceInfo,
} from './splice-info.ts';

/** The sample messages of SCTE 35 2023r1, section 14. */
const SAMPLES = {
  '14.1': '/DA0AAAAAAAA///wBQb+cr0AUAAeAhxDVUVJSAAAjn/PAAGlmbAICAAAAAAsoKGKNAIAmsnRfg==',
  '14.2': '/DAvAAAAAAAA///wFAVIAACPf+/+c2nALv4AUsz1AAAAAAAKAAhDVUVJAAABNWLbowo=',
  '14.3': '/DAvAAAAAAAA///wBQb+dGKQoAAZAhdDVUVJSAAAjn+fCAgAAAAALKChijUCAKnMZ1g=',
  '14.4': '/DBIAAAAAAAA///wBQb+ek2ItgAyAhdDVUVJSAAAGH+fCAgAAAAALMvDRBEAAAIXQ1VFSUgAABl/nwgIAAAAACyk26AQAACZcuND',
  '14.5': '/DAvAAAAAAAA///wBQb+rr//ZAAZAhdDVUVJSAAACH+fCAgAAAAALKVs9RcAAJUdsKg=',
  '14.6': '/DBIAAAAAAAA///wBQb+ky44CwAyAhdDVUVJSAAACn+fCAgAAAAALKCh4xgAAAIXQ1VFSUgAAAl/nwgIAAAAACygoYoRAAC0IX6w',
  '14.7': '/DAvAAAAAAAA///wBQb+rvF8TAAZAhdDVUVJSAAAB3+fCAgAAAAALKVslxEAAMSHai4=',
  '14.8':
    '/DBhAAAAAAAA///wBQb+qM1E7QBLAhdDVUVJSAAArX+fCAgAAAAALLLXnTUCAAIXQ1VFSUgAACZ/nwgIAAAAACyy150RAAACF0NVRUlIAAAnf58ICAAAAAAsstezEAAAihiGnw==',
} as const;

const sample = (name: keyof typeof SAMPLES): Uint8Array => Uint8Array.from(Buffer.from(SAMPLES[name], 'base64'));
const plain = { sapType: 3, ptsAdjustmentTicks: 0, cwIndex: 0xff, tier: 0xfff, descriptors: [] } as const;

const u8 = fc.integer({ min: 0, max: 0xff });
const u32 = fc.integer({ min: 0, max: 0xffffffff });
const ticks33 = fc.integer({ min: 0, max: 2 ** 33 - 1 });
const some = <T>(key: string, value: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> =>
  fc.oneof(
    fc.constant({}),
    value.map((it) => ({ [key]: it })),
  );
const bytes = (maxLength: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ maxLength });

const splice = fc
  .record({
    isImmediate: fc.boolean(),
    isByComponent: fc.boolean(),
    pts: some('ptsTicks', ticks33),
    tags: fc.array(fc.tuple(u8, some('ptsTicks', ticks33)), { maxLength: 5 }),
  })
  .map(({ isImmediate, isByComponent, pts, tags }) => ({
    isImmediate,
    ...(isByComponent
      ? { components: tags.map(([tag, time]) => ({ tag, ...(isImmediate ? {} : time) })) }
      : isImmediate
        ? {}
        : pts),
  }));

const insert: fc.Arbitrary<SpliceCommand> = fc
  .tuple(
    fc.record({
      eventId: u32,
      isOutOfNetwork: fc.boolean(),
      hasFreeEventId: fc.boolean(),
      uniqueProgramId: fc.integer({ min: 0, max: 0xffff }),
      availNumber: u8,
      availsExpected: u8,
    }),
    splice,
    some('breakDuration', fc.record({ isAutoReturn: fc.boolean(), durationTicks: ticks33 })),
  )
  .map(([fields, what, duration]): SpliceCommand =>
    Object.assign({ type: 'insert', isCancel: false } as const, fields, what, duration),
  );

const command: fc.Arbitrary<SpliceCommand> = fc.oneof(
  fc.constant<SpliceCommand>({ type: 'null' }),
  insert,
  u32.map(cancelOf),
  some('ptsTicks', ticks33).map((time): SpliceCommand => ({ type: 'time-signal', ...time })),
  fc.record({ type: fc.constant('raw' as const), commandType: fc.constantFrom(0x04, 0x07, 0xff), data: bytes(100) }),
);

const segmentation = fc
  .tuple(
    fc.record({
      eventId: u32,
      hasFreeEventId: fc.boolean(),
      upidType: u8,
      upid: bytes(40),
      segmentationTypeId: u8,
      segmentNumber: u8,
      segmentsExpected: u8,
    }),
    some(
      'restrictions',
      fc.record({
        isWebDeliveryAllowed: fc.boolean(),
        hasNoRegionalBlackout: fc.boolean(),
        isArchiveAllowed: fc.boolean(),
        deviceRestrictions: fc.integer({ min: 0, max: 3 }),
      }),
    ),
    some('components', fc.array(fc.record({ tag: u8, ptsOffsetTicks: ticks33 }), { maxLength: 4 })),
    some('durationTicks', fc.integer({ min: 0, max: 2 ** 40 - 1 })),
    some('subSegments', fc.record({ number: u8, expected: u8 })),
  )
  .map(
    ([fields, ...optional]) =>
      Object.assign({ type: 'segmentation', isCancel: false, ...fields }, ...optional) as SpliceDescriptor,
  );

const descriptor: fc.Arbitrary<SpliceDescriptor> = fc.oneof(
  fc.record({ type: fc.constant('avail' as const), providerAvailId: u32 }),
  segmentation,
  fc.record({ type: fc.constant('raw' as const), tag: fc.constantFrom(0x01, 0x03, 0x04, 0xf0), data: bytes(60) }),
);

const info: fc.Arbitrary<SpliceInfo> = fc.record({
  sapType: fc.integer({ min: 0, max: 3 }),
  ptsAdjustmentTicks: ticks33,
  cwIndex: u8,
  tier: fc.integer({ min: 0, max: 0xfff }),
  command,
  descriptors: fc.array(descriptor, { maxLength: 4 }),
});

describe('splice information sections', () => {
  it.each(Object.keys(SAMPLES) as (keyof typeof SAMPLES)[])(
    'are read and written byte for byte for sample %s of the standard',
    (name) => {
      const value = readSpliceInfo(sample(name));
      expect(value).toBeDefined();
      expect(Buffer.from(writeSpliceInfo(value as SpliceInfo)).toString('base64')).toBe(SAMPLES[name]);
    },
  );

  it('of sample 14.1 contain a placement opportunity', () => {
    expect(readSpliceInfo(sample('14.1'))).toEqual({
      ...plain,
      command: { type: 'time-signal', ptsTicks: 0x072bd0050 },
      descriptors: [
        {
          type: 'segmentation',
          eventId: 0x4800008e,
          isCancel: false,
          hasFreeEventId: true,
          restrictions: {
            isWebDeliveryAllowed: false,
            hasNoRegionalBlackout: true,
            isArchiveAllowed: true,
            deviceRestrictions: 3,
          },
          durationTicks: 0x0001a599b0,
          upidType: 8,
          upid: Uint8Array.of(0, 0, 0, 0, 0x2c, 0xa0, 0xa1, 0x8a),
          segmentationTypeId: 0x34,
          segmentNumber: 2,
          segmentsExpected: 0,
        },
      ],
    });
  });

  it('of sample 14.2 contain a break', () => {
    expect(readSpliceInfo(sample('14.2'))).toEqual({
      ...plain,
      command: {
        type: 'insert',
        eventId: 0x4800008f,
        isCancel: false,
        isOutOfNetwork: true,
        isImmediate: false,
        hasFreeEventId: true,
        ptsTicks: 0x07369c02e,
        breakDuration: { isAutoReturn: true, durationTicks: 0x00052ccf5 },
        uniqueProgramId: 0,
        availNumber: 0,
        availsExpected: 0,
      },
      descriptors: [{ type: 'avail', providerAvailId: 0x135 }],
    });
  });

  it('are read as written, for any value', () => {
    fc.assert(
      fc.property(info, (value) => {
        const section = writeSpliceInfo(value);
        expect(crc32Mpeg(section)).toBe(0);
        expect(readSpliceInfo(section)).toEqual(value);
      }),
      { numRuns: 500 },
    );
  });

  it('that are encrypted are kept as received', () => {
    const value: SpliceInfo = {
      ...plain,
      command: { type: 'null' },
      encrypted: { algorithm: 2, data: Uint8Array.of(1, 2, 3, 4, 5, 6) },
    };
    expect(readSpliceInfo(writeSpliceInfo(value))).toEqual(value);
  });

  it('with a command of unknown length are read to the end of the command', () => {
    const section = sample('14.2');
    section[11] = (section[11] ?? 0) | 0x0f;
    section[12] = 0xff;
    new DataView(section.buffer).setUint32(section.length - 4, crc32Mpeg(section, 0, section.length - 4));
    expect(readSpliceInfo(section)).toEqual(readSpliceInfo(sample('14.2')));
  });

  it('with a wrong CRC or truncated are refused', () => {
    for (let at = 0; at < sample('14.1').length; at++) {
      const damaged = sample('14.1');
      damaged[at] = (damaged[at] ?? 0) ^ 0x10;
      expect(readSpliceInfo(damaged)).toBeUndefined();
      expect(readSpliceInfo(sample('14.1').slice(0, at))).toBeUndefined();
    }
  });

  it('with any content and a correct CRC never throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 120 }), (random) => {
        random.set([0xfc, 0x30, random.length - 3, 0, (random[4] ?? 0) & 0x7f]);
        new DataView(random.buffer).setUint32(random.length - 4, crc32Mpeg(random, 0, random.length - 4));
        const value = readSpliceInfo(random);
        if (value) expect(readSpliceInfo(writeSpliceInfo(value))).toEqual(value);
      }),
      { numRuns: 500 },
    );
  });
});

describe('splice times', () => {
  it('include the adjustment, and wrap at 33 bits', () => {
    const value: SpliceInfo = {
      ...plain,
      ptsAdjustmentTicks: 5,
      command: { type: 'time-signal', ptsTicks: 2 ** 33 - 2 },
    };
    expect(spliceTimeTicks(value)).toBe(3);
    expect(spliceTimeTicks({ ...plain, command: { type: 'time-signal' } })).toBeUndefined();
    expect(spliceTimeTicks({ ...plain, command: { type: 'null' } })).toBeUndefined();
  });

  it('are shifted to another clock without changing other fields', () => {
    fc.assert(
      fc.property(info, fc.integer({ min: -(2 ** 52), max: 2 ** 52 }), (value, delta) => {
        const shifted = readSpliceInfo(shiftSpliceSection(writeSpliceInfo(value), delta));
        const expected = Number(
          (((BigInt(value.ptsAdjustmentTicks) + BigInt(delta)) % 2n ** 33n) + 2n ** 33n) % 2n ** 33n,
        );
        expect(shifted).toEqual({ ...value, ptsAdjustmentTicks: expected });
      }),
    );
  });
});
