import { translated } from '../../../i18n/translated.ts';
import { DE, LIGHTS_DE, SERVICES_DE } from './texts-de.ts';
import type { PushLight } from './push-light.ts';
import type { Service } from './services.ts';

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
    unconfirmed: 'Sending, not confirmed',
    slow: 'Too slow',
    working: 'Connecting',
    failed: 'Failed',
    off: 'Stopped',
  },
  LIGHTS_DE,
);

/** Texts of the destinations of a stream. */
export const TEXTS = translated(
  'destinations',
  {
    title: 'Destinations',
    none: 'This stream is sent to no other server.',
    loading: 'Loading the destinations',
    waits: 'Waits for the stream',
    retries: 'Tries again',
    gaveUp: 'Gave up',
    confirmed: (size: string): string => `${size} confirmed`,
    sent: (size: string): string => `${size} sent`,
    behind: (seconds: string): string => `${seconds} s behind`,
    dropped: (frames: number): string => `${frames} frames dropped`,
    add: 'Add a destination',
    start: 'Start',
    stop: 'Stop',
    remove: 'Remove',
    startAll: 'Start all',
    stopAll: 'Stop all',
    startNamed: (name: string): string => `Start sending to ${name}`,
    stopNamed: (name: string): string => `Stop sending to ${name}`,
    removeNamed: (name: string): string => `Remove ${name}`,
    stopQuestion: (name: string): string => `Stop sending to ${name}?`,
    removeQuestion: (name: string): string => `Remove ${name}?`,
    stopAllQuestion: 'Stop sending to all destinations?',
    startAllQuestion: 'Start sending to all destinations?',
    startAllBody: (names: string): string => `The stream goes to ${names}.`,
    stopBody: 'Viewers there see the end of the stream. The stream itself and its recording go on.',
    removeBody: 'The server forgets the address and the key. Undo brings them back.',
    isStarted: (name: string): string => `Sending to ${name} was started`,
    isStopped: (name: string): string => `Sending to ${name} was stopped`,
    isRemoved: (name: string): string => `${name} was removed`,
    isAdded: (name: string): string => `The stream is sent to ${name}`,
    all: 'all destinations',
    service: 'Service',
    server: 'Server',
    serverHint: 'The service shows this address on its page for live streams.',
    serverExample: 'rtmps://live.example.org/app',
    serverWrong: 'Enter an address such as rtmps://live.example.org/app.',
    key: 'Stream key',
    keyHint: 'Anyone with this key can broadcast in your name. It is not shown again.',
    keyOptional: 'Without a key, the name of the stream is sent.',
    keyMissing: 'Copy the key from the page of the service.',
    begin: 'Add and start',
    cancel: 'Cancel',
  },
  DE,
);
