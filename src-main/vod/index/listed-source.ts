import type { ListedTrack } from './listed-track.ts';
import type { IndexedFile, SourceTrack, SourceTracks } from './source-track.ts';
import { unpackTs } from './ts-unpack.ts';
import type { UnpackedSegments } from './unpacked-segments.ts';
import { unpackNarrow } from './widened-lengths.ts';

/** Tracks that were listed, as those of their file. */
export function listedTracks(
  listed: readonly ListedTrack[],
  file: IndexedFile,
  unpacked: UnpackedSegments,
): SourceTracks {
  for (const { samples } of listed) samples.pack();
  const sources = listed.map((one) => sourceOf(one, file, unpacked));
  return { sources, tableBytes: listed.reduce((sum, { samples }) => sum + samples.memoryBytes, 0), listed };
}

function sourceOf(listed: ListedTrack, { media: file }: IndexedFile, unpacked: UnpackedSegments): SourceTrack {
  const { track, timescale, shiftTicks, endTicks, samples, transport, lengthBytes } = listed;
  const source = {
    ...{ track, timescale, shiftTicks, file, cursor: () => samples.cursor() },
    ...(endTicks === undefined ? {} : { endTicks }),
  };
  if (transport) return { ...source, unpack: unpackTs({ track, transport, file, unpacked }) };
  return lengthBytes === undefined ? source : { ...source, unpack: unpackNarrow(samples, lengthBytes, file, unpacked) };
}
