import type { Init, SegmentWindow, TimeRange, WindowSegment, WindowTrack } from '../segment/segment-window.ts';
import { WrappedWindow } from '../segment/wrapped-window.ts';
import { firstSound, hasSoundFor } from './clip-fit.ts';
import type { Clip } from './clip.ts';

const made = new WeakMap<Clip, Map<string, Clip>>();

/**
 * A clip as it is heard in a stream with more sounds: its first one stands in each that it does not have. The clip itself where it has all of them.
 * The same for all viewers.
 */
export function dubbed(clip: Clip, stream: Pick<SegmentWindow, 'tracks'>): Clip {
  const missing = stream.tracks.filter(
    ({ track }) => !clip.window.tracks.some((own) => own.track.id === track.id) && hasSoundFor(clip.window, track),
  );
  if (missing.length === 0) return clip;
  const ids = missing.map(({ track }) => track.id);
  const known = made.get(clip) ?? new Map<string, Clip>();
  made.set(clip, known);
  const name = ids.join(' ');
  const same = known.get(name) ?? { ...clip, window: new DubbedWindow(clip.window, ids) };
  known.set(name, same);
  return same;
}

/** The window of a file of which one track stands in others, too. */
class DubbedWindow extends WrappedWindow {
  readonly #source: string | undefined;
  readonly #ids: ReadonlySet<string>;
  readonly #tracks: readonly WindowTrack[];

  constructor(file: SegmentWindow, ids: readonly string[]) {
    super(file);
    this.#ids = new Set(ids);
    const sound = file.tracks.find(({ track }) => track.id === firstSound(file)?.id);
    this.#source = sound?.track.id;
    const others = sound ? ids.map((id) => ({ ...sound, rate: sound.rate, track: { ...sound.track, id } })) : [];
    this.#tracks = [...file.tracks, ...others];
  }

  override get tracks(): readonly WindowTrack[] {
    return this.#tracks;
  }

  override segments(trackId: string, range?: TimeRange): readonly WindowSegment[] {
    return super.segments(this.#own(trackId), range);
  }

  override lastSegment(trackId: string): WindowSegment | undefined {
    return super.lastSegment(this.#own(trackId));
  }

  override segmentByAddress(trackId: string, address: string): WindowSegment | undefined {
    return super.segmentByAddress(this.#own(trackId), address);
  }

  override segmentByMsn(trackId: string, msn: number): WindowSegment | undefined {
    return super.segmentByMsn(this.#own(trackId), msn);
  }

  override init(trackId: string, initId: number, addressPrefix?: string): Init | undefined {
    const init = super.init(this.#own(trackId), initId, addressPrefix);
    return init && this.#ids.has(trackId) ? { ...init, track: { ...init.track, id: trackId } } : init;
  }

  /** The track of the file that a track is. */
  #own(trackId: string): string {
    return this.#ids.has(trackId) ? (this.#source ?? trackId) : trackId;
  }
}
