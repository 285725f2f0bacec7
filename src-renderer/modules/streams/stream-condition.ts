import { isErrorCode } from '../../../src-preload/contract/index.ts';
import type { Problem, StreamState } from '../../../src-preload/contract/index.ts';
import { detailText } from '../../lib/detail-text.ts';
import { errorTitle } from '../../lib/error-advice.ts';
import { TEXTS } from './texts.ts';

/**
 * Condition of a stream as an operator sees it: `live`; `late` (frames fail to come, but not long enough to call it lost); `lost` (there were frames);
 * `failed` (there never were, and the input says why); `refused` (an encoder came and was turned away); `waiting` for an encoder; `starting`; `disabled` by the configuration; `archived`: its encoder is gone and
 * its archive is left.
 */
export type StreamCondition =
  'live' | 'late' | 'lost' | 'failed' | 'refused' | 'waiting' | 'starting' | 'disabled' | 'archived';

/** Without a frame for so long a running stream is shown as late. */
const LATE_AFTER_MS = 2_000;

/** The condition of a stream, with the age of its last frame as of now (null before the first frame). */
export function conditionOf(
  stream: Pick<StreamState, 'status' | 'alive' | 'publish_urls' | 'problems' | 'is_disabled' | 'is_archive_only'>,
  frameAgeMs: number | null,
): StreamCondition {
  if (stream.is_archive_only) return 'archived';
  if (stream.is_disabled) return 'disabled';
  if (stream.alive) return frameAgeMs !== null && frameAgeMs > LATE_AFTER_MS ? 'late' : 'live';
  if (frameAgeMs !== null) return 'lost';
  if (stream.status === 'error') return 'failed';
  if (stream.publish_urls.length > 0) return refusalOf(stream) ? 'refused' : 'waiting';
  return stream.problems.length > 0 ? 'failed' : 'starting';
}

/** Whether there is a picture to play. */
export function isPlayable(condition: StreamCondition): boolean {
  return condition === 'live' || condition === 'late';
}

/** Whether it needs the operator now. */
export function isTrouble(condition: StreamCondition): boolean {
  return condition === 'lost' || condition === 'failed' || condition === 'late' || condition === 'refused';
}

/** Codes with which an encoder is turned away; one that comes and goes by itself has others. */
const REFUSALS: readonly string[] = ['publish_bad_password', 'publish_not_allowed', 'publish_busy', 'publish_limit'];

/** Why the newest encoder was turned away; undefined where none was, or something else happened since. */
export function refusalOf(stream: Pick<StreamState, 'problems'>): Problem | undefined {
  const newest = stream.problems[0];
  return newest && REFUSALS.includes(newest.code) ? newest : undefined;
}

/** Why there is no picture: the newest problem in words, its code, and what exactly was said. */
export interface Reason {
  readonly title: string;
  readonly code: string | null;
  readonly detail: string;
  readonly count: number;
}

/** What a problem is called, in words where its code has some. */
function problemTitle({ code }: Pick<Problem, 'code'>): string {
  return isErrorCode(code) ? errorTitle(code) : code;
}

/** A problem in words: what is wrong, and what exactly. */
export function problemText({ code, detail }: Pick<Problem, 'code' | 'detail'>): string {
  const [title, words] = [problemTitle({ code }), detailText(detail)];
  return detail === '' || words === title ? title : isErrorCode(code) ? `${title}. ${words}` : words;
}

/** The reason that a stream itself gives for having no picture. */
export function reasonOf(stream: Pick<StreamState, 'problems'>): Reason {
  const problem = stream.problems[0];
  if (!problem) return { title: TEXTS.noFrames, code: null, detail: '', count: 0 };
  const title = problemTitle(problem);
  return {
    title,
    code: problem.code,
    detail: problem.detail === title ? '' : detailText(problem.detail),
    count: problem.count,
  };
}
