import type { VideoTrack } from '../../track.ts';
import type { AssembledPicture, AssemblerOptions, VideoAssembler } from '../assembler.ts';
import type { LengthSize } from '../nal/length-prefixed.ts';
import { ParameterSetStore } from '../nal/parameter-set-store.ts';
import { SampleBuilder } from '../nal/sample-builder.ts';
import { readAvcC } from './avcc.ts';
import { belongsInSample, isCodedSlice, NalType, nalTypeOf } from './nal-type.ts';
import { MAX_PPS_BYTES, readPps } from './pps.ts';
import { readRecoveryFrameCount } from './recovery-point.ts';
import { readSliceStart } from './slice-header.ts';
import { MAX_SPS_BYTES, readSps } from './sps.ts';
import { h264Track } from './track.ts';

/**
 * Turns H.264 access units into samples, and learns the parameter sets on the way. One for each elementary stream.
 *
 * Random access points are IDR pictures; and intra pictures that come with a recovery point of 0 frames or with their own SPS, as
 * broadcast encoders with open GOPs send them.
 */
export class H264Assembler implements VideoAssembler {
  readonly #options: AssemblerOptions;
  readonly #sps = new ParameterSetStore(readSps, { maxCount: 31, maxBytes: MAX_SPS_BYTES });
  readonly #pps = new ParameterSetStore(readPps, { maxCount: 255, maxBytes: MAX_PPS_BYTES });
  readonly #builder = new SampleBuilder({
    visit: (bytes, start, end) => this.#visit(bytes, start, end),
    belongsInSample: (bytes, start) => isKept(bytes[start] ?? 0),
  });
  readonly #picture: { data: Uint8Array; isRandomAccess: boolean } = { data: new Uint8Array(0), isRandomAccess: false };
  #track: VideoTrack | undefined;
  #activeSps: Uint8Array | undefined;
  #isDirty = false;
  #hasReportedBadSet = false;

  // What the current access unit has shown so far.
  #unitNumber = 0;
  #hasNewSps = false;
  #hasSps = false;
  #hasRecoveryPoint = false;
  #hasSlice = false;
  #isRandomAccess = false;

  constructor(options: AssemblerOptions) {
    this.#options = options;
  }

  get track(): VideoTrack | undefined {
    return this.#track;
  }

  /** Takes the parameter sets of an AVC decoder configuration record, in place of all others. False when the record is damaged. */
  configure(record: Uint8Array): boolean {
    const avcC = readAvcC(record);
    if (!avcC || avcC.sps.length === 0 || avcC.pps.length === 0) return false;
    this.#begin();
    this.#sps.clear();
    this.#pps.clear();
    for (const unit of avcC.sps) this.#learn(this.#sps, unit, 0, unit.length);
    for (const unit of avcC.pps) this.#learn(this.#pps, unit, 0, unit.length);
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
      this.#options.problem({ code: 'codec_bad_frame', detail: 'H.264: a NAL unit is longer than its sample' });
    return this.#finish(data);
  }

  #begin(): void {
    this.#unitNumber++;
    this.#hasNewSps = false;
    this.#hasSps = false;
    this.#hasRecoveryPoint = false;
    this.#hasSlice = false;
    this.#isRandomAccess = false;
  }

  #visit(bytes: Uint8Array, start: number, end: number): boolean {
    const header = bytes[start] ?? 0;
    const type = nalTypeOf(header);
    if (isCodedSlice(type)) {
      if (!this.#hasSlice && isKept(header)) this.#visitFirstSlice(bytes, start, end, type);
    } else if (type === NalType.sps) {
      this.#hasSps = true;
      if (this.#learn(this.#sps, bytes, start, end)) this.#hasNewSps = true;
    } else if (type === NalType.pps) {
      this.#learn(this.#pps, bytes, start, end);
    } else if (type === NalType.sei) {
      this.#hasRecoveryPoint ||= readRecoveryFrameCount(bytes, start, end) === 0;
    }
    return isKept(header);
  }

  #visitFirstSlice(bytes: Uint8Array, start: number, end: number, type: number): void {
    this.#hasSlice = true;
    const isIdr = type === NalType.idrSlice;
    if (!isIdr && !this.#hasRecoveryPoint && !this.#hasSps && !this.#isDirty) return;
    const slice = readSliceStart(bytes, start, end);
    this.#isRandomAccess = isIdr || (slice !== undefined && slice.isIntra && (this.#hasRecoveryPoint || this.#hasSps));
    if (slice) this.#rebuild(slice.ppsId);
  }

  /** Whether the unit brought something new. */
  #learn(store: ParameterSetStore<{ readonly id: number }>, bytes: Uint8Array, start: number, end: number): boolean {
    const outcome = store.learn(bytes, start, end, this.#unitNumber);
    if (outcome === 'new') this.#isDirty = true;
    if (outcome === 'bad' && !this.#hasReportedBadSet) {
      this.#hasReportedBadSet = true;
      this.#options.problem({ code: 'codec_bad_config', detail: 'H.264: a parameter set is damaged' });
    }
    return outcome === 'new';
  }

  /** Makes the track value anew when the parameter sets, or the one that the picture uses, have changed. */
  #rebuild(ppsId: number): void {
    // An encoder that starts anew brings all its sets: those of the one before must not stay beside them.
    if (this.#hasNewSps && this.#pps.wasSeenIn(this.#unitNumber)) {
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
    this.#track = h264Track(sps.value, this.#sps.units(), this.#pps.units(), this.#options);
  }

  #finish(data: Uint8Array): AssembledPicture | undefined {
    if (!this.#hasSlice || !this.#track) return undefined;
    this.#picture.data = data;
    this.#picture.isRandomAccess = this.#isRandomAccess;
    return this.#picture;
  }
}

/** Whether a unit with this first byte goes into the sample; one with `forbidden_zero_bit` set is damaged and does not. */
function isKept(header: number): boolean {
  return header < 0x80 && belongsInSample(nalTypeOf(header));
}
