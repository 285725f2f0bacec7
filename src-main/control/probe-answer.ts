import { AirdeskError, isErrorCode } from '../../src-preload/contract/errors.ts';
import type { InputProbe } from '../../src-preload/contract/api/input-probe.ts';
import type { Problem } from '../../src-preload/contract/api/streams.ts';
import type { Explained } from '../../src-preload/contract/explanations/explanations.ts';
import type { ProbedInput } from '../engine/messages.ts';
import { explained } from '../lib/error-message.ts';
import { maskExplained } from '../lib/mask-secrets.ts';
import { leftOutTracks } from '../streams/left-out-tracks.ts';
import { mediaInfo } from '../streams/media-info.ts';

/**
 * Answer to a probe of an input.
 * @param url address of the input
 * @param makePicture creates the picture; resolves with undefined if there is none
 */
export async function probeAnswer(
  url: string,
  { tracks, leftOut, problems }: Pick<ProbedInput, 'tracks' | 'leftOut' | 'problems'>,
  makePicture: () => Promise<Uint8Array | undefined>,
): Promise<InputProbe> {
  const faults: Problem[] = problems.map((problem) => ({ ...problem, ...maskExplained(problem) }));
  const picture = await makePicture().catch((error: unknown) => {
    const code = error instanceof AirdeskError ? error.code : 'codec_bad_frame';
    faults.unshift({ code, ...explained(error), at: Math.max(0, ...problems.map(({ at }) => at)), count: 1 });
    return undefined;
  });
  return {
    protocol: url.slice(0, url.indexOf('://')),
    media_info: mediaInfo(tracks),
    left_out: leftOutTracks(leftOut),
    problems: faults,
    picture: picture ? Buffer.from(picture).toString('base64') : null,
  };
}

/** Error of a probe: the end of the input, or a failure of its thread. */
export function probeFailure(reason: unknown): AirdeskError {
  const known = typeof reason === 'object' && reason !== null && 'code' in reason ? String(reason.code) : '';
  const why = isExplained(reason) ? reason : explained(reason);
  return new AirdeskError(isErrorCode(known) ? known : 'internal', maskExplained(why));
}

function isExplained(reason: unknown): reason is Explained {
  return typeof reason === 'object' && reason !== null && 'detail' in reason;
}
