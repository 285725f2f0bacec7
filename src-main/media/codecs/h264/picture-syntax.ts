import { BitReader } from '../nal/bit-reader.ts';
import { removeEmulation } from '../nal/emulation.ts';
import { FirstSlice } from '../nal/first-slice.ts';
import { ParameterSetStore } from '../nal/parameter-set-store.ts';
import { SLICE_HEADER_BYTES, UnitRole, type PictureOrder, type Role, type VideoSyntax } from '../nal/picture-syntax.ts';
import { readAvcC } from '../nal/avcc.ts';
import { isCodedSlice, NalType, nalTypeOf } from './nal-type.ts';
import { MAX_PPS_BYTES, readPps, type H264Pps } from './pps.ts';
import { BASELINE, MAX_SPS_BYTES, readSps, reorderDepthOf, type H264Sps } from './sps.ts';

/** Fields of a slice header by which the slices of two pictures differ (H.264 7.4.1.2.4). */
interface SliceHeader {
  readonly firstMacroblock: number;
  readonly ppsId: number;
  readonly isReference: boolean;
  readonly isIdr: boolean;
  readonly frameNumber: number;
  readonly isField: boolean;
  readonly isBottom: boolean;
  readonly idrId: number;
  readonly orderBits: number;
  readonly order: number;
  readonly orderDelta: number;
  readonly secondOrderDelta: number;
}

/** Units 14 to 18 come before the first slice of a picture (7.4.1.2.3). */
const FIRST_HEAD = 14;
const LAST_HEAD = 18;
const EXTENDED = 88;
/** `constraint_set1_flag`: the stream follows the rules of the main profile, without arbitrary slice order. */
const CONSTRAINT_SET1 = 0x40;

/** Finds the boundaries of H.264 pictures by 7.4.1.2.3 and 7.4.1.2.4, and reads their order (8.2.1). */
export class H264PictureSyntax implements VideoSyntax {
  readonly headerBytes = 1;
  /** A frame counts as two fields. */
  readonly orderStep = 2;
  isFirstField = false;
  readonly #sps = new ParameterSetStore(readSps, { maxCount: 31, maxBytes: MAX_SPS_BYTES });
  readonly #pps = new ParameterSetStore(readPps, { maxCount: 255, maxBytes: MAX_PPS_BYTES });
  readonly #first = new FirstSlice();
  /** Whether the stream may have slices in any order, or field pictures: then headers have to be compared. */
  #mayReorder = false;
  #isInterlaced = false;

  configure(record: Uint8Array): void {
    const avcC = readAvcC(record);
    for (const unit of [...(avcC?.sps ?? []), ...(avcC?.pps ?? [])]) this.learn(unit, 0, unit.length);
  }

  get reorderDepth(): number | undefined {
    const sps = this.#sps.first()?.value;
    return sps && reorderDepthOf(sps);
  }

  roleOf(bytes: Uint8Array, start: number): Role {
    const header = bytes[start] ?? 0;
    if (header >= 0x80) return UnitRole.body;
    const type = nalTypeOf(header);
    // Partitions B and C follow their partition A.
    if (type === NalType.slice || type === NalType.idrSlice || type === NalType.sliceDataA) return UnitRole.slice;
    if (isCodedSlice(type)) return UnitRole.body;
    if (type === NalType.accessUnitDelimiter) return UnitRole.delimiter;
    if (type === NalType.endOfSequence || type === NalType.endOfStream) return UnitRole.end;
    const isHead =
      type === NalType.sei || type === NalType.sps || type === NalType.pps || (type >= FIRST_HEAD && type <= LAST_HEAD);
    return isHead ? UnitRole.head : UnitRole.body;
  }

  learn(bytes: Uint8Array, start: number, end: number): void {
    const type = nalTypeOf(bytes[start] ?? 0);
    if (type === NalType.pps) this.#pps.learn(bytes, start, end, 0);
    if (type !== NalType.sps || this.#sps.learn(bytes, start, end, 0) !== 'new') return;
    const sets = this.#sps.values();
    this.#mayReorder = sets.some(
      ({ profileIdc, constraints }) =>
        profileIdc === EXTENDED || (profileIdc === BASELINE && (constraints & CONSTRAINT_SET1) === 0),
    );
    this.#isInterlaced = sets.some(({ isInterlaced }) => isInterlaced);
  }

  mayStartPicture(bytes: Uint8Array, start: number): boolean {
    return this.#mayReorder || isAtFirstMacroblock(bytes, start);
  }

  openPicture(bytes: Uint8Array, start: number, end: number): void {
    this.#first.take(bytes, start, end);
    this.isFirstField = this.#isInterlaced && this.#read(bytes, start, end)?.isField === true;
  }

