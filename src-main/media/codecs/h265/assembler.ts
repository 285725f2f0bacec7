import type { VideoTrack } from '../../track.ts';
import type { AssembledPicture, AssemblerOptions, VideoAssembler } from '../assembler.ts';
import type { LengthSize } from '../nal/length-prefixed.ts';
import { ParameterSetStore } from '../nal/parameter-set-store.ts';
import { SampleBuilder } from '../nal/sample-builder.ts';
import { readHvcC } from './hvcc.ts';
import { belongsInSample, isIrap, isSlice, layerIdOf, NalType, nalTypeOf } from './nal-type.ts';
import { MAX_PPS_BYTES, readIrapPpsId, readPps } from './pps.ts';
import { MAX_SPS_BYTES, readSps } from './sps.ts';
import { h265Track, parameterSetsOf } from './track.ts';
import { MAX_VPS_BYTES, readVps } from './vps.ts';

/**
 * Turns H.265 access units into samples of the base layer, and learns the parameter sets on the way. One for each elementary stream.
 * Random access points are IDR, CRA and BLA pictures. A change of the parameter sets counts from the next of them.
 */
export class H265Assembler implements VideoAssembler {
  readonly #options: AssemblerOptions;
  readonly #vps = new ParameterSetStore(readVps, { maxCount: 16, maxBytes: MAX_VPS_BYTES });
  readonly #sps = new ParameterSetStore(readSps, { maxCount: 16, maxBytes: MAX_SPS_BYTES });
  readonly #pps = new ParameterSetStore(readPps, { maxCount: 64, maxBytes: MAX_PPS_BYTES });
  readonly #builder = new SampleBuilder({
    visit: (bytes, start, end) => this.#visit(bytes, start, end),
    belongsInSample: isKept,
  });
  readonly #picture: { data: Uint8Array; isRandomAccess: boolean } = { data: new Uint8Array(0), isRandomAccess: false };
  #track: VideoTrack | undefined;
  #activeSps: Uint8Array | undefined;
  #isDirty = false;
  #hasReportedBadSet = false;

  // What the current access unit has shown so far.
  #unitNumber = 0;
  #hasNewSps = false;
  #hasSlice = false;
  #isRandomAccess = false;

  constructor(options: AssemblerOptions) {
    this.#options = options;
  }

  get track(): VideoTrack | undefined {
    return this.#track;
  }

  /** Takes the parameter sets of an HEVC decoder configuration record, in place of all others. False when the record is damaged. */
  configure(record: Uint8Array): boolean {
    const hvcC = readHvcC(record);
    const sets = hvcC && parameterSetsOf(hvcC);
    if (!sets || sets.sps.length === 0 || sets.pps.length === 0) return false;
    this.#begin();
    for (const store of [this.#vps, this.#sps, this.#pps]) store.clear();
    for (const unit of sets.vps) this.#learn(this.#vps, unit, 0, unit.length);
    for (const unit of sets.sps) this.#learn(this.#sps, unit, 0, unit.length);
    for (const unit of sets.pps) this.#learn(this.#pps, unit, 0, unit.length);
    this.#isDirty = true;
    this.#rebuild(this.#pps.first()?.value.id ?? 0);
    return !this.#isDirty;
  }

  assemble(annexB: Uint8Array): AssembledPicture | undefined {
    this.#begin();
    return this.#finish(this.#builder.fromAnnexB(annexB));
  }

  /**
   * As `assemble`, for a sample that has lengths before its NAL units already (RTMP, MP4). A sample that needs no change is handed
   * on without a copy.
   */
  assembleSample(sample: Uint8Array, lengthSize: LengthSize = 4): AssembledPicture | undefined {
    this.#begin();
    const data = this.#builder.fromPrefixed(sample, lengthSize);
    if (this.#builder.isBad)
      this.#options.problem({ code: 'codec_bad_frame', detail: 'H.265: a NAL unit is longer than its sample' });
    return this.#finish(data);
  }

  #begin(): void {
    this.#unitNumber++;
    this.#hasNewSps = false;
    this.#hasSlice = false;
    this.#isRandomAccess = false;
  }

  #visit(bytes: Uint8Array, start: number, end: number): boolean {
    if (!isBaseLayer(bytes, start, end)) return false;
    const type = nalTypeOf(bytes[start] ?? 0);
    if (isSlice(type)) {
      if (!this.#hasSlice) this.#visitFirstSlice(bytes, start, end, type);
    } else if (type === NalType.vps) {
      this.#learn(this.#vps, bytes, start, end);
    } else if (type === NalType.sps) {
      if (this.#learn(this.#sps, bytes, start, end)) this.#hasNewSps = true;
    } else if (type === NalType.pps) {
      this.#learn(this.#pps, bytes, start, end);
    }
    return belongsInSample(type);
  }

  #visitFirstSlice(bytes: Uint8Array, start: number, end: number, type: number): void {
    this.#hasSlice = true;
    if (!isIrap(type)) return;
    this.#isRandomAccess = true;
    this.#rebuild(readIrapPpsId(bytes, start, end) ?? 0);
  }

  /** Whether the unit brought something new. */
  #learn(store: ParameterSetStore<{ readonly id: number }>, bytes: Uint8Array, start: number, end: number): boolean {
    const outcome = store.learn(bytes, start, end, this.#unitNumber);
    if (outcome === 'new') this.#isDirty = true;
    if (outcome === 'bad' && !this.#hasReportedBadSet) {
      this.#hasReportedBadSet = true;
      this.#options.problem({ code: 'codec_bad_config', detail: 'H.265: a parameter set is damaged' });
    }
    return outcome === 'new';
  }

  /** Makes the track value anew when the parameter sets, or the one that the picture uses, have changed. */
  #rebuild(ppsId: number): void {
    // An encoder that starts anew brings all its sets: those of the one before must not stay beside them.
    if (this.#hasNewSps && this.#pps.wasSeenIn(this.#unitNumber)) {
      if (this.#vps.wasSeenIn(this.#unitNumber)) this.#vps.keepOnly(this.#unitNumber);
      this.#sps.keepOnly(this.#unitNumber);
      this.#pps.keepOnly(this.#unitNumber);
    }
    const pps = this.#pps.get(ppsId);
    const sps = (pps && this.#sps.get(pps.value.spsId)) ?? this.#sps.first();
    if (!sps || this.#pps.size === 0) return;
    if (!this.#isDirty && sps.unit === this.#activeSps) return;
    this.#isDirty = false;
    this.#activeSps = sps.unit;
    this.#hasReportedBadSet = false;
    const sets = { vps: this.#vps.units(), sps: this.#sps.units(), pps: this.#pps.units() };
    this.#track = h265Track(sps.value, sets, this.#options);
  }

  #finish(data: Uint8Array): AssembledPicture | undefined {
    if (!this.#hasSlice || !this.#track) return undefined;
    this.#picture.data = data;
    this.#picture.isRandomAccess = this.#isRandomAccess;
    return this.#picture;
  }
}

/** Whether a unit is whole enough to have a header, undamaged in it, and not of an extension layer. */
function isBaseLayer(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start < 2) return false;
  const first = bytes[start] ?? 0;
  return first < 0x80 && layerIdOf(first, bytes[start + 1] ?? 0) === 0;
}

function isKept(bytes: Uint8Array, start: number, end: number): boolean {
  return isBaseLayer(bytes, start, end) && belongsInSample(nalTypeOf(bytes[start] ?? 0));
}
