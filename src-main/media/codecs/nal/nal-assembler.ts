import { because } from '../../../../src-preload/contract/explanations/explanations.ts';
import type { VideoTrack } from '../../track.ts';
import { startsWithStartCode } from './annexb.ts';
import { isSameDecoder } from './same-decoder.ts';
import type { AssembledPicture, AssemblerOptions, VideoAssembler } from '../assembler.ts';
import type { LengthSize } from './length-prefixed.ts';
import type { ParameterSetStore } from './parameter-set-store.ts';
import { SampleBuilder } from './sample-builder.ts';

interface Identified {
  readonly id: number;
}

/** Parameter sets of a decoder configuration record, by kind, with the store for each kind. */
export type RecordSets = readonly (readonly [store: ParameterSetStore<Identified>, units: readonly Uint8Array[]])[];

/** Codec-specific part of an assembler. */
export interface NalCodec<Sps extends Identified, Pps extends Identified> {
  /** Name for messages to the operator. */
  readonly name: string;
  readonly sps: ParameterSetStore<Sps>;
  readonly pps: ParameterSetStore<Pps>;
  /** Video parameter sets, to which an SPS refers; absent for H.264, which has none. */
  readonly vps?: ParameterSetStore<Identified>;
}

/** Result object that all assemblers share, so that it stays in the processor's cache. */
const picture: { data: Uint8Array; isRandomAccess: boolean } = { data: new Uint8Array(0), isRandomAccess: false };

/**
 * Converts access units of a codec with NAL units to samples, and learns the parameter sets on the way; the codec defines the
 * meaning of each NAL unit. One per elementary stream.
 */
export abstract class NalAssembler<
  Sps extends Identified,
  Pps extends Identified & { readonly spsId: number },
