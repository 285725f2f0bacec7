import { findBox, readBoxes, type Box } from '../../src-main/media/containers/isobmff/box.ts';
import { readMovie } from '../../src-main/media/containers/isobmff/movie.ts';

interface JoinedSample {
  readonly data: Uint8Array;
  readonly durationTicks: number;
  readonly compositionOffsetTicks: number;
  readonly isSync: boolean;
}

/** Part of a joined file: samples of one sample description. */
interface JoinedPart {
  readonly description: number;
  readonly samples: readonly JoinedSample[];
}

/**
 * Joins several MP4 files with the same timescale into a file with a single track, each with its own sample description
 * (ISO/IEC 14496-12, 8.5.2): as chunks, or as fragments.
 *
 * @param order number of the source file of each part
 */
export function joinedMp4(files: readonly Buffer[], order: readonly number[], isFragmented: boolean): Buffer {
  const entries = files.map(sampleEntryOf);
  const parts = order.map((index): JoinedPart => ({ description: index + 1, samples: samplesOf(files[index]!) }));
  const stsd = full('stsd', 0, 0, u32(entries.length), ...entries);
  const head = files[order[0] ?? 0]!;
  const ftyp = box('ftyp', Buffer.from('isom'), u32(0), Buffer.from('isomiso6'));
  if (isFragmented) {
    const moov = moovOf(
      head,
      [stsd, ...['stts', 'stsc', 'stco'].map((type) => full(type, 0, 0, u32(0))), full('stsz', 0, 0, u32(0), u32(0))],
      true,
    );
    let startTicks = 0;
    const fragments = parts.map((part, index) => {
      const fragment = fragmentOf(part, index + 1, startTicks);
      startTicks += part.samples.reduce((sum, { durationTicks }) => sum + durationTicks, 0);
      return fragment;
    });
    return Buffer.concat([ftyp, moov, ...fragments]);
  }
  const all = parts.flatMap(({ samples }) => samples);
  const syncs = all.flatMap(({ isSync }, index) => (isSync ? [u32(index + 1)] : []));
  const sizeOf = (part: JoinedPart): number => part.samples.reduce((sum, { data }) => sum + data.length, 0);
  const movie = (dataAt: number): Buffer => {
    let at = dataAt;
    const offsets = parts.map((part) => {
      const from = at;
      at += sizeOf(part);
      return u32(from);
    });
    return moovOf(
      head,
      [
        stsd,
        full('stts', 0, 0, u32(all.length), ...all.flatMap(({ durationTicks }) => [u32(1), u32(durationTicks)])),
        full('ctts', 0, 0, u32(all.length), ...all.flatMap((one) => [u32(1), u32(one.compositionOffsetTicks)])),
        full('stss', 0, 0, u32(syncs.length), ...syncs),
        full(
          'stsc',
          0,
          0,
          u32(parts.length),
          ...parts.flatMap((part, index) => [u32(index + 1), u32(part.samples.length), u32(part.description)]),
        ),
        full('stsz', 0, 0, u32(0), u32(all.length), ...all.map(({ data }) => u32(data.length))),
        full('stco', 0, 0, u32(parts.length), ...offsets),
      ],
      false,
    );
  };
  const before = ftyp.length + movie(0).length;
  return Buffer.concat([ftyp, movie(before + 8), box('mdat', ...all.map(({ data }) => data))]);
}

function fragmentOf({ description, samples }: JoinedPart, number: number, startTicks: number): Buffer {
  const rows = samples.flatMap(({ data, durationTicks, compositionOffsetTicks, isSync }) => [
    u32(durationTicks),
    u32(data.length),
    u32(isSync ? 0x0200_0000 : 0x0101_0000),
    u32(compositionOffsetTicks),
  ]);
  const moof = (dataOffset: number): Buffer =>
    box(
      'moof',
      full('mfhd', 0, 0, u32(number)),
      box(
        'traf',
        // default-base-is-moof and sample-description-index-present.
        full('tfhd', 0, 0x02_0002, u32(1), u32(description)),
        full('tfdt', 0, 0, u32(startTicks)),
        full('trun', 0, 0xf01, u32(samples.length), u32(dataOffset), ...rows),
      ),
    );
  return Buffer.concat([moof(moof(0).length + 8), box('mdat', ...samples.map(({ data }) => data))]);
}

/** `moov` box of a file with other sample tables for its first track. */
function moovOf(file: Buffer, tables: readonly Buffer[], isFragmented: boolean): Buffer {
  const copy = (found: Box | undefined): Buffer => file.subarray(found?.start ?? 0, found?.end ?? 0);
  const moov = findBox(file, ['moov'])!;
  const inside = (from: Box): Box[] => readBoxes(file, from.bodyStart, from.end);
  const trak = inside(moov).find(({ type }) => type === 'trak')!;
  const mdia = inside(trak).find(({ type }) => type === 'mdia')!;
  const minf = inside(mdia).find(({ type }) => type === 'minf')!;
  const others = (from: Box, ...types: string[]): Buffer[] =>
    inside(from).flatMap((one) => (types.includes(one.type) ? [copy(one)] : []));
  const trex = box('mvex', full('trex', 0, 0, u32(1), u32(1), u32(0), u32(0), u32(0)));
  return box(
    'moov',
    ...others(moov, 'mvhd'),
    box(
      'trak',
      ...others(trak, 'tkhd'),
      box(
        'mdia',
        ...others(mdia, 'mdhd', 'hdlr'),
        box('minf', ...others(minf, 'vmhd', 'smhd', 'dinf'), box('stbl', ...tables)),
      ),
    ),
    ...(isFragmented ? [trex] : []),
  );
}

function sampleEntryOf(file: Buffer): Buffer {
  const stsd = findBox(file, ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd'])!;
  return file.subarray(stsd.bodyStart + 8, stsd.end);
}

function samplesOf(file: Buffer): JoinedSample[] {
  const moov = findBox(file, ['moov'])!;
  const cursor = readMovie(file.subarray(moov.start, moov.end))!.tracks[0]!.samples();
  const samples: JoinedSample[] = [];
  while (cursor.next()) {
    const { offset, sizeBytes, durationTicks, compositionOffsetTicks, isSync } = cursor;
    samples.push({ data: file.subarray(offset, offset + sizeBytes), durationTicks, compositionOffsetTicks, isSync });
  }
  return samples;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function box(type: string, ...bodies: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(bodies);
  return Buffer.concat([u32(body.length + 8), Buffer.from(type), body]);
}

function full(type: string, version: number, flags: number, ...bodies: readonly Uint8Array[]): Buffer {
  return box(type, u32(version * 0x0100_0000 + flags), ...bodies);
}
