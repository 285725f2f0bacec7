import type { Part, WindowSegment } from '../segment/segment-window.ts';

/*
 * File names of the contents of a window, relative to the folder of the track (`/{stream}/{track}/`). They contain
 * everything needed to find the bytes again, and never refer to anything else, so they may be cached forever.
 */

/**
 * Name of an init segment.
 * @param addressPrefix prefix of its period
 */
export function initName(initId: number, addressPrefix = ''): string {
  return `${addressPrefix}init-${initId}.mp4`;
}

/** Name of a CMAF segment: for media of the stream, its first presentation time in epoch milliseconds. */
export function segmentName({ address }: Pick<WindowSegment, 'address'>): string {
  return `${address}.m4s`;
}

/** Name of a part of a segment. */
export function partName({ address }: Pick<WindowSegment, 'address'>, part: Pick<Part, 'index'>): string {
  return `${address}.${part.index}.m4s`;
}

/** Name of a segment of the TS rendition, relative to the stream. */
export function tsSegmentName({ address }: Pick<WindowSegment, 'address'>): string {
  return `ts/${address}.ts`;
}

/** Prefix before the start time in the address of a segment; the name of its init segment has the same prefix. */
export function prefixOf({ address, segment }: Pick<WindowSegment, 'address' | 'segment'>): string {
  return address.slice(0, address.length - String(segment.startMs).length);
}
