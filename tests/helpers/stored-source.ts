import fc from 'fast-check';
import { BoxWriter } from '../../src-main/media/containers/isobmff/box-writer.ts';
import { writeSampleEntry } from '../../src-main/media/containers/isobmff/sample-entry.ts';
import { ID } from '../../src-main/media/containers/matroska/element.ts';
import { writeAvcC } from '../../src-main/media/codecs/nal/avcc.ts';
import { SAME_SPS_COUNT, SOURCE_GOPS, type CodedPicture, type PictureCodec } from './coded-source.ts';
import { cuePoint, element, uintBytes } from './laced-mkv.ts';
import { configOf, picturesOf, plainMutation } from './mutated-source.ts';
import { framed, FRAMINGS, type Framing } from './nal-framing.ts';

/** Form of a file with pictures and without audio. */
export interface StoredForm {
  readonly codec: PictureCodec;
  readonly container: 'mp4' | 'fragments' | 'mkv';
  /** Variant of each GOP; they differ only in picture parameter sets. */
  readonly variants: readonly number[];
  readonly framing: Framing;
  /** Decoder configuration: complete, without parameter sets, without content, missing, or as a byte stream. */
  readonly config: 'record' | 'without sets' | 'empty' | 'missing' | 'byte stream';
  /** Parameter sets in the samples: before each picture, each key frame, or only at changes. */
  readonly sets: 'picture' | 'key' | 'change';
  readonly hasDelimiters: boolean;
}

/** Any form in which files store pictures of this codec. */
export function anyStoredForm(codec: PictureCodec): fc.Arbitrary<StoredForm> {
  const gops = { minLength: 3, maxLength: SOURCE_GOPS };
  return fc
    .record({
      codec: fc.constant(codec),
      container: fc.constantFrom('mp4', 'fragments', 'mkv'),
      variants: fc.oneof(
        fc.array(fc.constant(0), gops),
        fc.array(fc.integer({ min: 0, max: SAME_SPS_COUNT - 1 }), gops),
      ),
      framing: fc.constantFrom(...FRAMINGS),
      config: fc.constantFrom('record', 'without sets', 'empty', 'missing', 'byte stream'),
      sets: fc.constantFrom('picture', 'key', 'change'),
      hasDelimiters: fc.boolean(),
    } as const)
    .map((form) => ({
      ...form,
      // Only a complete configuration states lengths of two bytes.
      config:
        form.framing === 'lengths of 2 bytes' && form.config !== 'record' ? ('without sets' as const) : form.config,
      // A key frame contains the parameter sets that differ from those of the configuration (ISO/IEC 14496-15, 5.3.3.1
      // and 8.3.3.1).
      sets:
        form.variants.some((one) => one !== form.variants[0]) && form.sets === 'change' ? ('key' as const) : form.sets,
    }));
}

interface StoredSample {
  readonly data: Buffer;
  readonly isKey: boolean;
  readonly ptsTicks: number;
  readonly dtsTicks: number;
}

const TICKS = 3600;

/** File of this form, in 90 kHz ticks. */
export function asFile(form: StoredForm): Buffer {
  const pictures = picturesOf({ ...plainMutation(form.codec, form.variants), sets: form.sets });
  const samples = pictures.map(
    ({ delimiter, sent, rest, isKey, isChange, ptsTicks, dtsTicks }, index): StoredSample => {
      const isInConfig = index === 0 || !isChange;
      const isLeftOut = form.config === 'record' && form.sets === 'change' && isInConfig;
      const units = [...(form.hasDelimiters ? [delimiter] : []), ...(isLeftOut ? [] : sent), ...rest];
      return { data: framed(units, form.framing), isKey, ptsTicks, dtsTicks };
    },
  );
  const config = configuration(form, pictures[0]!);
  if (form.container === 'mkv') return matroska(form.codec, config, samples);
  const isFragmented = form.container === 'fragments';
  return isFragmented ? fragments(form, config, samples) : movie(form, config, samples);
}

