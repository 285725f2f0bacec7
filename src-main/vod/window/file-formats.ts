import { writeInitSegment } from '../../media/containers/isobmff/init-segment.ts';
import { isSameFormat, type Track } from '../../media/track.ts';
import type { Init } from '../../segment/segment-window.ts';
import type { IndexedTrack } from '../index/file-index.ts';

/** Formats of a track of a file: an init segment for each, and the init segment of each media segment. */
export class FileFormats {
  /** The first one is the first format of the file. */
  readonly inits: readonly Init[];
  /** Numbers of the segments that start with another format than the previous segment. */
  readonly changes: readonly number[];
  /** Number of the init segment of each range between changes. */
  readonly #ids: readonly number[];

  constructor({ source: { track, formats = [] }, rows }: IndexedTrack) {
    const known: Track[] = [track];
    const idOf = (format: Track): number => {
      const index = known.findIndex((one) => isSameFormat(one, format));
      return index >= 0 ? index : known.push(format) - 1;
    };
    const changes: number[] = [];
    const ids: number[] = [];
    let next = 0;
    let id = 0;
    for (const [number, { mark }] of rows.entries()) {
      // A gap has no samples.
      if (!mark || formats.length === 0) continue;
      const before = id;
      for (let run = formats[next]; run && run.first <= (mark[0] ?? 0); run = formats[++next]) id = idOf(run.track);
      if (ids.length > 0 && id === before) continue;
      if (ids.length > 0) changes.push(number);
      ids.push(id);
    }
    this.inits = known.map((format, initId) => initOf(format, initId));
    this.changes = changes;
    this.#ids = ids;
  }

  /** Number of the init segment of a segment. */
  initIdAt(number: number): number {
    const later = this.changes.findLastIndex((first) => first <= number);
    return this.#ids[later + 1] ?? 0;
  }
}

function initOf(track: Track, initId: number): Init {
  const bytes = writeInitSegment(track);
  return { initId, track, sizeBytes: bytes.length, pieces: [{ bytes }] };
}
