import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ffmpeg, probePackets, testSources } from '../../../../tests/helpers/ffmpeg-media.ts';
import { packedPes, type MadePes } from '../../../../tests/helpers/packed-pes.ts';
import { RecordingSink } from '../../../../tests/helpers/recording-sink.ts';
import type { AccessUnit } from '../../access-unit.ts';
import { splitAnnexB } from '../../codecs/nal/annexb.ts';
import { MpegTsReader } from './reader.ts';

/**
 * Number of random packetizations. The seed is fixed unless AIRDESK_RUNS is set. A failure prints its seed and path.
 */
const SEARCHED = process.env['AIRDESK_RUNS'];
const RUNS = { numRuns: Number(SEARCHED ?? 60), ...(SEARCHED === undefined ? { seed: 20_428 } : {}) };

const CODECS = [
  {
    name: 'H.264',
    streamType: 0x1b,
    form: 'h264',
    isDelimiter: (unit: Uint8Array) => (unit[0]! & 0x1f) === 9,
    args: (extra: string) => [
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-bf',
      '3',
      '-x264-params',
      `keyint=25:b-adapt=0:b-pyramid=normal:aud=1:threads=1:slices=3${extra}`,
    ],
  },
  {
    name: 'H.265',
    streamType: 0x24,
    form: 'hevc',
    isDelimiter: (unit: Uint8Array) => ((unit[0]! >> 1) & 0x3f) === 35,
    args: (extra: string) => [
      '-c:v',
      'libx265',
      '-preset',
      'ultrafast',
      '-x265-params',
      `keyint=25:bframes=3:aud=1:slices=2:log-level=error:pools=1${extra}`,
    ],
  },
] as const;

interface Picture {
  /** NAL units with start codes. The delimiter comes first. */
  readonly delimiter: Buffer;
  readonly rest: Buffer;
  readonly ptsTicks: number;
  readonly dtsTicks: number;
}

type Codec = (typeof CODECS)[number];

function pictures(codec: Codec, extra = ''): Picture[] {
  const args = [...testSources(2, 0), ...codec.args(extra)];
  const times = probePackets(ffmpeg([...args, '-f', 'mpegts']));
  const groups: Uint8Array[][] = [];
  for (const unit of splitAnnexB(ffmpeg([...args, '-f', codec.form]))) {
    if (codec.isDelimiter(unit)) groups.push([]);
    groups.at(-1)?.push(unit);
  }
  const coded = (units: readonly Uint8Array[]): Buffer =>
    Buffer.concat(units.flatMap((unit) => [Buffer.from([0, 0, 0, 1]), unit]));
  expect(groups).toHaveLength(times.length);
  return groups.map((units, index) => ({
    delimiter: coded(units.slice(0, 1)),
    rest: coded(units.slice(1)),
    ptsTicks: times[index]!.ptsTicks,
    dtsTicks: times[index]!.dtsTicks,
  }));
}

/** Whether the units of a picture start with parameter sets. */
function isKey(codec: Codec, units: Buffer): boolean {
  const first = units[4] ?? 0;
  return codec.form === 'h264' ? (first & 0x1f) === 7 : ((first >> 1) & 0x3f) === 32;
}

function read(codec: Codec, packets: readonly MadePes[], isLive = false): AccessUnit[] {
  const sink = new RecordingSink();
  const stream = { streamType: codec.streamType, pid: 0x100, descriptors: [] };
  const map = {
    tableIdExtension: 1,
    version: 0,
    isCurrent: true,
    sectionNumber: 0,
    lastSectionNumber: 0,
    programNumber: 1,
    pcrPid: 0x100,
    descriptors: [],
    streams: [stream],
  };
  const reader = new MpegTsReader(sink, { found: { map, configs: new Map() }, isLive });
  reader.push(packedPes(packets));
  reader.flush();
  return sink.units();
}

/** Rank of each picture in presentation order. */
function ranksOf(units: readonly AccessUnit[]): number[] {
  const sorted = units.map(({ ptsTicks }) => ptsTicks).sort((a, b) => a - b);
  return units.map(({ ptsTicks }) => sorted.indexOf(ptsTicks));
}

const plain = (all: readonly Picture[]): MadePes[] =>
  all.map(({ delimiter, rest, ptsTicks, dtsTicks }) => ({
    data: Buffer.concat([delimiter, rest]),
    ptsTicks,
    dtsTicks,
  }));

const Plan = fc.record({
  /** Pictures that keep their delimiter. */
  delimiters: fc.oneof(fc.constant([true]), fc.constant([false]), fc.array(fc.boolean(), { minLength: 1 })),
  /** Sizes of consecutive packets in bytes, or up to the next picture. */
  lengths: fc.array(fc.oneof(fc.integer({ min: 1, max: 8000 }), fc.constant('picture' as const)), {
    minLength: 1,
    maxLength: 40,
  }),
  /** Packets that state a time. */
  timed: fc.array(fc.boolean(), { minLength: 1 }),
  /** Packets that state their length. */
  bounded: fc.array(fc.boolean(), { minLength: 1 }),
});

/**
 * Splits the pictures into PES packets. The times of a packet are those of the first picture that starts in it (ISO/IEC
 * 13818-1, 2.4.3.7).
 */
