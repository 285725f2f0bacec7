import { openMovie } from '../../media/containers/isobmff/movie-file.ts';
import type { Movie } from '../../media/containers/isobmff/movie.ts';
import { mayHaveSyncSamples } from '../../media/containers/isobmff/sample-cursor.ts';
import type { MovieTrack } from '../../media/containers/isobmff/movie-track.ts';
import type { FileRefusal } from './file-index.ts';
import { leftOutOf } from './left-out.ts';
import { listedTracks, sourceOfFacts } from './source-of-facts.ts';
import { movieTrackFacts } from './movie-track-facts.ts';
import { listTracks } from './mp4-list.ts';
import type { IndexedFile, SourceTrack, SourceTracks } from './source-track.ts';
import { firstSamples, isRewritten } from './unpacked-samples.ts';
import type { UnpackedSegments } from './unpacked-segments.ts';
import { because, type Explained } from '../../../src-preload/contract/explanations/explanations.ts';

/** Reads the tracks of an MP4 or QuickTime file from the tables of `moov`, and of all fragments if it is fragmented. */
export async function readMp4Tracks(
  file: IndexedFile,
  unpacked: UnpackedSegments,
): Promise<SourceTracks | FileRefusal> {
  const movie = await openMovie(file);
  if (typeof movie === 'string') return { code: 'vod_file_damaged', detail: movie };
  const playable = movie.tracks.filter(isPlayable);
  if (playable.length === 0) return { code: 'vod_file_not_supported', ...reasonOf(movie) };
  if (movie.isFragmented || playable.some(needsReading) || (await hasOtherForm(file, playable)))
    return listedTracks(await listTracks(file, movie, playable), file.media, unpacked, leftOutOf(movie));
  const sources: SourceTrack[] = [];
  for (const movieTrack of playable) {
    const facts = await movieTrackFacts(file, movieTrack, movieTrack.samples());
    sources.push(sourceOfFacts({ ...facts, samples: movieTrack.tables }, file.media, unpacked));
  }
  return { sources, tableBytes: movie.sizeBytes, isListed: false, leftOut: leftOutOf(movie) };
}

function isPlayable({ track, timescale }: MovieTrack): boolean {
  return timescale > 0 && track.timescale > 0;
}

/** Whether the tables alone are not enough to serve a track. */
function needsReading({ track, nalLengthBytes, descriptions, tables }: MovieTrack): boolean {
  const isPlain = nalLengthBytes === 4 && descriptions === undefined;
  return !isPlain || (track.content === 'video' && !mayHaveSyncSamples(tables));
}

/** Whether samples of a track have another form than its sample entry states. */
async function hasOtherForm(file: IndexedFile, tracks: readonly MovieTrack[]): Promise<boolean> {
  for (const { track, nalLengthBytes, samples } of tracks)
    if (track.content === 'video' && (await isRewritten(firstSamples(samples()), nalLengthBytes, file))) return true;
  return false;
}

function reasonOf({ problems }: Movie): Explained {
  const [{ detail, explanation } = because('file_without_media')] = problems;
  return { detail, explanation };
}
