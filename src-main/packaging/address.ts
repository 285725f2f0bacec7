/**
 * File names of segments, parts and init segments in playlists and manifests, relative to the folder of the track
 * (`/{stream}/{track}/`). A name contains everything that the server needs to find the bytes, and the bytes of a name
 * never change, so caches may keep them forever.
 */

import type { Part, WindowSegment } from '../segment/segment-window.ts';

/**
 * Name of an init segment.
 * @param addressPrefix prefix in the addresses of the segments that need it
 */
export function initName(initId: number, addressPrefix = ''): string {
  return `${addressPrefix}init-${initId}.mp4`;
}

/** Name of a CMAF segment. `address` is its first presentation time in epoch milliseconds, after a prefix if it has one. */
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

/** Prefix before the start time in the address of a segment, which is also the prefix of its init segment. */
export function prefixOf({ address, segment }: Pick<WindowSegment, 'address' | 'segment'>): string {
  return address.slice(0, address.length - String(segment.startMs).length);
}
