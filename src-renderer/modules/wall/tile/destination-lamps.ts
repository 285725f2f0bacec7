import type { PushLampObject } from '../../../../src-preload/contract/api/push-object.ts';
import {
  destinationLetter,
  destinationName,
  destinationState,
} from '../../../domain/destinations/destination-words.ts';
import { PUSH_COLOURS, pushLight, type PushColour } from '../../../domain/destinations/push-light.ts';
import { TEXTS } from '../../../domain/destinations/texts.ts';
import type { IconName } from '../../../ui/icon-shapes.ts';

/** Form of each colour, so that a lamp is legible without colours. */
export const LAMP_SHAPES: Readonly<Record<PushColour, IconName>> = {
  good: 'live',
  care: 'late',
  bad: 'lost',
  off: 'disabled',
};

/** Lamp of one destination. */
interface DestinationLamp {
  readonly colour: PushColour;
  readonly letter: string;
}

/** Lamps of the destinations of a stream. */
export interface DestinationLamps {
  readonly lamps: readonly DestinationLamp[];
  /** Worst colour of the destinations that are not stopped. */
  readonly worst: PushColour;
  /** Number of destinations that receive the stream, of those that are not stopped: `4/5`. */
  readonly count: string;
  /** Service and state of each destination in words, one per line. */
  readonly words: string;
}

const WORST_FIRST: readonly PushColour[] = ['bad', 'care', 'good'];

/** Describes the lamps of the destinations of a stream. @param nowMs epoch milliseconds */
export function destinationLamps(pushes: readonly PushLampObject[], nowMs: number): DestinationLamps {
  const lights = pushes.map((push) => ({ push, light: pushLight(push) }));
  const lamps = lights.map(({ push, light }) => ({ colour: PUSH_COLOURS[light], letter: destinationLetter(push) }));
  const started = lamps.filter(({ colour }) => colour !== 'off');
  const good = started.filter(({ colour }) => colour === 'good').length;
  return {
    lamps,
    worst: WORST_FIRST.find((colour) => started.some((lamp) => lamp.colour === colour)) ?? 'off',
    count: `${good}/${started.length === 0 ? lamps.length : started.length}`,
    words: pushes.map((push) => TEXTS.line(destinationName(push), destinationState(push, nowMs))).join('\n'),
  };
}
