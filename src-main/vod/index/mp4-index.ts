import type { FileBytes } from '../../media/containers/file-bytes.ts';
import { trackFromMpegAudioFrame } from '../../media/codecs/mp3/track.ts';
import { openMovie } from '../../media/containers/movie-file.ts';
import type { Movie } from '../../media/containers/isobmff/movie.ts';
import type { MovieTrack } from '../../media/containers/isobmff/movie-track.ts';
import type { Track } from '../../media/track.ts';
import type { FileRefusal } from './file-index.ts';
import { listFragments } from './listed-fragments.ts';
import type { IndexedFile, SourceTrack, SourceTracks } from './source-track.ts';
import type { UnpackedSegments } from './unpacked-segments.ts';
import { widenLengths } from './widened-lengths.ts';

/** Bytes of an MPEG audio frame that say what it is. */
const FRAME_BYTES = 4096;

/** The tracks of an MP4 or QuickTime file: from the tables of `moov`, and where it is fragmented from those of all fragments. */
export async function readMp4Tracks(
  file: IndexedFile,
  unpacked: UnpackedSegments,
): Promise<SourceTracks | FileRefusal> {
  const movie = await openMovie(file);
  if (typeof movie === 'string') return { code: 'vod_file_damaged', detail: movie };
  const playable = movie.tracks.filter(isPlayable);
  if (playable.length === 0) return { code: 'vod_file_not_supported', detail: reasonOf(movie) };
  const listed = movie.isFragmented ? await listFragments(file, playable) : undefined;
  const sources: SourceTrack[] = [];
  let tableBytes = movie.sizeBytes;
  for (const movieTrack of playable) {
    const { track, timescale, shiftTicks, endTicks, nalLengthBytes } = movieTrack;
    const samples = listed?.get(movieTrack);
    const cursor = (): ReturnType<SourceTrack['cursor']> => samples?.cursor() ?? movieTrack.samples();
    const known = track.codec === 'mp3' ? await trackOfFrame(file, track, cursor()) : track;
    const source = {
      ...{ track: known, timescale, shiftTicks, file: file.media, cursor },
      // Fragments belong to the presentation, whatever length was known when the edit list was written.
      ...(endTicks === undefined || movie.isFragmented ? {} : { endTicks }),
    };
    const widened = nalLengthBytes === 4 ? undefined : await widenLengths(source, nalLengthBytes, file, unpacked);
    sources.push(widened?.source ?? source);
    tableBytes += (samples?.memoryBytes ?? 0) + (widened?.tableBytes ?? 0);
  }
  return { sources, tableBytes };
}

function isPlayable({ track, timescale }: MovieTrack): boolean {
  return timescale > 0 && track.timescale > 0;
}

function reasonOf({ problems }: Movie): string {
  return problems[0]?.detail ?? 'It has neither pictures nor sound.';
}

/** Layer and frame length of MPEG audio stand in its frames alone. */
async function trackOfFrame(file: FileBytes, track: Track, cursor: ReturnType<SourceTrack['cursor']>): Promise<Track> {
  if (!cursor.next()) return track;
  const frame = new Uint8Array(Math.min(cursor.sizeBytes, FRAME_BYTES));
  const length = await file.read(frame, cursor.offset);
  const { id: trackId, language, sourceId } = track;
  const identity = {
    ...{ trackId },
    ...(language === undefined ? {} : { language }),
    ...(sourceId === undefined ? {} : { sourceId }),
  };
  return trackFromMpegAudioFrame(frame.subarray(0, length), identity) ?? track;
}
