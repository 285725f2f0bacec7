import type { MediaPlaylist, PlaylistSegment } from '../../media/manifests/hls/media-playlist.ts';

/** Position in a playlist: a segment, and a part of it if there are parts. */
export interface Position {
  readonly msn: number;
  readonly part: number;
}

/** Requested start position, for a rendition that starts together with another rendition of the presentation. */
export interface StartWish {
  /** Distance from the end of its playlist, in milliseconds. */
  readonly agoMs?: number;
  /** Program date of its first segment, in epoch milliseconds. */
  readonly startMs?: number;
}

/** Distance of the start from the live edge in segments, if the server states no hold-back. */
const SEGMENTS_FROM_EDGE = 3;
/** Distance from the live edge in parts, if the server states no hold-back (RFC 8216bis 4.4.3.8). */
const PARTS_FROM_EDGE = 3;

/** Whether a playlist can be followed part by part with blocking reloads. */
export function isLowLatency(playlist: MediaPlaylist): boolean {
  return playlist.partTargetMs !== undefined && playlist.serverControl.canBlockReload && !playlist.isEnded;
}

/** Target distance of playback from the live edge, in milliseconds. */
export function holdBackMs(playlist: MediaPlaylist): number {
  const { serverControl, partTargetMs = 0, targetMs } = playlist;
  if (isLowLatency(playlist)) return serverControl.partHoldBackMs ?? PARTS_FROM_EDGE * partTargetMs;
  return serverControl.holdBackMs ?? SEGMENTS_FROM_EDGE * targetMs;
}

/**
 * Start position: the start of a recording, or a position near the edge of a live playlist, after its gaps. A part is a
 * start position only if it is independent.
 */
export function startPosition(playlist: MediaPlaylist, wish: StartWish): Position {
  const first = playlist.segments[0]!;
  if (playlist.isEnded) return { msn: first.msn, part: 0 };
  const position = livePosition(playlist, wish);
  const lastGap = playlist.segments.findLast(hasNothing);
  const last = playlist.segments.at(-1) ?? first;
  return lastGap && position.msn <= lastGap.msn && lastGap !== last ? { msn: lastGap.msn + 1, part: 0 } : position;
}

/** Whether a segment has no media: a gap, or the address of the init segment, as in the lead-in of a stream of this server. */
function hasNothing({ isGap, uri, range, map }: PlaylistSegment): boolean {
  return isGap || (uri !== undefined && range === undefined && uri === map?.uri);
}

function livePosition(playlist: MediaPlaylist, wish: StartWish): Position {
  const { segments } = playlist;
  const first = segments[0]!;
  const byDate = wish.startMs === undefined ? undefined : segmentAt(segments, wish.startMs);
  if (byDate) return { msn: byDate.msn, part: 0 };
  if (wish.agoMs !== undefined) return lastBefore(segments, wish.agoMs, isLowLatency(playlist));
  if (isLowLatency(playlist)) return lastBefore(segments, holdBackMs(playlist), true);
  if (playlist.serverControl.holdBackMs !== undefined) return lastBefore(segments, holdBackMs(playlist), false);
  const available = segments.filter((segment) => segment.uri !== undefined);
  return { msn: available.at(-SEGMENTS_FROM_EDGE)?.msn ?? first.msn, part: 0 };
}

/** Distance of a position from the end of a playlist, in milliseconds. */
export function distanceFromEnd(playlist: MediaPlaylist, position: Position): number {
  let distance = 0;
  for (const segment of playlist.segments) {
    if (segment.msn < position.msn) continue;
    distance += segment.durationMs;
    if (segment.msn === position.msn)
      for (const part of segment.parts.slice(0, position.part)) distance -= part.durationMs;
  }
  return distance;
}

function segmentAt(segments: readonly PlaylistSegment[], startMs: number): PlaylistSegment | undefined {
  return segments.find(
    (segment) =>
      segment.startMs !== undefined && segment.startMs <= startMs && startMs < segment.startMs + segment.durationMs,
  );
}

/** Last position with at least this distance from the end; the first segment if there is none. */
function lastBefore(segments: readonly PlaylistSegment[], agoMs: number, withParts: boolean): Position {
  let distance = 0;
  for (let index = segments.length - 1; index >= 0; index--) {
    const segment = segments[index]!;
    if (withParts && segment.parts.length > 0) {
      let ahead = segment.durationMs - segment.parts.reduce((sum, part) => sum + part.durationMs, 0);
      for (let part = segment.parts.length - 1; part >= 0; part--) {
        ahead += segment.parts[part]!.durationMs;
        if (distance + ahead >= agoMs && segment.parts[part]!.isIndependent) return { msn: segment.msn, part };
      }
    }
    distance += segment.durationMs;
    if (distance >= agoMs && (withParts || segment.uri !== undefined)) return { msn: segment.msn, part: 0 };
  }
  return { msn: segments[0]!.msn, part: 0 };
}