  startsPicture(bytes: Uint8Array, start: number, end: number, isDoubtful: boolean): boolean {
    const isAtFirst = isAtFirstMacroblock(bytes, start);
    if (!isAtFirst && !isDoubtful && !this.#mayReorder) return false;
    const before = this.#read(this.#first.bytes, 0, this.#first.length);
    const slice = this.#read(bytes, start, end);
    if (!before || !slice) return isAtFirst;
    if (this.isFirstField && isSecondField(before, slice)) {
      this.#first.take(bytes, start, end);
      this.isFirstField = false;
      return false;
    }
    if (areOfOnePicture(before, slice)) {
      // Some encoders do not count pictures. A slice at the first macroblock starts a new picture then, unless it may be
      // of a redundant picture or of another colour plane.
      const set = this.#pps.get(slice.ppsId)?.value;
      const isSeparate = set && this.#sps.get(set.spsId)?.value.isSeparate;
      return isAtFirst && before.firstMacroblock === 0 && !set?.hasRedundantPictures && !isSeparate;
    }
    return true;
  }

  orderOf(bytes: Uint8Array, start: number, end: number): PictureOrder | undefined {
    if (this.reorderDepth === 0) return undefined;
    const slice = this.#read(bytes, start, end);
    if (!slice || slice.orderBits === 0) return undefined;
    return { count: slice.order, modulus: 2 ** slice.orderBits, isReset: slice.isIdr };
  }

  #read(bytes: Uint8Array, start: number, end: number): SliceHeader | undefined {
    const header = bytes[start] ?? 0;
    const reader = new BitReader(removeEmulation(bytes, start + 1, Math.min(end, start + SLICE_HEADER_BYTES)));
    const firstMacroblock = reader.ue();
    reader.ue(); // slice_type
    const ppsId = reader.ue();
    const pps = this.#pps.get(ppsId)?.value;
    const sps = pps && this.#sps.get(pps.spsId)?.value;
    return sps && readAfterPpsId(reader, header, { firstMacroblock, ppsId, pps, sps });
  }
}

interface SliceSets {
  readonly firstMacroblock: number;
  readonly ppsId: number;
  readonly pps: H264Pps;
  readonly sps: H264Sps;
}

/** Reads a slice header after `pic_parameter_set_id` (7.3.3). */
function readAfterPpsId(
  reader: BitReader,
  header: number,
  { firstMacroblock, ppsId, pps, sps }: SliceSets,
): SliceHeader | undefined {
  const isIdr = nalTypeOf(header) === NalType.idrSlice;
  if (sps.isSeparate) reader.skip(2); // colour_plane_id
  const frameNumber = reader.bits(sps.frameNumberBits);
  const isField = sps.isInterlaced && reader.flag();
  const isBottom = isField && reader.flag();
  const idrId = isIdr ? reader.ue() : 0;
  const order = sps.orderType === 0 ? reader.bits(sps.orderBits) : 0;
  const hasBottom = pps.hasBottomOrder && !isField;
  const hasDelta = sps.orderType === 0 ? hasBottom : sps.orderType === 1 && !sps.hasNoOrderDelta;
  const orderDelta = hasDelta ? reader.se() : 0;
  const secondOrderDelta = hasDelta && hasBottom && sps.orderType === 1 ? reader.se() : 0;
  if (reader.isBad) return undefined;
  return {
    firstMacroblock,
    ppsId,
    isReference: (header & 0x60) !== 0,
    isIdr,
    frameNumber,
    isField,
    isBottom,
    idrId,
    orderBits: sps.orderType === 0 ? sps.orderBits : 0,
    order,
    orderDelta,
    secondOrderDelta,
  };
}

/** Whether `first_mb_in_slice` is 0: its code is one bit, which is 1. */
function isAtFirstMacroblock(bytes: Uint8Array, start: number): boolean {
  return ((bytes[start + 1] ?? 0) & 0x80) !== 0;
}

function areOfOnePicture(a: SliceHeader, b: SliceHeader): boolean {
  return (
    a.frameNumber === b.frameNumber &&
    a.ppsId === b.ppsId &&
    a.isReference === b.isReference &&
    a.isIdr === b.isIdr &&
    a.idrId === b.idrId &&
    a.isField === b.isField &&
    a.isBottom === b.isBottom &&
    a.order === b.order &&
    a.orderDelta === b.orderDelta &&
    a.secondOrderDelta === b.secondOrderDelta
  );
}

/** Whether a field completes the frame of the field before it (3.30): only the first one may be an IDR picture. */
function isSecondField(first: SliceHeader, second: SliceHeader): boolean {
  return (
    second.isField && second.isBottom !== first.isBottom && second.frameNumber === first.frameNumber && !second.isIdr
  );
}
