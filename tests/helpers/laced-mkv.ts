import { readBlockHead } from '../../src-main/media/containers/matroska/block.ts';
import { elementsIn, ID, readElementStart, readUint } from '../../src-main/media/containers/matroska/element.ts';

type Lacing = 'xiph' | 'ebml' | 'fixed';

export interface LacedForm {
  /** Kind of lacing; `fixed` requires equal sizes of the frames of a lace. */
  readonly lacing: Lacing;
  /** Maximum number of frames in a block. */
  readonly frames: number;
  /** Number of the track whose frames are laced; the blocks of other tracks are unchanged. */
  readonly trackNumber: number;
  /** Writes blocks as groups with additions; with a duration in units of the file if it is given. */
  readonly group?: { readonly frameUnits?: number };
  /** Whether `DefaultDuration` is removed from all tracks. */
  readonly isWithoutDurations?: boolean;
  /** `DiscardPadding` of the last block of the track in nanoseconds; this block is written as a group. */
  readonly discardNs?: number;
}

/** EBML Void (RFC 8794, 11.3.2). */
const VOID = 0xec;
/** Start of a segment of unknown size. */
const SEGMENT = Buffer.from([0x18, 0x53, 0x80, 0x67, 0x01, ...Array<number>(7).fill(0xff)]);
const FLAGS = { xiph: 0x02, fixed: 0x04, ebml: 0x06 } as const;

interface Frame {
  readonly trackNumber: number;
  readonly relativeTime: number;
  readonly isKey: boolean;
  readonly data: Buffer;
}

/** Matroska file with lacing in one track, created from a file with simple blocks of one frame. */
export function lacedMkv(file: Buffer, form: LacedForm): Buffer {
  const head: Buffer[] = [];
  const clusters: { readonly timestamp: number; readonly frames: Frame[] }[] = [];
  for (let at = 0; at < file.length;) {
    const { id, headBytes, dataBytes = 0 } = readElementStart(file, at)!;
    const end = at + headBytes + (id === ID.segment ? 0 : dataBytes);
    const data = file.subarray(at + headBytes, end);
    if (id === ID.segment) head.push(SEGMENT);
    else if (id === ID.cluster) clusters.push(clusterOf(data));
    else if (id === ID.tracks) head.push(element(ID.tracks, form.isWithoutDurations ? withoutDurations(data) : data));
    else if (id !== ID.seekHead && id !== ID.cues) head.push(file.subarray(at, end));
    at = end;
  }
  const media = clusters.map((cluster, index) =>
    clusterBytes(cluster, index === clusters.length - 1 ? form : { ...form, discardNs: 0 }),
  );
  const headBytes = Buffer.concat(head);
  const segmentAt = headBytes.indexOf(SEGMENT) + SEGMENT.length;
  const cues = (from: number): Buffer => {
    let position = from;
    const points = clusters.map(({ timestamp, frames }, index) => {
      const key = frames.find(({ trackNumber, isKey }) => trackNumber !== form.trackNumber && isKey);
      const at = position;
      position += media[index]?.length ?? 0;
      return key ? cuePoint(timestamp + key.relativeTime, key.trackNumber, at) : Buffer.alloc(0);
    });
    return element(ID.cues, Buffer.concat(points));
  };
  const before = headBytes.length - segmentAt;
  return Buffer.concat([headBytes, cues(before + cues(before).length), ...media]);
}

/** Point of `Cues` (RFC 9559, 5.1.5.1). @param clusterPosition offset from the start of the data of `Segment` */
export function cuePoint(time: number, trackNumber: number, clusterPosition: number): Buffer {
  const positions = [
    element(ID.cueTrack, Buffer.of(trackNumber)),
    element(ID.cueClusterPosition, uintBytes(clusterPosition)),
  ];
  const parts = [element(ID.cueTime, uintBytes(time)), element(ID.cueTrackPositions, Buffer.concat(positions))];
  return element(ID.cuePoint, Buffer.concat(parts));
}

function clusterOf(data: Buffer): { timestamp: number; frames: Frame[] } {
  const frames: Frame[] = [];
  let timestamp = 0;
  for (const { id, start, end } of elementsIn(data, 0, data.length)) {
    if (id === ID.timestamp) timestamp = readUint(data, start, end);
    const inner = id === ID.blockGroup ? [...elementsIn(data, start, end)] : [];
    const block = id === ID.simpleBlock ? { start, end } : inner.find((one) => one.id === ID.block);
    if (!block) continue;
    const head = readBlockHead(data, block.end - block.start, block.start)!;
    const frameAt = block.start + head.frames[0]!.offset;
    const isKey = id === ID.simpleBlock ? head.isKey : inner.every((one) => one.id !== ID.referenceBlock);
    frames.push({ ...head, isKey, data: data.subarray(frameAt, block.end) });
  }
  return { timestamp, frames };
}

