import type { Part, WindowSegment } from '../segment/segment-window.ts';

/*
 * File names of what a window holds, relative to the folder of the track (`/{stream}/{track}/`). They say everything
 * that is needed to find the bytes again and never mean anything else, so they may be cached for ever.
 */

/** Name of an init segment. @param addressPrefix that of its period */
export function initName(initId: number, addressPrefix = ''): string {
  return `${addressPrefix}init-${initId}.mp4`;
}

/** Name of a CMAF segment. For the stream's own media, its first presentation time in epoch milliseconds. */
export function segmentName({ address }: Pick<WindowSegment, 'address'>): string {
  return `${address}.m4s`;
}

/** Name of a part of a segment. */
export function partName({ address }: Pick<WindowSegment, 'address'>, part: Pick<Part, 'index'>): string {
  return `${address}.${part.index}.m4s`;
}

/** Name of a segment in the TS rendition, relative to the stream. */
export function tsSegmentName({ address }: Pick<WindowSegment, 'address'>): string {
  return `ts/${address}.ts`;
}

/** Prefix before the start in the address of a segment, and in that of its init segment. */
export function prefixOf({ address, segment }: Pick<WindowSegment, 'address' | 'segment'>): string {
  return address.slice(0, address.length - String(segment.startMs).length);
}
