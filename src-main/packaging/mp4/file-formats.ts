import { inBandSets } from '../../media/codecs/nal/in-band-sets.ts';
import type { Track } from '../../media/track.ts';

/** Track of a file: one track of the window, as long as one decoder can decode it. */
export interface FileFormats {
  /** Id in the file: that of the window for its first format, a free one for a later decoder. */
  readonly id: string;
  /** Id in the window. */
  readonly trackId: string;
  /** Number of tracks of the file for earlier decoders of the same track. */
  readonly generation: number;
  /** Formats with a sample description of their own (ISO/IEC 14496-12, 8.5.2), in their order. */
  readonly formats: readonly Track[];
}

/** Track and sample description for a format in a file. */
export interface FormatPlace {
  readonly track: FileFormats;
  /** Number of the sample description, from 1. */
  readonly description: number;
}

/** Maximum number of tracks for later decoders in a file. */
const MAX_MORE_TRACKS = 32;
/** Maximum number of sample descriptions of a track in a file. */
const MAX_DESCRIPTIONS = 64;

/**
 * Tracks and sample descriptions for the formats of a window in one file. A format that the decoder of the first
 * format can decode becomes a further sample description. FFmpeg and Chromium decode all samples of a track with its
 * first description, so another codec, sample rate, or number of channels above two becomes a further track.
 */
export class FormatList {
  readonly #tracks: (FileFormats & { readonly formats: Track[] })[] = [];
  readonly #ids: readonly string[];

  /** @param ids tracks of the window */
  constructor(ids: readonly string[]) {
    this.#ids = ids;
  }

  /** Tracks of the file: first the tracks for the first formats, then all others. */
  get tracks(): readonly FileFormats[] {
    return [...this.#tracks].sort((a, b) => a.generation - b.generation);
  }

  /** Place of a format of a track of the window; undefined if it was not added. */
  find(trackId: string, track: Track): FormatPlace | undefined {
    for (const known of this.#tracks) {
      if (known.trackId !== trackId) continue;
      const index = known.formats.findIndex((one) => !needsOtherFile(one, track));
      if (index >= 0) return { track: known, description: index + 1 };
    }
    return undefined;
  }

  /** Adds a format, and returns its place; undefined if the file has no more room. */
  add(trackId: string, track: Track): FormatPlace | undefined {
    const existing = this.find(trackId, track);
    if (existing) return existing;
    const ofTrack = this.#tracks.filter((one) => one.trackId === trackId);
    const shared = ofTrack.find(({ formats: [first] }) => first && haveSameDecoder(first, track));
    if (shared && shared.formats.length < MAX_DESCRIPTIONS)
      return { track: shared, description: shared.formats.push(track) };
    if (shared || this.#tracks.length >= this.#ids.length + MAX_MORE_TRACKS) return undefined;
    const id = ofTrack.length === 0 ? trackId : this.#freeId(trackId);
    const added = { id, trackId, generation: ofTrack.length, formats: [track] };
    this.#tracks.push(added);
    return { track: added, description: 1 };
  }

  #freeId(trackId: string): string {
    const used = new Set([...this.#ids, ...this.#tracks.map(({ id }) => id)]);
    for (let number = 1; ; number++) {
      const id = `${trackId.slice(0, 1)}${number}`;
      if (!used.has(id)) return id;
    }
  }
}

/** Reports whether samples of one format cannot be decoded with the sample entry of the other. */
export function needsOtherEntry(a: Track, b: Track): boolean {
  if (a === b) return false;
  const isSameSound =
    a.content !== 'audio' || (b.content === 'audio' && a.sampleRate === b.sampleRate && a.channels === b.channels);
  const isSame = a.codec === b.codec && a.timescale === b.timescale && isSameSound;
  return !isSame || Buffer.compare(a.decoderConfig, b.decoderConfig) !== 0;
}

/**
 * Reports whether samples of the two formats cannot share a sample entry, even with parameter sets in the key pictures:
 * pictures of one codec can.
 */
export function needsOtherFile(a: Track, b: Track): boolean {
  if (!needsOtherEntry(a, b)) return false;
  if (a.content !== 'video' || b.content !== 'video' || a.codec !== b.codec || a.timescale !== b.timescale) return true;
  const [own, other] = [inBandSets(a), inBandSets(b)];
  return !own || own.lengthSize !== other?.lengthSize || other.bytes.length < MIN_SETS_BYTES;
}

/** Parameter sets are longer than the header of a box. */
const MIN_SETS_BYTES = 8;

/** Maximum number of channels between which AAC and Opus decoders switch without a new configuration. */
const CHANGING_CHANNELS = 2;

function haveSameDecoder(a: Track, b: Track): boolean {
  if (a.codec !== b.codec || a.timescale !== b.timescale) return false;
  if (a.content !== 'audio' || b.content !== 'audio') return a.content === b.content;
  const isFew = a.channels <= CHANGING_CHANNELS && b.channels <= CHANGING_CHANNELS;
  return a.sampleRate === b.sampleRate && (a.channels === b.channels || isFew);
}
