import type { LeftOutTrack } from '../../media/access-unit.ts';
import { convertTicks } from '../../media/timing/ticks.ts';
import type { FileIndex, SegmentRow } from './file-index.ts';
import type { IndexStore } from './index-store.ts';
import { factsOf } from './source-of-facts.ts';
import type { IndexedFile, SourceTrack, SourceTracks } from './source-track.ts';
import type { TrackFacts } from './track-facts.ts';

/** Stored form of a cut file: the segments of each track, by position of the track in the ladder. */
interface StoredCut {
  readonly biasMs: number;
  readonly memoryBytes: number;
  readonly tracks: readonly { readonly source: number; readonly rows: readonly SegmentRow[] }[];
}

/** Stored tracks of a file. */
interface StoredTracks {
  readonly tracks: readonly TrackFacts[];
  readonly leftOut: readonly LeftOutTrack[];
}

/** Tracks from the store of a file that was read before. */
export async function storedTracks(
  store: IndexStore,
  { path, version }: IndexedFile,
): Promise<StoredTracks | undefined> {
  return (await store.get(`tracks ${path}`, version)) as StoredTracks | undefined;
}

/** Stores the tracks of a file. */
export async function storeTracks(
  store: IndexStore,
  { path, version }: IndexedFile,
  { sources, leftOut }: SourceTracks,
): Promise<void> {
  const stored: StoredTracks = { tracks: sources.map(factsOf), leftOut };
  await store.put(`tracks ${path}`, version, stored);
}

/** Name and version under which the segments of files are stored. */
export function cutName(
  files: readonly IndexedFile[],
  segmentMs: number,
): { readonly name: string; readonly version: string } {
  return {
    name: `cut ${segmentMs} ${files.map(({ path }) => path).join('\n')}`,
    version: files.map(({ version }) => version).join(' '),
  };
}

/** Stored index of files that were cut before. @param sources tracks of the files, in the same order as before */
export async function storedCut(
  store: IndexStore,
  { name, version }: ReturnType<typeof cutName>,
  sources: readonly SourceTrack[],
): Promise<FileIndex | undefined> {
  const stored = (await store.get(name, version)) as StoredCut | undefined;
  if (!stored) return undefined;
  const { biasMs, memoryBytes } = stored;
  const tracks = stored.tracks.flatMap(({ source: place, rows }) => {
    const source = sources[place];
    return source ? [{ source, rows, biasTicks: convertTicks(biasMs, 1000, source.track.timescale) }] : [];
  });
  return tracks.length === stored.tracks.length ? { biasMs, memoryBytes, tracks } : undefined;
}

/** Stores the segments of files that were cut. */
export async function storeCut(
  store: IndexStore,
  { name, version }: ReturnType<typeof cutName>,
  sources: readonly SourceTrack[],
  { biasMs, memoryBytes, tracks }: FileIndex,
): Promise<void> {
  const cut = tracks.map(({ source, rows }) => ({ source: sources.indexOf(source), rows }));
  const stored: StoredCut = { biasMs, memoryBytes, tracks: cut };
  await store.put(name, version, stored);
}
