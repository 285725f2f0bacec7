import type { Explanation } from '../../src-preload/contract/explanations/explanations.ts';

/** Event of the inputs of a stream. The names never change, because logs and events contain them. */
export type FailoverEvent =
  /** The output continues with another input. */
  | 'input_switched'
  /** An input sent no frames for its `frames_timeout`. */
  | 'frames_timed_out'
  /** A silent input sends frames again on the same connection. */
  | 'frames_restored'
  /** A connection ended or failed; reported once until frames arrive again. */
  | 'input_lost'
  /** A lost input sends frames again. */
  | 'input_restored'
  /** The data of an input has a fault; each code is reported at most once a minute. */
  | 'input_problem'
  /** The maximum number of attempts for an input was reached. */
  | 'input_given_up'
  /** An operator selected the input, or returned the choice to the server. */
  | 'input_selected'
  /** No input sends frames: the backup file plays. */
  | 'backup_started'
  /** An input replaced the backup file. */
  | 'backup_stopped'
  /** Neither inputs nor backup send frames; the open segments were ended. */
  | 'stream_idle'
  /** The media thread of the stream crashed; the stream is opened again. */
  | 'media_thread_failed'
  /** An input crashed its media thread twice, and is not opened for a while. */
  | 'input_quarantined'
  /** An operator lifted the quarantine of an input. */
  | 'input_released';

/** One change of the inputs of a stream, for the log. */
export interface FailoverNotice {
  readonly event: FailoverEvent;
  /** Input concerned: `input 1`, counted in the order of the configuration, or `backup`. */
  readonly input?: string;
  /** Previous input on air, for `input_switched`. */
  readonly from?: string;
  /** Code of the error catalogue, if the reason has one. */
  readonly code?: string;
  readonly detail?: string;
  readonly explanation?: Explanation | undefined;
}
