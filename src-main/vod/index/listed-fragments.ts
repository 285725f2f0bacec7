import { BOX_BLOCK_BYTES, FileBlock, type FileBytes } from '../../media/containers/file-bytes.ts';
import { MOST_BOX_START_BYTES, readBoxStart } from '../../media/containers/isobmff/box.ts';
import { MOST_MOOF_BYTES, readFragment } from '../../media/containers/isobmff/movie-fragment.ts';
import type { MovieTrack } from '../../media/containers/isobmff/movie-track.ts';
import { ListedSamples } from './listed-samples.ts';

/** Fragments and other boxes that are looked at, and samples that are listed of all of them. */
const MOST_BOXES = 200_000;
const MOST_LISTED = 1 << 22;

/** Lists the samples of a fragmented file: those of `moov`, and those of one fragment after the other. What cannot be read is passed over. */
export async function listFragments(
  file: FileBytes,
  tracks: readonly MovieTrack[],
): Promise<ReadonlyMap<MovieTrack, ListedSamples>> {
  const lists = tracks.map((track) => ({ track, samples: new ListedSamples(), endTicks: 0 }));
  let left = MOST_LISTED;
  const addAll = (
    list: (typeof lists)[number],
    cursor: ReturnType<MovieTrack['samples']> | ReturnType<typeof readFragment>,
  ): void => {
    while (cursor && left > 0 && cursor.next()) {
      left--;
      list.samples.add(cursor);
      list.endTicks = cursor.dtsTicks + cursor.durationTicks;
    }
  };
  for (const list of lists) addAll(list, list.track.samples());
  const boxes = new FileBlock(file, BOX_BLOCK_BYTES);
  for (let at = 0, step = 0; step < MOST_BOXES && left > 0; step++) {
    if (at + 8 > file.sizeBytes) break;
    const head = await boxes.view(at, Math.min(MOST_BOX_START_BYTES, file.sizeBytes - at));
    const start = head && readBoxStart(head, 0);
    // A size of 0 is that of a box up to the end of the file.
    if (!start || start.sizeBytes === 0) break;
    if (start.type === 'moof' && start.sizeBytes <= MOST_MOOF_BYTES) {
      const moof = await boxes.view(at, start.sizeBytes);
      for (const list of lists) {
        const { defaults } = list.track;
        if (moof && defaults) addAll(list, readFragment(moof, at, defaults, list.endTicks));
      }
    }
    at += start.sizeBytes;
  }
  return new Map(lists.map(({ track, samples }) => [track, samples]));
}
