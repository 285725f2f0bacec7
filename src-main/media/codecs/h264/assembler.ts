import type { VideoTrack } from '../../track.ts';
import type { AssemblerOptions } from '../assembler.ts';
import { NalAssembler, type RecordSets } from '../nal/nal-assembler.ts';
import { ParameterSetStore } from '../nal/parameter-set-store.ts';
import { readRecoveryCount } from '../nal/recovery-point.ts';
import { readAvcC } from '../nal/avcc.ts';
import { belongsInSample, isCodedSlice, NalType, nalTypeOf } from './nal-type.ts';
import { MAX_PPS_BYTES, readPps, type H264Pps } from './pps.ts';
import { readSliceStart } from './slice-header.ts';
import { MAX_SPS_BYTES, readSps, type H264Sps } from './sps.ts';
import { h264Track } from './track.ts';

/**
 * Converts H.264 access units to samples, and learns the parameter sets on the way. One per elementary stream. Random access
 * points are IDR pictures; intra pictures with a recovery point of 0 frames or with their own SPS, as broadcast encoders with
 * open GOPs send them; and pictures with a recovery point of more frames, where intra refresh starts (D.2.8).
 */
export class H264Assembler extends NalAssembler<H264Sps, H264Pps> {
  readonly #sps: ParameterSetStore<H264Sps>;
  readonly #pps: ParameterSetStore<H264Pps>;
  #hasSps = false;
  #recoveryCount: number | undefined;

  constructor(options: AssemblerOptions) {
    const sps = new ParameterSetStore(readSps, { maxCount: 31, maxBytes: MAX_SPS_BYTES });
    const pps = new ParameterSetStore(readPps, { maxCount: 255, maxBytes: MAX_PPS_BYTES });
    super({ name: 'H.264', sps, pps }, options);
    this.#sps = sps;
    this.#pps = pps;
  }

  protected override startUnit(): void {
    super.startUnit();
    this.#hasSps = false;
    this.#recoveryCount = undefined;
  }

  protected override visit(bytes: Uint8Array, start: number, end: number): boolean {
    const header = bytes[start] ?? 0;
    const type = nalTypeOf(header);
    if (isCodedSlice(type)) {
      if (!this.hasSlice && isSampleUnit(header)) this.#visitFirstSlice(bytes, start, end, type);
    } else if (type === NalType.sps) {
      this.#hasSps = true;
      this.learn(this.#sps, bytes, start, end);
    } else if (type === NalType.pps) {
      this.learn(this.#pps, bytes, start, end);
    } else if (type === NalType.sei) {
      this.#recoveryCount ??= readRecoveryCount(bytes, start + 1, end);
    }
    return isSampleUnit(header);
  }

  protected override belongsInSample(bytes: Uint8Array, start: number): boolean {
    return isSampleUnit(bytes[start] ?? 0);
  }

  protected override setsOf(record: Uint8Array): RecordSets | undefined {
    const avcC = readAvcC(record);
    if (!avcC) return undefined;
    return [
      [this.#sps, avcC.sps],
      [this.#pps, avcC.pps],
    ];
  }

  protected override makeTrack(sps: H264Sps): VideoTrack {
    return h264Track(sps, this.#sps.units(), this.#pps.units(), this.options);
  }

  #visitFirstSlice(bytes: Uint8Array, start: number, end: number, type: number): void {
    this.hasSlice = true;
    const isIdr = type === NalType.idrSlice;
    if (!isIdr && this.#recoveryCount === undefined && !this.#hasSps && !this.isDirty) return;
    const slice = readSliceStart(bytes, start, end);
    const isEntry = this.#recoveryCount === 0 || this.#hasSps;
    this.isRandomAccess = isIdr || (this.#recoveryCount ?? 0) > 0 || (slice !== undefined && slice.isIntra && isEntry);
    if (slice) this.rebuild(slice.ppsId);
  }
}

/** Whether a unit with this first byte belongs in the sample. A unit with `forbidden_zero_bit` set is damaged and does not. */
function isSampleUnit(header: number): boolean {
  return header < 0x80 && belongsInSample(nalTypeOf(header));
}
