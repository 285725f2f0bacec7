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
    publisher_left: 'its encoder disconnected',
    silent: 'no request for some time',
    disconnected: 'the viewer disconnected',
    denied: 'the authorization was withdrawn',
    redirected: 'the viewer was redirected',
    limit: 'the session limit of the user was reached',
    closed: 'an operator disconnected the viewer',
    stream_gone: 'the stream is gone',
    server_stopped: 'the server stopped',
    age: 'their retention has expired',
    size: 'the archive is over its size limit',
    disk: 'the disk is over its usage limit',
    request: 'at the request of an operator',
    clock: 'the clock jumped',
    locks: 'the lock database was lost or is outdated',
    catalog: 'the recording catalog was lost',
    state: 'the file with the state of the archives was lost',
    too_fast: 'they came faster than the disk could store them',
    queue_full: 'the queue is full',
    disk_failed: 'the disk failed',
    'events_dropped limit': 'the queue reached its limit',
    too_large: 'the event is too large',
    clip_not_found: 'the clip does not exist',
    clip_unusable: 'the clip cannot be used',
    clip_differs: 'the clip differs from the format of the stream',
    clip_not_ready: 'the clip was not ready in time',
    break_without_clips: 'none of its clips can be shown',
    viewer_absent: 'the viewer did not request the break',
  },
  VALUES_DE,
);