> implements VideoAssembler {
  protected readonly options: AssemblerOptions;
  readonly #codec: NalCodec<Sps, Pps>;
  readonly #builder = new SampleBuilder({
    visit: (bytes, start, end) => this.visit(bytes, start, end),
    belongsInSample: (bytes, start, end) => this.belongsInSample(bytes, start, end),
  });
  #track: VideoTrack | undefined;
  #activeSps: Uint8Array | undefined;
  /** Whether parameter sets changed while the format stayed: then samples contain them (ISO/IEC 14496-15 5.3.3, 8.3.3). */
  #isVaried = false;
  /** Whether the next sample must carry sets that are not in its access unit. */
  #hasPendingSets = false;
  #hasReportedBadSet = false;
  #unitNumber = 0;
  #hasNewSps = false;
  #hasNewSet = false;
  /** Whether a parameter set changed since the track was created. */
  protected isDirty = false;

  // Properties of the current access unit, found so far.
  protected hasSlice = false;
  protected isRandomAccess = false;

  constructor(codec: NalCodec<Sps, Pps>, options: AssemblerOptions) {
    this.#codec = codec;
    this.options = options;
  }

  /** Learns from a NAL unit; returns whether it belongs in the sample. */
  protected abstract visit(bytes: Uint8Array, start: number, end: number): boolean;
  /** Whether a NAL unit belongs in the sample. */
  protected abstract belongsInSample(bytes: Uint8Array, start: number, end: number): boolean;
  /** Parameter sets of a decoder configuration record; undefined if it is damaged. */
  protected abstract setsOf(record: Uint8Array): RecordSets | undefined;
  protected abstract makeTrack(sps: Sps): VideoTrack;

  get track(): VideoTrack | undefined {
    return this.#track;
  }

  /**
   * Replaces all parameter sets by those of a decoder configuration record, unless it has none. Sets that are missing in the
   * record are in the samples (`avc3`, `hev1`; ISO/IEC 14496-15, 5.3.3.1 and 8.3.3.1). Some muxers write the sets as a byte
   * stream. Returns false if the record is damaged.
   */
  configure(record: Uint8Array): boolean {
    if (startsWithStartCode(record)) {
      this.assemble(record);
      return true;
    }
    const sets = this.setsOf(record);
    if (!sets) return false;
    if (sets.every(([, units]) => units.length === 0)) return true;
    this.startUnit();
    for (const [store] of sets) store.clear();
    for (const [store, units] of sets) for (const unit of units) this.learn(store, unit, 0, unit.length);
    this.isDirty = true;
    this.rebuild(this.#codec.pps.first()?.value.id ?? 0);
    this.#hasPendingSets = this.#isVaried;
    const isIncomplete = sets.some(([store, units]) => units.length === 0 && store !== this.#codec.vps);
    return !this.isDirty || isIncomplete;
  }

  assemble(annexB: Uint8Array): AssembledPicture | undefined {
    this.startUnit();
    return this.#finish(this.#builder.fromAnnexB(annexB));
  }

  assembleUnits(bytes: Uint8Array, bounds: readonly number[], from: number, to: number): AssembledPicture | undefined {
    this.startUnit();
    return this.#finish(this.#builder.fromUnits(bytes, bounds, from, to));
  }

  /**
   * Does the same as `assemble`, for a sample that already has lengths before its NAL units (RTMP, MP4). A sample that needs no
   * change is passed on without a copy.
   */
  assembleSample(sample: Uint8Array, lengthSize: LengthSize = 4): AssembledPicture | undefined {
    this.startUnit();
    const data = this.#builder.fromPrefixed(sample, lengthSize);
    if (this.#builder.isBad)
      this.options.problem({
        code: 'codec_bad_frame',
        ...because('nal_unit_too_long', { codec: this.#codec.name }),
      });
    return this.#finish(data);
  }

  /** Starts an access unit. */
  protected startUnit(): void {
    this.#unitNumber++;
    this.#hasNewSps = false;
    this.#hasNewSet = false;
    this.hasSlice = false;
    this.isRandomAccess = false;
  }

  /** Adds a parameter set. */
  protected learn(store: ParameterSetStore<Identified>, bytes: Uint8Array, start: number, end: number): void {
    const outcome = store.learn(bytes, start, end, this.#unitNumber);
    if (outcome === 'new') {
      this.isDirty = true;
      this.#hasNewSet = true;
      this.#hasNewSps ||= store === this.#codec.sps;
    } else if (outcome === 'bad' && !this.#hasReportedBadSet) {
      this.#hasReportedBadSet = true;
      this.options.problem({
        code: 'codec_bad_config',
        ...because('parameter_set_damaged', { codec: this.#codec.name }),
      });
    }
  }

  /**
   * Applies changed parameter sets, or a change of the set that the picture uses. A change of format gives another track
   * object; sets that do not change the format are added to the samples.
   */
  protected rebuild(ppsId: number): void {
    const { sps: spsStore, pps: ppsStore, vps } = this.#codec;
    // A restarted encoder sends all its sets, so the sets of the previous encoder are dropped.
    if (this.#hasNewSps && ppsStore.wasSeenIn(this.#unitNumber)) {
      if (vps?.wasSeenIn(this.#unitNumber)) vps.retainSeenIn(this.#unitNumber);
      spsStore.retainSeenIn(this.#unitNumber);
      ppsStore.retainSeenIn(this.#unitNumber);
    }
    const pps = ppsStore.get(ppsId);
    const sps = (pps && spsStore.get(pps.value.spsId)) ?? spsStore.first();
    if (!sps || ppsStore.size === 0) return;
    if (!this.isDirty && sps.unit === this.#activeSps) return;
    this.isDirty = false;
    this.#activeSps = sps.unit;
    this.#hasReportedBadSet = false;
    const track = this.makeTrack(sps.value);
    if (this.#track && isSameDecoder(this.#track, track)) {
      this.#isVaried ||= Buffer.compare(this.#track.decoderConfig, track.decoderConfig) !== 0;
      return;
    }
    this.#track = track;
    this.#isVaried = false;
  }

  #finish(data: Uint8Array): AssembledPicture | undefined {
    if (!this.hasSlice || !this.#track) return undefined;
    picture.data = this.#withSets(data);
    picture.isRandomAccess = this.isRandomAccess;
    return picture;
  }

  /** Sample with the parameter sets that its decoder may lack: all of them at a random access point, otherwise the new ones. */
  #withSets(data: Uint8Array): Uint8Array {
    // New sets that this picture does not use belong to a later picture.
    this.#isVaried ||= this.#hasNewSet && this.isDirty;
    if (!this.#isVaried) return data;
    const hasAllSets = this.isRandomAccess || this.#hasPendingSets;
    if (!hasAllSets && !this.#hasNewSet) return data;
    this.#hasPendingSets = false;
    const { vps, sps, pps } = this.#codec;
    const seenIn = hasAllSets ? undefined : this.#unitNumber;
    const sets = [...(vps?.units(seenIn) ?? []), ...sps.units(seenIn), ...pps.units(seenIn)];
    return Buffer.concat([...sets.flatMap((unit) => [lengthOf(unit), unit]), data]);
  }
}

/** Length field of a NAL unit in a sample. */
function lengthOf({ length }: Uint8Array): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  return bytes;
}
