import type { LeftOutTrack } from '../../media/access-unit.ts';
import { TableCursor, type CursorMark } from '../../media/containers/isobmff/sample-cursor.ts';
import { ListCursor } from './listed-samples.ts';
import type { MarkedCursor } from './marked-cursor.ts';
import type { SourceFile, SourceTrack, SourceTracks } from './source-track.ts';
import type { TrackFacts } from './track-facts.ts';
import { unpackTs } from './ts-unpack.ts';
import type { UnpackedSegments } from './unpacked-segments.ts';
import { unpackSamples } from './unpacked-samples.ts';

/** Listed tracks as tracks of their file. */
export function listedTracks(
  listed: readonly TrackFacts[],
  file: SourceFile,
  unpacked: UnpackedSegments,
  leftOut: readonly LeftOutTrack[] = [],
): SourceTracks {
  const sources = listed.map((facts) => sourceOfFacts(facts, file, unpacked));
  const tableBytes = listed.reduce((sum, { samples }) => sum + ('bytes' in samples ? samples.bytes.length : 0), 0);
  return { sources, tableBytes, isListed: true, leftOut };
}

/** Audio of a transport stream, timed by its sample count: presentation equals decoding time. */
class CountedCursor implements MarkedCursor {
  readonly compositionOffsetTicks = 0;
  readonly minOffsetTicks = 0;
  readonly isSync = true;
  readonly #listed: MarkedCursor;

  constructor(listed: MarkedCursor) {
    this.#listed = listed;
  }

  get offset(): number {
    return this.#listed.offset;
  }

  get sizeBytes(): number {
    return this.#listed.sizeBytes;
  }

  get dtsTicks(): number {
    return this.#listed.dtsTicks;
  }

  get durationTicks(): number {
    return this.#listed.durationTicks;
  }

  next(): boolean {
    return this.#listed.next();
  }

  mark(): CursorMark {
    return this.#listed.mark();
  }

  goTo(mark: CursorMark): void {
    this.#listed.goTo(mark);
  }
}

/** Connects the stored description of a track with its file. */
export function sourceOfFacts(facts: TrackFacts, file: SourceFile, unpacked: UnpackedSegments): SourceTrack {
  const { track, samples, transport, lengthBytes, sets } = facts;
  const source = { ...facts, file, cursor: (): MarkedCursor => cursorOf(samples) };
  if (transport && track.content === 'audio') {
    const statedWalk = source.cursor;
    const unpack = unpackTs({ track, statedWalk, transport, file, unpacked });
    return { ...source, cursor: () => new CountedCursor(statedWalk()), unpack };
  }
  if (transport) return { ...source, unpack: unpackTs({ track, transport, file, unpacked }) };
  if (lengthBytes === undefined && sets === undefined) return source;
  if ('moov' in samples) throw new TypeError('samples of another form are listed');
  const form = { lengthBytes, sets: sets ?? [] };
  return { ...source, unpack: unpackSamples(() => new ListCursor(samples), form, file, unpacked) };
}

/** Plain data of a track. */
export function factsOf({
  track,
  timescale,
  shiftTicks,
  endTicks,
  samples,
  lengthBytes,
  sets,
  transport,
  formats,
}: SourceTrack): TrackFacts {
  return {
    track,
    timescale,
    shiftTicks,
    samples,
    ...(endTicks === undefined ? {} : { endTicks }),
    ...(lengthBytes === undefined ? {} : { lengthBytes }),
    ...(sets ? { sets } : {}),
    ...(transport ? { transport } : {}),
    ...(formats ? { formats } : {}),
  };
}

/** Cursor before the first sample. */
function cursorOf(samples: TrackFacts['samples']): MarkedCursor {
  return 'moov' in samples ? new TableCursor(samples) : new ListCursor(samples);
}
