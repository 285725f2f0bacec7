import { DISCONTINUITY_SECONDS } from './play-window.ts';

/** Segment of a media playlist. */
interface NamedSegment {
  /** Position in the playlist, in seconds. */
  readonly start: number;
  readonly duration: number;
  /** Epoch milliseconds. */
  readonly atMs: number;
  /** Whether it starts a discontinuity: the first segment, and segments after a gap or a switch of inputs. */
  readonly isDiscontinuity: boolean;
}

/** For a moment after the end, a player starts this long before the end, in seconds: at the end itself it waits forever. */
const LAST_SECONDS = 0.05;

/**
 * Adds a start position to a media playlist: a moment, or the start of the next segment (RFC 8216bis, `EXT-X-START`). Unchanged
 * if the playlist has no times.
 */
export function playlistFrom(text: string, ms: number): string {
  const segments = segmentsOf(text);
  const within = segments.find(({ atMs, duration }) => ms < atMs + duration * 1000);
  const found = within ?? segments.at(-1);
  if (!found) return text;
  const min = found.isDiscontinuity ? Math.min(DISCONTINUITY_SECONDS, found.duration / 2) : 0;
  const max = Math.max(0, found.duration - LAST_SECONDS);
  const offset = found.start + Math.max(min, Math.min((ms - found.atMs) / 1000, within ? Infinity : max));
  return text.replace(/^#EXTM3U.*$/m, (head) => `${head}\n#EXT-X-START:TIME-OFFSET=${offset.toFixed(6)},PRECISE=YES`);
}

function segmentsOf(text: string): NamedSegment[] {
  const segments: NamedSegment[] = [];
  let [start, duration, atMs, isDiscontinuity] = [0, 0, NaN, true];
  for (const line of text.split('\n')) {
    if (line.startsWith('#EXTINF:')) duration = parseFloat(line.slice('#EXTINF:'.length));
    else if (line.startsWith('#EXT-X-PROGRAM-DATE-TIME:')) atMs = Date.parse(line.slice(line.indexOf(':') + 1));
    else if (line.startsWith('#EXT-X-DISCONTINUITY') && !line.startsWith('#EXT-X-DISCONTINUITY-'))
      isDiscontinuity = true;
    if (line === '' || line.startsWith('#')) continue;
    if (!Number.isNaN(atMs)) segments.push({ start, duration, atMs, isDiscontinuity });
    [start, atMs, isDiscontinuity] = [start + duration, atMs + duration * 1000, false];
  }
  return segments;
}