/** Decoder configuration of the container; undefined if it is missing. */
function configuration({ codec, config, framing }: StoredForm, first: CodedPicture): Uint8Array | undefined {
  if (config === 'missing') return undefined;
  if (config === 'empty') return new Uint8Array(0);
  if (config === 'byte stream') return framed(first.sets, 'start codes of 4 bytes');
  const record = Buffer.from(configOf(codec, first.sets, first.rest));
  const lengthAt = codec === 'h264' ? 4 : 21;
  const minusOne = framing === 'lengths of 2 bytes' ? 1 : 3;
  record[lengthAt] = (record[lengthAt]! & 0xfc) | minusOne;
  if (config === 'record') return record;
  if (codec === 'h265') return Buffer.concat([record.subarray(0, 22), Buffer.from([0])]);
  const [profileIdc, constraints, levelIdc] = [record[1]!, record[2]!, record[3]!];
  return writeAvcC({ profileIdc, constraints, levelIdc, lengthSize: minusOne === 1 ? 2 : 4, sps: [], pps: [] });
}

function movie(form: StoredForm, config: Uint8Array | undefined, samples: readonly StoredSample[]): Buffer {
  const ftyp = fileType();
  const head = (dataAt: number): Buffer =>
    moov(form, config, samples.length * TICKS, (out) => {
      const table = (type: string, rows: readonly (readonly number[])[]): void => {
        out.openFull(type, 0, 0).u32(rows.length);
        for (const value of rows.flat()) out.u32(value);
        out.close();
      };
      table('stts', [[samples.length, TICKS]]);
      table(
        'ctts',
        samples.map(({ ptsTicks, dtsTicks }) => [1, ptsTicks - dtsTicks]),
      );
      table(
        'stss',
        samples.flatMap(({ isKey }, index) => (isKey ? [[index + 1]] : [])),
      );
      table('stsc', [[1, samples.length, 1]]);
      out.openFull('stsz', 0, 0).u32(0).u32(samples.length);
      for (const { data } of samples) out.u32(data.length);
      out.close();
      table('stco', [[dataAt]]);
    });
  const dataAt = ftyp.length + head(0).length + 8;
  return Buffer.concat([ftyp, head(dataAt), mediaData(samples)]);
}

function fragments(form: StoredForm, config: Uint8Array | undefined, samples: readonly StoredSample[]): Buffer {
  const head = moov(form, config, 0, (out) => {
    for (const type of ['stts', 'stsc', 'stco']) out.openFull(type, 0, 0).u32(0).close();
    out.openFull('stsz', 0, 0).u32(0).u32(0).close();
  });
  const gops = samples.flatMap(({ isKey }, index) => (isKey ? [index] : []));
  const pieces = gops.flatMap((from, index) => {
    const gop = samples.slice(from, gops[index + 1] ?? samples.length);
    const moof = (dataOffset: number): Buffer => {
      const out = new BoxWriter();
      out
        .open('moof')
        .openFull('mfhd', 0, 0)
        .u32(index + 1)
        .close()
        .open('traf');
      out.openFull('tfhd', 0, 0x02_0000).u32(1).close();
      out.openFull('tfdt', 0, 0).u32(gop[0]!.dtsTicks).close();
      out.openFull('trun', 0, 0xf01).u32(gop.length).u32(dataOffset);
      for (const { data, isKey, ptsTicks, dtsTicks } of gop)
        out
          .u32(TICKS)
          .u32(data.length)
          .u32(isKey ? 0x0200_0000 : 0x0101_0000)
          .u32(ptsTicks - dtsTicks);
      return Buffer.from(out.close().close().close().finish());
    };
    return [moof(moof(0).length + 8), mediaData(gop)];
  });
  return Buffer.concat([fileType(), head, ...pieces]);
}

function fileType(): Buffer {
  return Buffer.from(new BoxWriter().open('ftyp').ascii('isom').u32(0).ascii('isomiso6').close().finish());
}

function mediaData(samples: readonly StoredSample[]): Buffer {
  const out = new BoxWriter().open('mdat');
  for (const { data } of samples) out.bytes(data);
  return Buffer.from(out.close().finish());
}

function sizeOf(codec: PictureCodec): { readonly width: number; readonly height: number } {
  return { width: 160, height: codec === 'h264' ? 90 : 96 };
}

