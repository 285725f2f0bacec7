import type { SourceTrack, SourceTracks } from './source-track.ts';

/** Maximum number of tracks of a presentation, the same as for inputs. */
const MAX_TRACKS = { video: 20, audio: 16 } as const;

/**
 * Joins renditions into one set of tracks: all video tracks, largest picture first, and each audio language from the first file
 * that has it. A single file keeps all its tracks.
 */
export function ladderOf(files: readonly SourceTracks[]): readonly SourceTrack[] {
  const [first, ...others] = files;
  if (!first || others.length === 0) return first?.sources ?? [];
  const videos: SourceTrack[] = [];
  const audios: SourceTrack[] = [];
  for (const { sources } of files) {
    const languages = new Set(audios.map(({ track }) => track.language));
    for (const source of sources) {
      if (source.track.content === 'video') videos.push(source);
      else if (!languages.has(source.track.language)) audios.push(source);
    }
  }
  videos.sort((a, b) => pixelsOf(b) - pixelsOf(a));
  return [
    ...videos.slice(0, MAX_TRACKS.video).map((source, index) => named(source, `v${index + 1}`)),
    ...audios.slice(0, MAX_TRACKS.audio).map((source, index) => named(source, `a${index + 1}`)),
  ];
}

function pixelsOf({ track }: SourceTrack): number {
  return track.content === 'video' ? track.width * track.height : 0;
}

function named(source: SourceTrack, id: string): SourceTrack {
  const { formats } = source;
  return {
    ...source,
    track: { ...source.track, id },
    ...(formats ? { formats: formats.map(({ first, track }) => ({ first, track: { ...track, id } })) } : {}),
  };
}
