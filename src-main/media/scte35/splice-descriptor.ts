import { bytesOf, FieldReader } from './field-reader.ts';
import { readSegmentation, writeSegmentation, type SegmentationDescriptor } from './segmentation-descriptor.ts';

/** Descriptor of a splice information section (SCTE 35, 10). Unsupported ones are kept as bytes. */
export type SpliceDescriptor =
  /** avail_descriptor (10.3.1). */
  | { readonly type: 'avail'; readonly providerAvailId: number }
  | SegmentationDescriptor
  /** `data` is everything after descriptor_length, with the identifier. */
  | { readonly type: 'raw'; readonly tag: number; readonly data: Uint8Array };

/** Identifier `CUEI` of the standard's descriptors. */
const CUEI = 0x43554549;
const TAG = { avail: 0x00, segmentation: 0x02 } as const;

/** Reads all descriptors; undefined if one does not fit. */
export function readSpliceDescriptors(bytes: Uint8Array): SpliceDescriptor[] | undefined {
  const descriptors: SpliceDescriptor[] = [];
  const reader = new FieldReader(bytes);
  while (reader.left > 0) {
    const tag = reader.u8();
    const data = reader.bytes(reader.u8());
    if (reader.isShort) return undefined;
    descriptors.push(readOne(tag, data));
  }
  return descriptors;
}

function readOne(tag: number, data: Uint8Array): SpliceDescriptor {
  const reader = new FieldReader(data);
  const raw = { type: 'raw', tag, data } as const;
  if (reader.u32() !== CUEI || reader.isShort) return raw;
  if (tag === TAG.avail && data.length === 8) return { type: 'avail', providerAvailId: reader.u32() };
  // An unreadable descriptor is kept as received: it may mean something to the next receiver.
  return (tag === TAG.segmentation ? readSegmentation(reader) : undefined) ?? raw;
}

/** Writes consecutive descriptors. Throws a RangeError for one of more than 255 bytes. */
export function writeSpliceDescriptors(descriptors: readonly SpliceDescriptor[]): number[] {
  return descriptors.flatMap((descriptor) => {
    const { tag, data } = writeOne(descriptor);
    if (data.length > 255) throw new RangeError('a splice descriptor has at most 255 bytes');
    return [tag, data.length, ...data];
  });
}

function writeOne(descriptor: SpliceDescriptor): { tag: number; data: readonly number[] } {
  switch (descriptor.type) {
    case 'avail':
      return { tag: TAG.avail, data: [...bytesOf(CUEI, 4), ...bytesOf(descriptor.providerAvailId, 4)] };
    case 'segmentation':
      return { tag: TAG.segmentation, data: [...bytesOf(CUEI, 4), ...writeSegmentation(descriptor)] };
    case 'raw':
      return { tag: descriptor.tag, data: [...descriptor.data] };
  }
}
