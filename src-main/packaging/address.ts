import type { Part, Segment } from '../segment/segment-window.ts';

/*
 * File names of what a window holds, relative to the folder of the track (`/{stream}/{track}/`). They say everything
 * that is needed to find the bytes again and never mean anything else, so they may be cached for ever.
 */

/** Name of an init segment. */
export function initName(initId: number): string {
  return `init-${initId}.mp4`;
}

/** Name of a CMAF segment: its first presentation time in epoch milliseconds. */
export function segmentName(segment: Pick<Segment, 'startMs'>): string {
  return `${segment.startMs}.m4s`;
}

/** Name of a part of a segment. */
export function partName(segment: Pick<Segment, 'startMs'>, part: Pick<Part, 'index'>): string {
  return `${segment.startMs}.${part.index}.m4s`;
}

/** Name of a segment in the TS rendition, relative to the stream. */
export function tsSegmentName(segment: Pick<Segment, 'startMs'>): string {
  return `ts/${segment.startMs}.ts`;
}
