import type { FailoverEvent, FailoverNotice } from '../ingest/failover-notice.ts';
import { maskSecrets } from '../lib/mask-secrets.ts';
import type { Log } from '../lib/log.ts';

/** Log level and message of each event. */
const WORDS: Readonly<Record<FailoverEvent, readonly [level: 'info' | 'warn' | 'error', message: string]>> = {
  input_switched: ['info', 'an input went on air'],
  frames_timed_out: ['warn', 'the frames of an input stopped'],
  frames_restored: ['info', 'the frames of an input are back'],
  input_lost: ['warn', 'an input was lost'],
  input_restored: ['info', 'an input is back'],
  input_problem: ['warn', 'what an input gives has a fault'],
  input_given_up: ['warn', 'an input is not tried any more'],
  input_selected: ['info', 'an input was chosen'],
  backup_started: ['warn', 'no input gives frames: the backup file plays'],
  backup_stopped: ['info', 'the backup file stopped'],
  stream_idle: ['warn', 'nothing gives frames'],
  media_thread_failed: ['error', 'the media thread of a stream died; the stream is opened again'],
  input_quarantined: ['error', 'an input ended its media thread twice and is held back'],
  input_released: ['info', 'an input is not held back any more'],
};

/** Logs a change of the inputs of a stream with its event and error code. */
export function logNotice(log: Log, stream: string, { event, input, from, code, detail }: FailoverNotice): void {
  const [level, message] = WORDS[event];
  log[level](message, {
    stream,
    event,
    input,
    from,
    code,
    detail: detail === undefined ? undefined : maskSecrets(detail),
  });
}