/** `moov` with one video track. @param tables writes the tables of its samples; without a duration they are in fragments */
function moov(
  { codec, config: kind }: StoredForm,
  config: Uint8Array | undefined,
  durationTicks: number,
  tables: (out: BoxWriter) => void,
): Buffer {
  const { width, height } = sizeOf(codec);
  const matrix = (out: BoxWriter): BoxWriter =>
    [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000].reduce((to, value) => to.u32(value), out);
  const out = new BoxWriter().open('moov');
  matrix(out.openFull('mvhd', 0, 0).zeros(8).u32(90_000).u32(durationTicks).u32(0x1_0000).u16(0x100).zeros(10));
  out.zeros(24).u32(2).close().open('trak');
  matrix(out.openFull('tkhd', 0, 3).zeros(8).u32(1).zeros(4).u32(durationTicks).zeros(16));
  out
    .u32(width << 16)
    .u32(height << 16)
    .close()
    .open('mdia');
  out.openFull('mdhd', 0, 0).zeros(8).u32(90_000).u32(durationTicks).u16(0x55c4).u16(0).close();
  out.openFull('hdlr', 0, 0).u32(0).ascii('vide').zeros(13).close().open('minf');
  out.openFull('vmhd', 0, 1).zeros(8).close();
  out.open('dinf').openFull('dref', 0, 0).u32(1).openFull('url ', 0, 1).close().close().close();
  const isInBand = kind !== 'record';
  const type = codec === 'h264' ? (isInBand ? 'avc3' : 'avc1') : isInBand ? 'hev1' : 'hvc1';
  const entry = new BoxWriter();
  writeSampleEntry(entry, {
    content: 'video',
    type,
    width,
    height,
    sarWidth: 1,
    sarHeight: 1,
    config: config ?? new Uint8Array(0),
  });
  const entryBytes = Buffer.from(entry.finish());
  if (!config) entryBytes.write('free', entryBytes.indexOf(codec === 'h264' ? 'avcC' : 'hvcC'));
  out.open('stbl').openFull('stsd', 0, 0).u32(1).bytes(entryBytes).close();
  tables(out);
  out.close().close().close().close();
  if (durationTicks === 0) out.open('mvex').openFull('trex', 0, 0).u32(1).u32(1).zeros(12).close().close();
  return Buffer.from(out.close().finish());
}

/** Matroska file with a cluster per GOP, and an index of the key frames. */
function matroska(codec: PictureCodec, config: Uint8Array | undefined, samples: readonly StoredSample[]): Buffer {
  const { width, height } = sizeOf(codec);
  const text = (id: number, value: string): Buffer => element(id, Buffer.from(value));
  const head = Buffer.concat([
    element(ID.ebml, text(0x4282, 'matroska')),
    // A segment of unknown size.
    Buffer.from([0x18, 0x53, 0x80, 0x67, 0x01, ...Array<number>(7).fill(0xff)]),
  ]);
  const entry = [
    element(ID.trackNumber, Buffer.of(1)),
    element(0x73c5, Buffer.of(1)), // TrackUID
    element(ID.trackType, Buffer.of(1)),
    text(ID.codecId, codec === 'h264' ? 'V_MPEG4/ISO/AVC' : 'V_MPEGH/ISO/HEVC'),
    ...(config ? [element(ID.codecPrivate, config)] : []),
    element(ID.defaultDuration, uintBytes(40_000_000)),
    element(ID.video, Buffer.concat([element(0xb0, uintBytes(width)), element(0xba, uintBytes(height))])),
  ];
  const before = Buffer.concat([
    element(ID.info, element(ID.timestampScale, uintBytes(1_000_000))),
    element(ID.tracks, element(ID.trackEntry, Buffer.concat(entry))),
  ]);
  const gops = samples.flatMap(({ isKey }, index) => (isKey ? [index] : []));
  const clusters = gops.map((from, index) => {
    const timestamp = Math.round(samples[from]!.ptsTicks / 90);
    const blocks = samples.slice(from, gops[index + 1] ?? samples.length).map(({ data, isKey, ptsTicks }) => {
      const block = Buffer.from([0x81, 0, 0, isKey ? 0x80 : 0]);
      block.writeInt16BE(Math.round(ptsTicks / 90) - timestamp, 1);
      return element(ID.simpleBlock, Buffer.concat([block, data]));
    });
    return element(ID.cluster, Buffer.concat([element(ID.timestamp, uintBytes(timestamp)), ...blocks]));
  });
  const cues = (from: number): Buffer => {
    let position = from;
    const points = clusters.map(({ length }, index) => {
      const at = position;
      position += length;
      return cuePoint(Math.round(samples[gops[index]!]!.ptsTicks / 90), 1, at);
    });
    return element(ID.cues, Buffer.concat(points));
  };
  return Buffer.concat([head, before, cues(before.length + cues(0).length), ...clusters]);
}
