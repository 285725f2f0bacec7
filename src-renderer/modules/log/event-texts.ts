import { EVENTS, type EventKind } from '../../../src-preload/contract/events/catalogue.ts';
import { translated } from '../../i18n/translated.ts';
import { MEANINGS_DE, VALUES_DE } from './event-texts-de.ts';

// The keys of the catalogue are exactly its key type.
const KINDS = Object.keys(EVENTS) as EventKind[];
// Complete, because it is built from all kinds.
const english = Object.fromEntries(KINDS.map((kind) => [kind, EVENTS[kind].doc])) as Record<EventKind, string>;
/** Meanings of event kinds. */
export const MEANINGS = translated('eventMeanings', english, MEANINGS_DE);

/** Field values that are codes of the catalogue, not text of a person. */
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