function repacketised(all: readonly Picture[], plan: typeof Plan extends fc.Arbitrary<infer T> ? T : never): MadePes[] {
  const of = <T>(values: readonly T[], index: number): T => values[index % values.length]!;
  const starts: number[] = [];
  let total = 0;
  const bytes = Buffer.concat(
    all.map(({ delimiter, rest }, index) => {
      starts.push(total);
      const data = of(plan.delimiters, index) ? Buffer.concat([delimiter, rest]) : rest;
      total += data.length;
      return data;
    }),
  );
  const packets: MadePes[] = [];
  for (let at = 0, index = 0; at < total; index++) {
    const length = of(plan.lengths, index);
    const end = length === 'picture' ? (starts.find((start) => start > at) ?? total) : Math.min(total, at + length);
    // A picture starts with the start code prefix, after the zero byte.
    const first = starts.findIndex((start) => start + 1 >= at);
    const isStart = first >= 0 && starts[first]! + 1 < end;
    // A packet inside a picture repeats the time of the picture.
    const picture = isStart ? all[first] : all[first < 0 ? all.length - 1 : first - 1];
    const isTimed = index === 0 || of(plan.timed, index);
    const times = isTimed && picture ? { ptsTicks: picture.ptsTicks, dtsTicks: picture.dtsTicks } : {};
    packets.push({ data: bytes.subarray(at, end), isBounded: of(plan.bounded, index), ...times });
    at = end;
  }
  return packets;
}

describe.each(CODECS)('$name in PES packets', (codec) => {
  const all = pictures(codec);
  const expected = read(codec, plain(all));

  it('has one picture per packet, as in ffprobe', () => {
    expect(expected.map(({ ptsTicks, dtsTicks }) => ({ ptsTicks, dtsTicks }))).toEqual(
      all.map(({ ptsTicks, dtsTicks }) => ({ ptsTicks, dtsTicks })),
    );
  });

  it('gives the same pictures for any packetization', () => {
    fc.assert(
      fc.property(Plan, (plan) => {
        const found = read(codec, repacketised(all, plan));
        expect(found.map(({ data: _, ...rest }) => rest)).toEqual(expected.map(({ data: _, ...rest }) => rest));
        expect(found.every(({ data }, index) => Buffer.compare(data, expected[index]!.data) === 0)).toBe(true);
      }),
      RUNS,
    );
  });

  it.each([17, 18, 19, 40])(
    'gets times for pictures without timestamps, after %i pictures with timestamps',
    (count) => {
      const packets = plain(all).map((packet, index) => (index < count ? packet : { data: packet.data }));
      const timesOf = (units: readonly AccessUnit[]): object[] =>
        units.map(({ ptsTicks, dtsTicks }) => ({ ptsTicks, dtsTicks }));
      expect(timesOf(read(codec, packets))).toEqual(timesOf(expected));
    },
  );

  it('keeps the presentation order if timestamps jitter and some are missing', () => {
    const shifts = fc.array(fc.integer({ min: -1500, max: 1500 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(
        shifts,
        fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
        fc.boolean(),
        (shiftsTicks, timed, hasDts) => {
          const packets = plain(all).map(({ data, ptsTicks, dtsTicks }, index): MadePes => {
            if (index > 0 && !timed[index % timed.length]) return { data };
            const shift = shiftsTicks[index % shiftsTicks.length]!;
            return { data, ptsTicks: ptsTicks! + shift, ...(hasDts ? { dtsTicks: dtsTicks! + shift } : {}) };
          });
          expect(ranksOf(read(codec, packets))).toEqual(ranksOf(expected));
        },
      ),
      RUNS,
    );
  });

  it('gives pictures the times of their own packets if the zero byte of a start code ends the previous packet', () => {
    const all = pictures(codec, codec.form === 'h264' ? ':repeat-headers=1' : ':repeat-headers=1:open-gop=1');
    const packets = plain(all).map((packet, index, { length }) => ({
      ...packet,
      data: Buffer.concat([packet.data.subarray(1), index < length - 1 ? Buffer.alloc(1) : Buffer.alloc(0)]),
    }));
    const keys = all.flatMap(({ rest }, index) => (index > 0 && isKey(codec, rest) ? [index] : []));
    expect(keys.length).toBeGreaterThan(0);
    // From a picture without parameter sets, the picture order is unknown up to the next key frame.
    for (const from of [0, 3]) {
      const start = from === 0 ? 0 : (keys[0] ?? 0);
      const found = read(codec, packets.slice(from)).map(({ ptsTicks, dtsTicks }) => ({ ptsTicks, dtsTicks }));
      expect(found).toEqual(all.slice(start).map(({ ptsTicks, dtsTicks }) => ({ ptsTicks, dtsTicks })));
    }
  });

  it('computes decoding times for a stream with presentation times only', () => {
    const found = read(
      codec,
      plain(all).map(({ dtsTicks: _, ...packet }) => packet),
    );
    expect(found.map(({ ptsTicks }) => ptsTicks)).toEqual(all.map(({ ptsTicks }) => ptsTicks));
    for (const [index, unit] of found.entries()) {
      expect(unit.dtsTicks).toBeLessThanOrEqual(unit.ptsTicks);
      expect(unit.dtsTicks - (found[index - 1]?.dtsTicks ?? -Infinity)).toBeGreaterThan(0);
    }
  });
});
