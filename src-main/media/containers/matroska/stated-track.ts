import { aspectByDisplay } from '../../display.ts';
import { frameSamples } from '../../timing/frame-samples.ts';
import type { Track } from '../../track.ts';
import { elementsIn, ID, readUint, type Element } from './element.ts';

/** Size for display in any unit; 0 if it is not stated. */
type DisplaySize = readonly [width: number, height: number];

/** `DisplayWidth` and `DisplayHeight` in any unit with a ratio (RFC 9559, 5.1.4.1.28.14); 0 if one is not stated. */
export function displaySize(bytes: Uint8Array, video: Element | undefined): DisplaySize {
  let [width, height, unit] = [0, 0, 0];
  for (const { id, start, end } of video ? elementsIn(bytes, video.start, video.end) : []) {
    if (id === ID.displayWidth) width = readUint(bytes, start, end);
    else if (id === ID.displayHeight) height = readUint(bytes, start, end);
    else if (id === ID.displayUnit) unit = readUint(bytes, start, end);
  }
  return unit > LAST_DISPLAY_UNIT ? [0, 0] : [width, height];
}

/** `DisplayUnit`: pixels, centimetres, inches and aspect ratio; 4 is unknown. */
const LAST_DISPLAY_UNIT = 3;

/** Track of a configuration, with the duration of its first frame and the aspect ratio of its display size. */
export function statedTrack(track: Track, firstFrame: Uint8Array, display: DisplaySize): Track {
  return track.content === 'audio'
    ? { ...track, samplesPerFrame: frameSamples(track, firstFrame) }
    : { ...track, ...aspectByDisplay(track, ...display) };
}
