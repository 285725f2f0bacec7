import { isErrorCode } from '../../../src-preload/contract/index.ts';
import type { Problem, StreamState } from '../../../src-preload/contract/index.ts';
import { explainedText } from '../../lib/explanation-text.ts';
import { errorTitle } from '../../lib/error-advice.ts';
import { TEXTS } from './texts.ts';

/**
 * Condition of a stream, for display. `live`; `partial`: live without a track whose codec cannot be carried; `late`: no frames
 * have arrived for a short time; `lost`: frames have stopped; `failed`: never had frames, the input reports an error;
 * `refused`: an encoder was rejected; `waiting`: no encoder yet; `starting`; `disabled` by the configuration; `archived`: the
 * encoder has left, the archive remains.
 */
export type StreamCondition =
  'live' | 'partial' | 'late' | 'lost' | 'failed' | 'refused' | 'waiting' | 'starting' | 'disabled' | 'archived';

/** A running stream without frames for this long is late. */
const LATE_AFTER_MS = 2_000;

/** Condition of a stream, and the present age of its last frame (null before the first frame). */
export function conditionOf(
  stream: Pick<
    StreamState,
    'status' | 'alive' | 'publish_urls' | 'problems' | 'left_out' | 'is_disabled' | 'is_archive_only'
  >,
  frameAgeMs: number | null,
): StreamCondition {
  if (stream.is_archive_only) return 'archived';
  if (stream.is_disabled) return 'disabled';
  const isPartial = stream.left_out.length > 0;
  if (stream.alive && frameAgeMs !== null && frameAgeMs > LATE_AFTER_MS) return 'late';
  if (stream.alive) return isPartial ? 'partial' : 'live';
  if (frameAgeMs !== null) return 'lost';
  if (isPartial) return 'failed';
  if (stream.status === 'error') return 'failed';
  if (stream.publish_urls.length > 0) return refusalOf(stream) ? 'refused' : 'waiting';
  return stream.problems.length > 0 ? 'failed' : 'starting';
}

/** True if there is a picture to play. */
export function isPlayable(condition: StreamCondition): boolean {
  return condition === 'live' || condition === 'partial' || condition === 'late';
}

/** Conditions that need the operator now. */
const TROUBLE: ReadonlySet<StreamCondition> = new Set(['lost', 'failed', 'refused', 'late', 'partial']);

/** True if a stream needs the operator now. */
export function isTrouble(condition: StreamCondition): boolean {
  return TROUBLE.has(condition);
}

/** Codes of rejected encoders; disconnections have other codes. */
const REFUSALS: readonly string[] = ['publish_bad_password', 'publish_not_allowed', 'publish_busy', 'publish_limit'];

/** Reason why the last encoder was rejected; undefined if none was rejected, or if another problem is newer. */
export function refusalOf(stream: Pick<StreamState, 'problems'>): Problem | undefined {
  const newest = stream.problems[0];
  return newest && REFUSALS.includes(newest.code) ? newest : undefined;
}

/** Reason for a missing picture: title, code and detail of the newest problem. */
export interface Reason {
  readonly title: string;
  readonly code: string | null;
  readonly detail: string;
  readonly count: number;
}

/** Title of a problem; the code itself if it has no title. */
function problemTitle({ code }: Pick<Problem, 'code'>): string {
  return isErrorCode(code) ? errorTitle(code) : code;
}

/** Title and detail of a problem. */
export function problemText({ code, detail, explanation }: Pick<Problem, 'code' | 'detail' | 'explanation'>): string {
  const [title, text] = [problemTitle({ code }), explainedText({ detail, explanation })];
  if (detail === '' || text === title) return title;
  if (!isErrorCode(code)) return text;
  // A detail that is no sentence continues the title.
  return `${title}${/^\p{Ll}/u.test(text) ? ':' : '.'} ${text}`;
}

/** Reason for a missing picture, from the problems of the stream. */
export function reasonOf(stream: Pick<StreamState, 'problems'>): Reason {
  const problem = stream.problems[0];
  if (!problem) return { title: TEXTS.noFrames, code: null, detail: '', count: 0 };
  const title = problemTitle(problem);
  return {
    title,
    code: problem.code,
    detail: problem.detail === title ? '' : explainedText(problem),
    count: problem.count,
  };
}
