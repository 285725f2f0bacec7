/** Extent of a media playlist: its last complete segment, and the number of parts of the open one. */
export interface PlaylistProgress {
  readonly lastMsn: number;
  readonly openParts: number;
  /** EXT-X-PART-INF:PART-TARGET (RFC 8216bis 4.4.3.7) in milliseconds; 0 without parts. */
  readonly partTargetMs: number;
  readonly hasEnded: boolean;
}

/** Reads the extent of a media playlist, including delta updates (EXT-X-SKIP), and parses nothing else. */
export function playlistProgress(text: string): PlaylistProgress {
  const first = Number(/^#EXT-X-MEDIA-SEQUENCE:(\d+)/m.exec(text)?.[1] ?? 0);
  const skipped = Number(/^#EXT-X-SKIP:.*SKIPPED-SEGMENTS=(\d+)/m.exec(text)?.[1] ?? 0);
  const partTarget = Number(/^#EXT-X-PART-INF:.*PART-TARGET=([\d.]+)/m.exec(text)?.[1] ?? 0);
  const complete = countOf(text, '\n#EXTINF:', 0);
  const lastComplete = text.lastIndexOf('\n#EXTINF:');
  return {
    lastMsn: first + skipped + complete - 1,
    openParts: countOf(text, '\n#EXT-X-PART:', Math.max(0, lastComplete)),
    partTargetMs: partTarget * 1000,
    hasEnded: text.includes('\n#EXT-X-ENDLIST'),
  };
}

/** True if a playlist contains the target of a blocking reload (RFC 8216bis 6.2.5.2). */
export function hasReached(progress: PlaylistProgress, msn: number, part: number | undefined): boolean {
  if (progress.hasEnded || progress.lastMsn >= msn) return true;
  return part !== undefined && progress.lastMsn === msn - 1 && progress.openParts > part;
}

function countOf(text: string, needle: string, from: number): number {
  let count = 0;
  for (let at = text.indexOf(needle, from); at !== -1; at = text.indexOf(needle, at + needle.length)) count += 1;
  return count;
}
