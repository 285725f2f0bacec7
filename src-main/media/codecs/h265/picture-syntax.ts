import { BitReader } from '../nal/bit-reader.ts';
import { removeEmulation } from '../nal/emulation.ts';
import { FirstSlice } from '../nal/first-slice.ts';
import { ParameterSetStore } from '../nal/parameter-set-store.ts';
import { SLICE_HEADER_BYTES, UnitRole, type PictureOrder, type Role, type VideoSyntax } from '../nal/picture-syntax.ts';
import { readHvcC } from '../nal/hvcc.ts';
import { isIrap, isSlice, layerIdOf, NalType, nalTypeOf } from './nal-type.ts';
import { MAX_PPS_BYTES, readPps } from './pps.ts';
import { MAX_SPS_BYTES, readSps } from './sps.ts';

/** Reserved and unspecified unit types that come before the first slice of a picture (H.265 7.4.2.4.4). */
const RESERVED_HEADS = [41, 44] as const;
const UNSPECIFIED_HEADS = [48, 55] as const;

/** Finds the boundaries of H.265 pictures by 7.4.2.4.4 and 7.4.2.4.5, and reads their order (8.3.1). */
export class H265PictureSyntax implements VideoSyntax {
  readonly headerBytes = 2;
  readonly orderStep = 1;
  /** Each field is a picture of its own. */
  readonly isFirstField = false;
  readonly #sps = new ParameterSetStore(readSps, { maxCount: 16, maxBytes: MAX_SPS_BYTES });
  readonly #pps = new ParameterSetStore(readPps, { maxCount: 64, maxBytes: MAX_PPS_BYTES });
  readonly #first = new FirstSlice();

  configure(record: Uint8Array): void {
    for (const { units } of readHvcC(record)?.arrays ?? []) for (const unit of units) this.learn(unit, 0, unit.length);
  }

  get reorderDepth(): number | undefined {
    return this.#sps.first()?.value.maxReorderPictures;
  }

  roleOf(bytes: Uint8Array, start: number): Role {
    const first = bytes[start] ?? 0;
    // Units of extension layers follow the picture of the base layer.
    if (first >= 0x80 || layerIdOf(first, bytes[start + 1] ?? 0) !== 0) return UnitRole.body;
    const type = nalTypeOf(first);
    if (isSlice(type)) return UnitRole.slice;
    if (type === NalType.accessUnitDelimiter) return UnitRole.delimiter;
    if (type === NalType.endOfSequence || type === NalType.endOfBitstream) return UnitRole.end;
    const isHead =
      (type >= NalType.vps && type <= NalType.pps) ||
      type === NalType.prefixSei ||
      (type >= RESERVED_HEADS[0] && type <= RESERVED_HEADS[1]) ||
      (type >= UNSPECIFIED_HEADS[0] && type <= UNSPECIFIED_HEADS[1]);
    return isHead ? UnitRole.head : UnitRole.body;
  }

  learn(bytes: Uint8Array, start: number, end: number): void {
    const type = nalTypeOf(bytes[start] ?? 0);
    if (type === NalType.sps) this.#sps.learn(bytes, start, end, 0);
    else if (type === NalType.pps) this.#pps.learn(bytes, start, end, 0);
  }

  mayStartPicture(bytes: Uint8Array, start: number): boolean {
    return isFirstSegment(bytes, start);
  }

  openPicture(bytes: Uint8Array, start: number, end: number): void {
    this.#first.take(bytes, start, end);
  }

  startsPicture(bytes: Uint8Array, start: number, end: number, isDoubtful: boolean): boolean {
    if (isFirstSegment(bytes, start)) return true;
    if (!isDoubtful) return false;
    // The first segment of a picture may be lost: consecutive pictures differ in type or order.
    const before = this.#read(this.#first.bytes, 0, this.#first.length);
    const slice = this.#read(bytes, start, end);
    return before !== undefined && slice !== undefined && (slice.type !== before.type || slice.count !== before.count);
  }

  orderOf(bytes: Uint8Array, start: number, end: number): PictureOrder | undefined {
    if (this.reorderDepth === 0) return undefined;
    const slice = this.#read(bytes, start, end);
    return slice && { count: slice.count, modulus: 2 ** slice.orderBits, isReset: slice.isIdr };
  }

  /** Reads the header of an independent slice segment up to `slice_pic_order_cnt_lsb` (7.3.6.1). */
  #read(
    bytes: Uint8Array,
    start: number,
    end: number,
  ):
    { readonly type: number; readonly isIdr: boolean; readonly count: number; readonly orderBits: number } | undefined {
    const type = nalTypeOf(bytes[start] ?? 0);
    const reader = new BitReader(removeEmulation(bytes, start + 2, Math.min(end, start + SLICE_HEADER_BYTES)));
    const isFirst = reader.flag();
    if (isIrap(type)) reader.skip(1); // no_output_of_prior_pics_flag
    const pps = this.#pps.get(reader.ue())?.value;
    const sps = pps && this.#sps.get(pps.spsId)?.value;
    if (!sps || sps.orderBits === 0) return undefined;
    if (!isFirst) {
      if (pps.hasDependentSlices && reader.flag()) return undefined;
      reader.skip(sps.addressBits);
    }
    reader.skip(pps.extraBits);
    reader.ue(); // slice_type
    if (pps.hasOutputFlag) reader.skip(1);
    if (sps.isSeparate) reader.skip(2);
    const isIdr = type === NalType.idrWithRadl || type === NalType.idrNoLeading;
    const count = isIdr ? 0 : reader.bits(sps.orderBits);
    return reader.isBad ? undefined : { type, isIdr, count, orderBits: sps.orderBits };
  }
}

function isFirstSegment(bytes: Uint8Array, start: number): boolean {
  return ((bytes[start + 2] ?? 0) & 0x80) !== 0;
}
