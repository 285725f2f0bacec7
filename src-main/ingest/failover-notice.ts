/** What can happen to the inputs of a stream. The names never change: logs, and later events, carry them. */
export type FailoverEvent =
  /** The output goes on with another input. */
  | 'input_switched'
  /** An input that gave frames gives none for its `frames_timeout`. */
  | 'frames_timed_out'
  /** The frames of a silent input came again, on the same connection. */
  | 'frames_restored'
  /** A connection ended, or could not be made; reported once until frames come again. */
  | 'input_lost'
  /** An input that was lost gives frames. */
  | 'input_restored'
  /** What an input gives has a fault; each code is reported at most once a minute. */
  | 'input_problem'
  /** An input was tried as often as it may be. */
  | 'input_given_up'
  /** An operator selected the input, or returned the choice to the server. */
  | 'input_selected'
  /** No input gives frames: the backup file plays. */
  | 'backup_started'
  /** An input took over from the backup file. */
  | 'backup_stopped'
  /** Nothing gives frames; the open segments were ended. */
  | 'stream_idle'
  /** The media thread of the stream died; the stream is opened again. */
  | 'media_thread_failed'
  /** An input ended its media thread twice, and is not opened for a while. */
  | 'input_quarantined'
  /** An operator lifted the quarantine of an input. */
  | 'input_released';

/** One change of the inputs of a stream, for the log. */
export interface FailoverNotice {
  readonly event: FailoverEvent;
  /** What it happened to: `input 1`, counted in the order of the configuration, or `backup`. */
  readonly input?: string;
  /** The input that was on air before, for `input_switched`. */
  readonly from?: string;
  /** Code of the error catalogue, where there is a reason that is one. */
  readonly code?: string;
  readonly detail?: string;
}
