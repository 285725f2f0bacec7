import { captionErasure } from '../../media/codecs/nal/closed-captions.ts';
import { inBandSets } from '../../media/codecs/nal/in-band-sets.ts';
import type {
  Init,
  Part,
  Segment,
  SegmentWindow,
  TimeRange,
  WindowSegment,
  WindowTrack,
} from '../../segment/segment-window.ts';
import { WrappedWindow } from '../../segment/wrapped-window.ts';
import { firstAudioTrack, hasAudioFor } from './clip-fit.ts';
import { prefixedPart } from './clip-parts.ts';
import type { Clip } from './clip.ts';
import { SegmentView } from './segment-view.ts';

const variantsByClip = new WeakMap<Clip, Map<string, Clip>>();

/**
 * Clip adapted to a stream. Its first audio track also serves each audio track that the clip lacks, and its first
 * picture clears the captions of the stream. Returns the clip itself if it needs no change. Shared by all viewers.
 */
export function inStream(clip: Clip, stream: Pick<SegmentWindow, 'tracks'>): Clip {
  const missing = stream.tracks.filter(
    ({ track }) => !clip.window.tracks.some((other) => other.track.id === track.id) && hasAudioFor(clip.window, track),
  );
  const captioned = stream.tracks.filter(({ hasCaptions }) => hasCaptions);
  if (missing.length + captioned.length === 0) return clip;
  const [sounds, pictures] = [missing, captioned].map((tracks) => tracks.map(({ track }) => track.id)) as [
    string[],
    string[],
  ];
  const variants = variantsByClip.get(clip) ?? new Map<string, Clip>();
  variantsByClip.set(clip, variants);
  const name = `${sounds.join(' ')}/${pictures.join(' ')}`;
  const same = variants.get(name);
  if (same) return same;
  const dubbed = sounds.length > 0 ? new DubbedWindow(clip.window, sounds) : clip.window;
  const window = pictures.length > 0 ? new UncaptionedWindow(dubbed, pictures) : dubbed;
  const shown = { ...clip, window };
  variants.set(name, shown);
  return shown;
}

/** Window of a file in which one track also serves other track ids. */
class DubbedWindow extends WrappedWindow {
  readonly #source: string | undefined;
  readonly #ids: ReadonlySet<string>;
  readonly #tracks: readonly WindowTrack[];

  constructor(file: SegmentWindow, ids: readonly string[]) {
    super(file);
    this.#ids = new Set(ids);
    const sound = file.tracks.find(({ track }) => track.id === firstAudioTrack(file)?.id);
    this.#source = sound?.track.id;
    const others = sound ? ids.map((id) => ({ ...sound, rate: sound.rate, track: { ...sound.track, id } })) : [];
    this.#tracks = [...file.tracks, ...others];
  }

  override get tracks(): readonly WindowTrack[] {
    return this.#tracks;
  }

  override segments(trackId: string, range?: TimeRange): readonly WindowSegment[] {
    return super.segments(this.#sourceId(trackId), range);
  }

  override lastSegment(trackId: string): WindowSegment | undefined {
    return super.lastSegment(this.#sourceId(trackId));
  }

  override segmentByAddress(trackId: string, address: string): WindowSegment | undefined {
    return super.segmentByAddress(this.#sourceId(trackId), address);
  }

  override segmentByMsn(trackId: string, msn: number): WindowSegment | undefined {
    return super.segmentByMsn(this.#sourceId(trackId), msn);
  }

  override init(trackId: string, initId: number, addressPrefix?: string): Init | undefined {
    const init = super.init(this.#sourceId(trackId), initId, addressPrefix);
    return init && this.#ids.has(trackId) ? { ...init, track: { ...init.track, id: trackId } } : init;
  }

  /** Track of the file that serves a track id. */
  #sourceId(trackId: string): string {
    return this.#ids.has(trackId) ? (this.#source ?? trackId) : trackId;
  }
}

/** Window of a file whose first picture clears earlier captions. */
class UncaptionedWindow extends WrappedWindow {
  readonly #ids: ReadonlySet<string>;
  /** Replacement of the first segment of each track. */
  readonly #first = new Map<string, WindowSegment>();
  /** All segments of each track, cached because they are needed once per second for each viewer. */
  readonly #all = new Map<string, readonly WindowSegment[]>();

  constructor(file: SegmentWindow, ids: readonly string[]) {
    super(file);
    this.#ids = new Set(ids);
  }

  override segments(trackId: string, range?: TimeRange): readonly WindowSegment[] {
    if (range) return super.segments(trackId, range).map((entry) => this.#shown(trackId, entry) as WindowSegment);
    const cached = this.#all.get(trackId);
    const source = super.segments(trackId);
    if (cached?.length === source.length) return cached;
    const all = source.map((entry) => this.#shown(trackId, entry) as WindowSegment);
    this.#all.set(trackId, all);
    return all;
  }

  override lastSegment(trackId: string): WindowSegment | undefined {
    return this.#shown(trackId, super.lastSegment(trackId));
  }

  override segmentByAddress(trackId: string, address: string): WindowSegment | undefined {
    return this.#shown(trackId, super.segmentByAddress(trackId, address));
  }

  override segmentByMsn(trackId: string, msn: number): WindowSegment | undefined {
    return this.#shown(trackId, super.segmentByMsn(trackId, msn));
  }

  #shown(trackId: string, entry: WindowSegment | undefined): WindowSegment | undefined {
    if (!entry || !this.#ids.has(trackId) || entry.msn !== super.segments(trackId)[0]?.msn) return entry;
    const cached = this.#first.get(trackId);
    if (cached) return cached;
    const track = this.tracks.find((other) => other.track.id === trackId)?.track;
    const sets = track?.content === 'video' ? inBandSets(track) : undefined;
    if (track?.content !== 'video' || !sets) return entry;
    const segment = new UncaptionedSegment(entry.segment, captionErasure(track.codec, sets.lengthSize));
    const { msn, startMs, isDiscontinuity, discontinuitySequence, address } = entry;
    const shown = { segment, msn, startMs, isDiscontinuity, discontinuitySequence, address };
    this.#first.set(trackId, shown);
    return shown;
  }
}

/** Segment of a clip whose first picture has an erasure of captions before it. */
class UncaptionedSegment extends SegmentView {
  readonly #erasure: Uint8Array;
  #parts: readonly Part[] | undefined;

  constructor(source: Segment, erasure: Uint8Array) {
    super(source);
    this.#erasure = erasure;
  }

  get parts(): readonly Part[] {
    return (this.#parts ??= this.source.parts.map((part, index) =>
      index === 0 ? prefixedPart(part, this.#erasure, this.trackId, 1) : part,
    ));
  }
}
