import type { VideoTrack } from '../../track.ts';
import type { AssemblerOptions } from '../assembler.ts';
import { NalAssembler, type RecordSets } from '../nal/nal-assembler.ts';
import { ParameterSetStore } from '../nal/parameter-set-store.ts';
import { readRecoveryCount } from '../nal/recovery-point.ts';
import { readHvcC } from '../nal/hvcc.ts';
import { belongsInSample, isIrap, isSlice, layerIdOf, NalType, nalTypeOf } from './nal-type.ts';
import { MAX_PPS_BYTES, readFirstPpsId, readPps, type H265Pps } from './pps.ts';
import { MAX_SPS_BYTES, readSps, type H265Sps } from './sps.ts';
import { h265Track, parameterSetsOf } from './track.ts';
import { MAX_VPS_BYTES, readVps } from './vps.ts';

/**
 * Converts H.265 access units to samples of the base layer, and learns the parameter sets on the way. One per elementary stream.
 * Random access points are IDR, CRA and BLA pictures, and pictures with a recovery point (D.3.8). Changed parameter sets apply
 * from the next random access point on.
 */
export class H265Assembler extends NalAssembler<H265Sps, H265Pps> {
  readonly #vps: ParameterSetStore<{ readonly id: number }>;
  readonly #sps: ParameterSetStore<H265Sps>;
  readonly #pps: ParameterSetStore<H265Pps>;

  #hasRecoveryPoint = false;

  constructor(options: AssemblerOptions) {
    const vps = new ParameterSetStore(readVps, { maxCount: 16, maxBytes: MAX_VPS_BYTES });
    const sps = new ParameterSetStore(readSps, { maxCount: 16, maxBytes: MAX_SPS_BYTES });
    const pps = new ParameterSetStore(readPps, { maxCount: 64, maxBytes: MAX_PPS_BYTES });
    super({ name: 'H.265', vps, sps, pps }, options);
    this.#vps = vps;
    this.#sps = sps;
    this.#pps = pps;
  }

  protected override startUnit(): void {
    super.startUnit();
    this.#hasRecoveryPoint = false;
  }

  protected override visit(bytes: Uint8Array, start: number, end: number): boolean {
    if (!isBaseLayer(bytes, start, end)) return false;
    const type = nalTypeOf(bytes[start] ?? 0);
    if (isSlice(type)) {
      if (!this.hasSlice) this.#visitFirstSlice(bytes, start, end, type);
    } else if (type === NalType.vps) {
      this.learn(this.#vps, bytes, start, end);
    } else if (type === NalType.sps) {
      this.learn(this.#sps, bytes, start, end);
    } else if (type === NalType.pps) {
      this.learn(this.#pps, bytes, start, end);
    } else if (type === NalType.prefixSei) {
      this.#hasRecoveryPoint ||= readRecoveryCount(bytes, start + 2, end) !== undefined;
    }
    return belongsInSample(type);
  }

  protected override belongsInSample(bytes: Uint8Array, start: number, end: number): boolean {
    return isBaseLayer(bytes, start, end) && belongsInSample(nalTypeOf(bytes[start] ?? 0));
  }

  protected override setsOf(record: Uint8Array): RecordSets | undefined {
    const hvcC = readHvcC(record);
    const sets = hvcC && parameterSetsOf(hvcC);
    if (!sets) return undefined;
    return [
      [this.#vps, sets.vps],
      [this.#sps, sets.sps],
      [this.#pps, sets.pps],
    ];
  }

  protected override makeTrack(sps: H265Sps): VideoTrack {
    const sets = { vps: this.#vps.units(), sps: this.#sps.units(), pps: this.#pps.units() };
    return h265Track(sps, sets, this.options);
  }

  #visitFirstSlice(bytes: Uint8Array, start: number, end: number, type: number): void {
    this.hasSlice = true;
    if (!isIrap(type) && !this.#hasRecoveryPoint) return;
    this.isRandomAccess = true;
    this.rebuild(readFirstPpsId(bytes, start, end, isIrap(type)) ?? 0);
  }
}

/** Whether a unit has a complete, undamaged header, and is not of an extension layer. */
function isBaseLayer(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start < 2) return false;
  const first = bytes[start] ?? 0;
  return first < 0x80 && layerIdOf(first, bytes[start + 1] ?? 0) === 0;
}
