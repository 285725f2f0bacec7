import { runInTurns } from '../../lib/turns.ts';
import type { FileBytes } from '../../media/containers/file-bytes.ts';
import type { Movie } from '../../media/containers/isobmff/movie.ts';
import type { MovieTrack } from '../../media/containers/isobmff/movie-track.ts';
import type { SampleCursor } from '../../media/containers/isobmff/sample-cursor.ts';
import { descriptionsOf, formatsOf, setsOf } from './description-runs.ts';
import { listFragments } from './listed-fragments.ts';
import { ListedSamples } from './listed-samples.ts';
import { movieTrackFacts } from './movie-track-facts.ts';
import type { TrackFacts } from './track-facts.ts';
import { findRandomAccess, withRandomAccess } from './random-access-points.ts';
import { firstSamples, isRewritten, listRewritten, withSets } from './unpacked-samples.ts';

/** Reads the tracks of a file that needs more than its tables. */
export async function listTracks(
  file: FileBytes,
  { isFragmented }: Movie,
  playable: readonly MovieTrack[],
): Promise<TrackFacts[]> {
  const fragments = isFragmented ? await listFragments(file, playable) : undefined;
  const listed: TrackFacts[] = [];
  for (const movieTrack of playable) {
    const { nalLengthBytes } = movieTrack;
    const found = fragments?.get(movieTrack)?.samples;
    const cursor = (): SampleCursor => found?.cursor() ?? movieTrack.samples();
    // Ignores the end stated by the edit list: fragments belong to the presentation.
    const { endTicks, ...common } = await movieTrackFacts(file, movieTrack, cursor());
    const track = { ...common, ...(endTicks === undefined || isFragmented ? {} : { endTicks }) };
    const points = await findRandomAccess(file, movieTrack, cursor);
    const isOther =
      common.track.content === 'video' && (await isRewritten(firstSamples(cursor()), nalLengthBytes, file));
    const samples = isOther
      ? await listRewritten(cursor(), nalLengthBytes, file)
      : (found ?? (await runInTurns(listAll(movieTrack.samples()))));
    const marked = await withRandomAccess(samples, points);
    const runs = fragments?.get(movieTrack)?.descriptions ?? descriptionsOf(movieTrack.samples());
    const sets = setsOf(movieTrack, runs);
    const formats = formatsOf(movieTrack, runs, common.track);
    listed.push({
      ...track,
      samples: (sets ? withSets(marked, sets) : marked).pack(),
      ...(sets ? { sets } : {}),
      ...(formats.length > 0 ? { formats } : {}),
      ...(isOther ? { lengthBytes: nalLengthBytes } : {}),
    });
  }
  return listed;
}

/** Copies samples from tables into a list. Runs in steps. */
function* listAll(cursor: SampleCursor): Generator<void, ListedSamples> {
  const samples = new ListedSamples();
  while (cursor.next()) {
    samples.add(cursor);
    if (samples.count % SAMPLES_PER_STEP === 0) yield;
  }
  return samples;
}

/** Samples listed in one step. */
const SAMPLES_PER_STEP = 2048;
