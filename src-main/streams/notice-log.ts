import type { FailoverEvent, FailoverNotice } from '../ingest/failover-notice.ts';
import { maskSecrets } from '../lib/mask-secrets.ts';
import type { Log } from '../lib/log.ts';
import type { PushEvent, PushEventNotice } from '../push/push-spec.ts';

/** Log level and message of each event. */
const MESSAGES: Readonly<Record<FailoverEvent, readonly [level: 'info' | 'warn' | 'error', message: string]>> = {
  input_switched: ['info', 'an input went on air'],
  frames_timed_out: ['warn', 'an input sends no more frames'],
  frames_restored: ['info', 'an input sends frames again'],
  input_lost: ['warn', 'an input was lost'],
  input_restored: ['info', 'an input is back'],
  input_problem: ['warn', 'an input has a fault'],
  input_given_up: ['warn', 'an input is not retried any more'],
  input_selected: ['info', 'an input was selected'],
  backup_started: ['warn', 'no input sends frames; the backup file plays'],
  backup_stopped: ['info', 'the backup file stopped'],
  stream_idle: ['warn', 'the stream has no frames'],
  media_thread_failed: ['error', 'the media thread of a stream failed; the stream is reopened'],
  input_quarantined: ['error', 'an input stopped its media thread twice and is quarantined'],
  input_released: ['info', 'an input is released from quarantine'],
};

/** Logs a change of the inputs of a stream with its event and error code. */
export function logNotice(log: Log, stream: string, { event, input, from, code, detail }: FailoverNotice): void {
  const [level, message] = MESSAGES[event];
  log[level](message, {
    stream,
    event,
    input,
    from,
    code,
    detail: detail === undefined ? undefined : maskSecrets(detail),
  });
}

/** Log level and message of each event. */
const PUSH_MESSAGES: Readonly<Record<PushEvent, readonly [level: 'info' | 'warn', message: string]>> = {
  push_opened: ['info', 'a push was set up'],
  push_connected: ['info', 'the target of a push accepted the connection'],
  push_started: ['info', 'a push sends frames'],
  push_updated: ['info', 'the tracks of a push changed'],
  push_blocked: ['warn', 'the target of a push does not accept the stream'],
  push_restored: ['info', 'the target of a push accepts the stream again'],
  push_reconfigured: ['info', 'the settings of a push changed'],
  push_closed: ['info', 'a push ended'],
};

/** Logs an event of a push. */
export function logPush(log: Log, stream: string, notice: PushEventNotice): void {
  const [level, message] = PUSH_MESSAGES[notice.event];
  const fault = 'code' in notice ? { code: notice.code, detail: maskSecrets(notice.detail) } : {};
  log[level](message, { stream, event: notice.event, url: notice.url, ...fault });
}