function clusterBytes({ timestamp, frames }: ReturnType<typeof clusterOf>, form: LacedForm): Buffer {
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(BigInt(timestamp));
  const blocks: Buffer[] = [element(ID.timestamp, time)];
  let lace: Frame[] = [];
  const flush = (isLast = false): void => {
    if (lace.length > 0) blocks.push(laceBytes(lace, form, isLast ? form.discardNs : undefined));
    lace = [];
  };
  for (const frame of frames) {
    if (frame.trackNumber !== form.trackNumber) blocks.push(blockBytes([frame], form));
    else {
      if (form.lacing === 'fixed' && lace.some(({ data }) => data.length !== frame.data.length)) flush();
      lace.push(frame);
      if (lace.length === form.frames) flush(frame === frames.findLast((one) => one.trackNumber === form.trackNumber));
    }
  }
  flush(true);
  return element(ID.cluster, Buffer.concat(blocks));
}

function laceBytes(lace: readonly Frame[], form: LacedForm, discardNs = 0): Buffer {
  return blockBytes(lace, discardNs === 0 ? form : { ...form, group: form.group ?? {} }, discardNs);
}

function blockBytes(lace: readonly Frame[], { lacing, group, trackNumber }: LacedForm, discardNs = 0): Buffer {
  const [{ relativeTime, isKey, ...first }] = lace as [Frame];
  const isLaced = lace.length > 1;
  const head = Buffer.alloc(4);
  head[0] = 0x80 | first.trackNumber;
  head.writeInt16BE(relativeTime, 1);
  head[3] = (isLaced ? FLAGS[lacing] : 0) | (isKey && !group ? 0x80 : 0);
  const sizes = isLaced ? [lace.length - 1, ...sizesOf(lace, lacing)] : [];
  const block = Buffer.concat([head, Buffer.from(sizes), ...lace.map(({ data }) => data)]);
  if (!group) return element(ID.simpleBlock, block);
  const more = element(0xa6, Buffer.concat([element(0xee, Buffer.of(4)), element(0xa5, Buffer.from('addition'))]));
  const units = first.trackNumber === trackNumber ? group.frameUnits : undefined;
  return element(
    ID.blockGroup,
    Buffer.concat([
      // Elements of a group may be in any order.
      element(0x75a1, more),
      ...(units === undefined ? [] : [element(0x9b, uintBytes(Math.round(units * lace.length)))]),
      ...(isKey ? [] : [element(ID.referenceBlock, Buffer.of(0xff))]),
      ...(discardNs > 0 ? [element(0x75a2, uintBytes(discardNs))] : []),
      element(ID.block, block),
    ]),
  );
}

function sizesOf(lace: readonly Frame[], lacing: Lacing): number[] {
  const sizes = lace.slice(0, -1).map(({ data }) => data.length);
  if (lacing === 'fixed') return [];
  if (lacing === 'xiph')
    return sizes.flatMap((size) => [...Array<number>(Math.floor(size / 255)).fill(255), size % 255]);
  return sizes.flatMap((size, index) => {
    const before = sizes[index - 1];
    // Differences are offset by half the range of their four bytes.
    return [...sizeBytes(before === undefined ? size : size - before + 2 ** 27 - 1, 4)];
  });
}

function withoutDurations(tracks: Buffer): Buffer {
  const entries = [...elementsIn(tracks, 0, tracks.length)].map(({ id, start, end }) => {
    if (id !== ID.trackEntry) return element(id, tracks.subarray(start, end));
    const fields = [...elementsIn(tracks, start, end)].map((field) =>
      element(field.id === ID.defaultDuration ? VOID : field.id, tracks.subarray(field.start, field.end)),
    );
    return element(id, Buffer.concat(fields));
  });
  return Buffer.concat(entries);
}

/** EBML element with a size of 8 bytes. */
export function element(id: number, data: Uint8Array): Buffer {
  const idBytes = [24, 16, 8, 0].map((shift) => (id >>> shift) & 0xff);
  const from = idBytes.findIndex((byte) => byte !== 0);
  return Buffer.concat([Buffer.from(idBytes.slice(from)), sizeBytes(data.length, 8), data]);
}

/** Number in `length` bytes (RFC 8794, 4). */
function sizeBytes(value: number, length: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value) | (1n << BigInt(7 * length)));
  return bytes.subarray(8 - length);
}

/** Unsigned integer of 8 bytes. */
export function uintBytes(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}
