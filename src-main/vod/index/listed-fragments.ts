import { runInTurns } from '../../lib/turns.ts';
import type { FileBytes } from '../../media/containers/file-bytes.ts';
import { MAX_BOX_START_BYTES, readBoxStart } from '../../media/containers/isobmff/box.ts';
import { MAX_MOOF_BYTES, readFragments } from '../../media/containers/isobmff/movie-fragment.ts';
import type { MovieTrack } from '../../media/containers/isobmff/movie-track.ts';
import type { DescribedCursor } from '../../media/containers/isobmff/sample-cursor.ts';
import type { DescriptionRun } from './description-runs.ts';
import { ListedSamples } from './listed-samples.ts';
import { ReadAhead } from './read-ahead.ts';

/** Maximum number of boxes to visit, and then of samples to list. */
const MAX_BOXES = 200_000;
const MAX_LISTED = 1 << 22;

/** Track with the samples listed so far. */
interface TrackList {
  readonly track: MovieTrack;
  readonly samples: ListedSamples;
  readonly descriptions: DescriptionRun[];
  endTicks: number;
}

/** Lists the samples of a fragmented file: those of `moov`, then those of each fragment. Unreadable fragments are skipped. */
export async function listFragments(
  file: FileBytes,
  tracks: readonly MovieTrack[],
): Promise<ReadonlyMap<MovieTrack, Pick<TrackList, 'samples' | 'descriptions'>>> {
  const lists = tracks.map((track): TrackList => ({
    track,
    samples: new ListedSamples(),
    descriptions: [],
    endTicks: 0,
  }));
  const fragmented = lists.flatMap((list) => {
    const { defaults } = list.track;
    return defaults ? [{ list, defaults }] : [];
  });
  let left = MAX_LISTED;
  const addAll = (list: TrackList, cursor: DescribedCursor): void => {
    while (left > 0 && cursor.next()) {
      left--;
      const index = cursor.descriptionIndex;
      if (list.descriptions.at(-1)?.index !== index) list.descriptions.push({ first: list.samples.count, index });
      list.samples.add(cursor);
      list.endTicks = cursor.dtsTicks + cursor.durationTicks;
    }
  };
  const addMoof = function* (moof: Uint8Array, at: number): Generator<void, void> {
    const known = fragmented.map(({ list, defaults }) => ({ defaults, startTicks: list.endTicks }));
    const cursors = readFragments(moof, at, known) ?? [];
    for (const [index, cursor] of cursors.entries()) {
      yield;
      const list = fragmented[index]?.list;
      if (list) addAll(list, cursor);
    }
  };
  for (const list of lists) addAll(list, list.track.samples());
  const boxes = new ReadAhead(file);
  for (let at = 0, step = 0; step < MAX_BOXES && left > 0; step++) {
    if (at + 8 > file.sizeBytes) break;
    const head = await boxes.view(at, Math.min(MAX_BOX_START_BYTES, file.sizeBytes - at));
    const start = head && readBoxStart(head, 0);
    // A box of size 0 extends to the end of the file.
    if (!start || start.sizeBytes === 0) break;
    if (start.type === 'moof' && start.sizeBytes <= MAX_MOOF_BYTES) {
      const moof = await boxes.view(at, start.sizeBytes);
      if (moof) await runInTurns(addMoof(moof, at));
    }
    at += start.sizeBytes;
  }
  return new Map(lists.map((list) => [list.track, list]));
}
