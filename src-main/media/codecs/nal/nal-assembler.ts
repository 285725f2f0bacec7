import type { VideoTrack } from '../../track.ts';
import type { AssembledPicture, AssemblerOptions, VideoAssembler } from '../assembler.ts';
import type { LengthSize } from './length-prefixed.ts';
import type { ParameterSetStore } from './parameter-set-store.ts';
import { SampleBuilder } from './sample-builder.ts';

interface Identified {
  readonly id: number;
}

/** The parameter sets of a decoder configuration record, each kind with the store that it belongs in. */
export type RecordSets = readonly (readonly [store: ParameterSetStore<Identified>, units: readonly Uint8Array[]])[];

/** What a codec brings to its assembler. */
export interface NalCodec<Sps extends Identified, Pps extends Identified> {
  /** Name for messages to the operator. */
  readonly name: string;
  readonly sps: ParameterSetStore<Sps>;
  readonly pps: ParameterSetStore<Pps>;
  /** What an SPS may point to. */
  readonly vps?: ParameterSetStore<Identified>;
}

/**
 * Turns access units of a video codec that consists of NAL units into samples, and learns the parameter sets on the way; what each NAL
 * unit means is said by the codec. One for each elementary stream.
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
  readonly #picture: { data: Uint8Array; isRandomAccess: boolean } = { data: new Uint8Array(0), isRandomAccess: false };
  #track: VideoTrack | undefined;
  #activeSps: Uint8Array | undefined;
  #hasReportedBadSet = false;
  #unitNumber = 0;
  #hasNewSps = false;
  /** Whether a parameter set has changed since the track was made. */
  protected isDirty = false;

  // What the current access unit has shown so far.
  protected hasSlice = false;
  protected isRandomAccess = false;

  constructor(codec: NalCodec<Sps, Pps>, options: AssemblerOptions) {
    this.#codec = codec;
    this.options = options;
  }

  /** Takes note of a NAL unit; returns whether it belongs in the sample. */
  protected abstract visit(bytes: Uint8Array, start: number, end: number): boolean;
  /** Whether a NAL unit belongs in the sample. */
  protected abstract belongsInSample(bytes: Uint8Array, start: number, end: number): boolean;
  /** The parameter sets of a decoder configuration record; undefined for a damaged one. */
  protected abstract setsOf(record: Uint8Array): RecordSets | undefined;
  protected abstract makeTrack(sps: Sps): VideoTrack;

  get track(): VideoTrack | undefined {
    return this.#track;
  }

  /**
   * Takes the parameter sets of a decoder configuration record, in place of all others. Sets that it lacks come in the samples
   * (`avc3`, `hev1`; ISO/IEC 14496-15, 5.3.3.1 and 8.3.3.1). False when the record is damaged.
   */
  configure(record: Uint8Array): boolean {
    const sets = this.setsOf(record);
    if (!sets) return false;
    if (sets.every(([, units]) => units.length === 0)) return true;
    this.begin();
    for (const [store] of sets) store.clear();
    for (const [store, units] of sets) for (const unit of units) this.learn(store, unit, 0, unit.length);
    this.isDirty = true;
    this.rebuild(this.#codec.pps.first()?.value.id ?? 0);
    const isIncomplete = sets.some(([store, units]) => units.length === 0 && store !== this.#codec.vps);
    return !this.isDirty || isIncomplete;
  }

  assemble(annexB: Uint8Array): AssembledPicture | undefined {
    this.begin();
    return this.#finish(this.#builder.fromAnnexB(annexB));
  }

  assembleUnits(bytes: Uint8Array, bounds: readonly number[], from: number, to: number): AssembledPicture | undefined {
    this.begin();
    return this.#finish(this.#builder.fromUnits(bytes, bounds, from, to));
  }

  /**
   * As `assemble`, for a sample that has lengths before its NAL units already (RTMP, MP4). A sample that needs no change is handed
   * on without a copy.
   */
  assembleSample(sample: Uint8Array, lengthSize: LengthSize = 4): AssembledPicture | undefined {
    this.begin();
    const data = this.#builder.fromPrefixed(sample, lengthSize);
    if (this.#builder.isBad)
      this.options.problem({
        code: 'codec_bad_frame',
        detail: `${this.#codec.name}: a NAL unit is longer than its sample`,
      });
    return this.#finish(data);
  }

  /** An access unit begins. */
  protected begin(): void {
    this.#unitNumber++;
    this.#hasNewSps = false;
    this.hasSlice = false;
    this.isRandomAccess = false;
  }

  /** Takes a parameter set. */
  protected learn(store: ParameterSetStore<Identified>, bytes: Uint8Array, start: number, end: number): void {
    const outcome = store.learn(bytes, start, end, this.#unitNumber);
    if (outcome === 'new') {
      this.isDirty = true;
      this.#hasNewSps ||= store === this.#codec.sps;
    } else if (outcome === 'bad' && !this.#hasReportedBadSet) {
      this.#hasReportedBadSet = true;
      this.options.problem({ code: 'codec_bad_config', detail: `${this.#codec.name}: a parameter set is damaged` });
    }
  }

  /** Makes the track value anew when the parameter sets, or the one that the picture uses, have changed. */
  protected rebuild(ppsId: number): void {
    const { sps: spsStore, pps: ppsStore, vps } = this.#codec;
    // An encoder that starts anew brings all its sets: those of the one before must not stay beside them.
    if (this.#hasNewSps && ppsStore.wasSeenIn(this.#unitNumber)) {
      if (vps?.wasSeenIn(this.#unitNumber)) vps.keepOnly(this.#unitNumber);
      spsStore.keepOnly(this.#unitNumber);
      ppsStore.keepOnly(this.#unitNumber);
    }
    const pps = ppsStore.get(ppsId);
    const sps = (pps && spsStore.get(pps.value.spsId)) ?? spsStore.first();
    if (!sps || ppsStore.size === 0) return;
    if (!this.isDirty && sps.unit === this.#activeSps) return;
    this.isDirty = false;
    this.#activeSps = sps.unit;
    this.#hasReportedBadSet = false;
    this.#track = this.makeTrack(sps.value);
  }

  #finish(data: Uint8Array): AssembledPicture | undefined {
    if (!this.hasSlice || !this.#track) return undefined;
    this.#picture.data = data;
    this.#picture.isRandomAccess = this.isRandomAccess;
    return this.#picture;
  }
}
