import type { EventKind } from '../../../src-preload/contract/events/catalogue.ts';
import { translated } from '../../i18n/translated.ts';
import { ADDITIONS_DE, SENTENCES_DE, type FactTexts } from './sentence-texts-de.ts';

const viewer = (fact: FactTexts): string => `Viewer ${fact('ip')}`;
/** Name of an input at the start of a sentence. The server writes `input 1` or `backup`. */
const inputAtStart = (fact: FactTexts): string => fact('input').replace(/^[ib]/, (first) => first.toUpperCase());
const source = (fact: FactTexts): string => `${inputAtStart(fact) || 'The input'} of ${fact('media')}`;

/** Sentences of event kinds, built from their fields. */
export const SENTENCES = translated<Readonly<Record<EventKind, (fact: FactTexts) => string>>>(
  'eventSentences',
  {
    server_starting: (fact) => `Airdesk ${fact('version')} is starting`,
    server_started: (fact) => `Airdesk ${fact('version')} is ready`,
    server_stopping: () => 'The server is stopping',
    open_files_exhausted: () => 'The server is out of file handles and drops connections',
    open_files_restored: () => 'The server has file handles again',
    stream_opened: (fact) => `Stream ${fact('media')} started`,
    stream_updated: (fact) => `Stream ${fact('media')} changed`,
    stream_closed: (fact) => `Stream ${fact('media')} stopped`,
    stream_idle: (fact) => `Stream ${fact('media')} has no picture`,
    splice_point: (fact) => `Splice point in ${fact('media')}`,
    media_thread_failed: (fact) => `The media thread of ${fact('media')} failed; the stream restarts`,
    input_switched: (fact) =>
      fact('from') === ''
        ? `${fact('media')} switched to ${fact('input')}`
        : `${fact('media')} switched from ${fact('from')} to ${fact('input')}`,
    input_selected: (fact) =>
      fact('input') === ''
        ? `The input of ${fact('media')} is chosen automatically again`
        : `${source(fact)} was selected by hand`,
    input_lost: (fact) => `${source(fact)} was lost`,
    input_restored: (fact) => `${source(fact)} is back`,
    input_problem: (fact) => `${source(fact)} has errors`,
    input_given_up: (fact) => `${source(fact)} was given up`,
    input_quarantined: (fact) => `${source(fact)} is in quarantine`,
    input_released: (fact) => `${source(fact)} was released from quarantine`,
    frames_timed_out: (fact) => `${source(fact)} sends no pictures`,
    frames_restored: (fact) => `${source(fact)} sends pictures again`,
    backup_started: (fact) => `${fact('media')} plays its backup file`,
    backup_stopped: (fact) => `${fact('media')} stopped playing its backup file`,
    publish_opened: (fact) => `Encoder ${fact('ip')} publishes ${fact('media')}`,
    publish_closed: (fact) => `Encoder of ${fact('media')} disconnected`,
    publish_refused: (fact) =>
      `Encoder ${fact('ip') || 'by SRT'} was refused${fact('path') || fact('media') ? ` for ${fact('path') || fact('media')}` : ''}`,
    play_opened: (fact) => `${viewer(fact)} opened ${fact('media')}`,
    play_started: (fact) => `${viewer(fact)} started to play ${fact('media')}`,
    play_updated: (fact) => `Authorization of viewer ${fact('ip')} for ${fact('media')} was renewed`,
    play_closed: (fact) => `${viewer(fact)} left ${fact('media')} after ${fact('duration_ms')}`,
    play_denied: (fact) => `${viewer(fact)} was refused for ${fact('media')}`,
    ad_inject: (fact) => `Advertisement ${fact('path')} was shown in ${fact('media')}`,
    ad_progress: (fact) => `${fact('progress')} % of advertisement ${fact('path')} was sent in ${fact('media')}`,
    ad_answer: (fact) =>
      fact('is_refused') === 'true'
        ? `The backend’s advertisement response for ${fact('media')} has errors, so no advertisements are inserted`
        : `The backend’s advertisement response for ${fact('media')} is used with a change`,
    ad_skipped: (fact) => `${fact('path') || 'A whole break'} was skipped in ${fact('media')}`,
    push_opened: (fact) => `Push of ${fact('media')} to ${fact('url')} started`,
    push_connected: (fact) => `Push of ${fact('media')} to ${fact('url')} is connected`,
    push_started: (fact) => `Push of ${fact('media')} to ${fact('url')} sends pictures`,
    push_updated: (fact) => `Push of ${fact('media')} to ${fact('url')} changed`,
    push_blocked: (fact) => `${fact('url')} does not accept ${fact('media')}`,
    push_restored: (fact) => `${fact('url')} accepts ${fact('media')} again`,
    push_reconfigured: (fact) => `Settings of the push of ${fact('media')} to ${fact('url')} changed`,
    push_closed: (fact) => `Push of ${fact('media')} to ${fact('url')} stopped`,
    config_applied: (fact) => `${fact('by')} changed the configuration`,
    config_confirmed: (fact) => `${fact('by')} kept the configuration change`,
    config_rolled_back: (fact) =>
      fact('origin') === 'timer'
        ? 'The configuration change was not confirmed in time and was reverted'
        : `${fact('by')} reverted the configuration change`,
    config_refused: () => 'The configuration file has an error and was not applied',
    dvr_new_fragment: (fact) => `Archive block of ${fact('media')} finished`,
    dvr_deleted_fragments: (fact) => `${fact('count')} archive blocks of ${fact('media')} deleted`,
    dvr_locked: (fact) => `${fact('by')} locked ${fact('duration_ms')} of ${fact('media')}`,
    dvr_unlocked: (fact) => `${fact('by')} unlocked ${fact('duration_ms')} of ${fact('media')}`,
    dvr_collapsed_write: (fact) => `The disk is slow for the recording of ${fact('media')}`,
    dvr_drop_write: (fact) => `Recording of ${fact('media')} was interrupted`,
    dvr_deletion_held: () => 'Deletion from archives is on hold',
    dvr_deletion_allowed: (fact) => `${fact('by')} allowed deletion from archives`,
    dvr_clean: () => 'Archive cleanup finished',
    dvr_copies_finished: (fact) => `${fact('count')} archive blocks copied to other disks`,
    dvr_export_finished: (fact) => `Export of ${fact('media')} ${fact('code') === '' ? 'finished' : 'failed'}`,
    clip_job_finished: (fact) => `Conversion of ${fact('clip')} ${fact('code') === '' ? 'finished' : 'failed'}`,
    dvr_consistency_check_finished: () => 'Archive check finished',
    alarm_raised: (fact) => `Alarm on ${fact('media') || 'the server'}: ${fact('alarm')}`,
    alarm_acknowledged: (fact) =>
      `${fact('by')} acknowledged the alarm on ${fact('media') || 'the server'}: ${fact('alarm')}`,
    alarm_cleared: (fact) => `Alarm on ${fact('media') || 'the server'} cleared: ${fact('alarm')}`,
    audio_silence_detected: (fact) => `The audio of ${fact('media')} is silent`,
    api_call: (fact) => `${fact('user') || 'Somebody'} made a change through the HTTP API`,
    login_accepted: (fact) => `${fact('user')} logged in from ${fact('ip')}`,
    auth_failed: (fact) => `Login ${fact('user') ? `of ${fact('user')} ` : ''}from ${fact('ip')} failed`,
    portal_key_refused: (fact) =>
      `A portal key${fact('portal_name') === '' ? '' : ` for ${fact('portal_name')}`} from ${fact('ip')} was refused`,
    events_dropped: (fact) => `${fact('count')} events for ${fact('sink') || 'all event sinks'} were dropped`,
    event_sink_test: (fact) => `${fact('who')} tested the event sink ${fact('sink')}`,
    event_sink_disabled: (fact) => `Event sink ${fact('sink')} was disabled by its receiver`,
  },
  SENTENCES_DE,
);

/** Additions after the sentence of an event. */
export const ADDITIONS = translated(
  'eventAdditions',
  { somebody: 'Somebody', refused: 'refused', onTrial: 'on trial', still: 'a still' },
  ADDITIONS_DE,
);
