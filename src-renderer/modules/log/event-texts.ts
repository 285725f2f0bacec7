import { EVENTS, type EventKind } from '../../../src-preload/contract/events/catalogue.ts';
import { translated } from '../../i18n/translated.ts';
import { MEANINGS_DE, VALUES_DE } from './event-texts-de.ts';

// The keys of the catalogue are its key type.
const KINDS = Object.keys(EVENTS) as EventKind[];
// Each kind has an entry, because they are made of all kinds.
const english = Object.fromEntries(KINDS.map((kind) => [kind, EVENTS[kind].doc])) as Record<EventKind, string>;
/** When events of a kind happen. */
export const MEANINGS = translated('eventMeanings', english, MEANINGS_DE);

/** Values of fields that are words of the catalogue and not of a person. */
export const VALUES = translated(
  'eventValues',
  {
    configured: 'it is in the configuration',
    viewer: 'a viewer asked for it',
    publisher: 'an encoder connected',
    restart: 'it was restarted',
    tracks: 'its tracks',
    settings: 'its settings',
    removed: 'it was removed',
    no_viewers: 'it had no viewers',
    publisher_moved: 'its encoder moved to another stream',
    thread_failed: 'its media thread failed',
    done: 'completed',
    stopped: 'stopped',
    error: 'failed',
    preroll: 'before the stream',
    midroll: 'during the stream',
    splicing: 'splice point',
    interval: 'interval',
  },
  VALUES_DE,
);
