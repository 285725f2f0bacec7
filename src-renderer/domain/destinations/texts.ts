import { translated } from '../../i18n/translated.ts';
import type { PushLight } from './push-light.ts';
import type { Service } from './services.ts';
import { DE, LIGHTS_DE, SERVICES_DE } from './texts-de.ts';

/** Names of the services. */
export const SERVICE_NAMES: Readonly<Record<Service, string>> = translated(
  'pushServices',
  { youtube: 'YouTube', twitch: 'Twitch', facebook: 'Facebook', kick: 'Kick', other: 'Another server' },
  SERVICES_DE,
);

/** Conditions of destinations. */
export const LIGHT_NAMES: Readonly<Record<PushLight, string>> = translated(
  'pushLights',
  {
    sent: 'Sending, confirmed by the server',
    unacknowledged: 'Sending',
    unconfirmed: 'Sending, not confirmed',
    slow: 'Too slow',
    working: 'Connecting',
    waiting: 'Waits for the stream',
    retrying: 'Failed, tries again',
    failed: 'Failed, gave up',
    planned: 'Planned',
    ended: 'Ended as planned',
    off: 'Stopped',
  },
  LIGHTS_DE,
);

/** Texts about all destinations of a stream. */
export const TEXTS = translated(
  'destinationWords',
  {
    startsAt: (time: string): string => `Starts ${time}`,
    line: (name: string, state: string): string => `${name}: ${state}`,
  },
  DE,
);
