import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codedPictures, type CodedPicture } from '../../../../tests/helpers/coded-source.ts';
import { framed } from '../../../../tests/helpers/nal-framing.ts';
import { packedPes, type MadePes } from '../../../../tests/helpers/packed-pes.ts';
import { RecordingSink } from '../../../../tests/helpers/recording-sink.ts';
import { MpegTsReader } from './reader.ts';

const VIDEO_PID = 0x100;

/** Copy of a unit in another layer of H.265 (7.3.1.2), or in another view of H.264 (type 20, H.7.3.1.1). */
const LAYERS = {
  h265: (unit: Uint8Array): Uint8Array =>
    Uint8Array.of(unit[0]! & 0xfe, (unit[1]! & 7) | (1 << 3), ...unit.subarray(2)),
  h264: (unit: Uint8Array): Uint8Array =>
    (unit[0]! & 0x1f) <= 5 ? Uint8Array.of((unit[0]! & 0x60) | 20, 0x40, 0, 0x21, ...unit.subarray(1)) : unit,
} as const;
/** Units of the second layer that are not slices: its parameter sets, and its end of sequence. */
const OTHERS = {
  h265: (sets: readonly Uint8Array[]): Uint8Array[] => [...sets.slice(1).map(LAYERS.h265), Uint8Array.of(36 << 1, 9)],
  // Subset parameter sets precede the first view (H.7.4.1.2.3).
  h264: (): Uint8Array[] => [],
} as const;

function read(codec: 'h264' | 'h265', packets: readonly MadePes[]): RecordingSink {
  const sink = new RecordingSink();
  const stream = { streamType: codec === 'h264' ? 0x1b : 0x24, pid: VIDEO_PID, descriptors: [] };
  const section = { version: 0, isCurrent: true, sectionNumber: 0, lastSectionNumber: 0 };
  const map = { ...section, programNumber: 1, pcrPid: VIDEO_PID, descriptors: [], streams: [stream] };
  const reader = new MpegTsReader(sink, { found: { map, configs: new Map() } });
  reader.push(packedPes(packets));
  reader.flush();
  return sink;
}

describe.each(['h264', 'h265'] as const)('a second layer of %s in the stream of the first layer', (codec) => {
  const pictures = codedPictures(codec, [0]);
  const base = ({ delimiter, sets, rest }: CodedPicture, hasDelimiter: boolean): Uint8Array[] => [
    ...(hasDelimiter ? [delimiter] : []),
    ...sets,
    ...rest,
  ];
  const isSlice = (unit: Uint8Array): boolean =>
    codec === 'h264' ? (unit[0]! & 0x1f) <= 5 : ((unit[0]! >> 1) & 0x3f) < 32;
  const result = (sink: RecordingSink): unknown => [
    sink
      .units()
      .map(({ dtsTicks, ptsTicks, isRandomAccess, data }) => [
        dtsTicks,
        ptsTicks,
        isRandomAccess,
        Buffer.from(data).toString('base64'),
      ]),
    sink.calls.filter((call) => 'problem' in call),
  ];

  it('changes no picture of the first layer, in separate packets or not', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('joined', 'timed', 'untimed'),
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        (packing, hasDelimiter, hasDts, isBounded) => {
          const times = ({ ptsTicks, dtsTicks }: CodedPicture): Pick<MadePes, 'ptsTicks' | 'dtsTicks'> =>
            hasDts ? { ptsTicks, dtsTicks } : { ptsTicks };
          const plain = pictures.map((picture) => ({
            data: framed(base(picture, hasDelimiter), 'start codes of 4 bytes'),
            isBounded,
            ...times(picture),
          }));
          const layered = pictures.flatMap((picture, index): MadePes[] => {
            const units = picture.rest.filter(isSlice).map(LAYERS[codec]);
            const data = framed([...OTHERS[codec](picture.sets), ...units], 'start codes of 3 bytes');
            const first = plain[index]!;
            if (packing === 'joined') return [{ ...first, data: Buffer.concat([first.data, data]) }];
            return [first, { data, isBounded, ...(packing === 'timed' ? times(picture) : {}) }];
          });
          const [expected, found] = [read(codec, plain), read(codec, layered)];
          expect(expected.units()).toHaveLength(pictures.length);
          expect(result(found)).toEqual(result(expected));
        },
      ),
    );
  });
});
