import type { Pictures } from './pictures.ts';
import type { Recorded } from '../../delivery/recorded.ts';
import { exactPictureAt } from '../../packaging/mp4/exact-picture.ts';
import { keyFrameAt } from '../../packaging/mp4/key-frame.ts';

/** A picture of a recorded moment. */
export interface RecordedMoment {
  readonly stream: string;
  /** Epoch milliseconds. */
  readonly atMs: number;
  /** Whether it is the one that was shown then, as large as it is; else the key frame before it. */
  readonly isExact: boolean;
}

/** A JPEG of a recorded moment; undefined where there is none. Raises what keeps it from being read or decoded. */
export async function recordedPicture(
  recorded: Recorded | undefined,
  pictures: Pick<Pictures, 'exact' | 'of'>,
  { stream, atMs, isExact }: RecordedMoment,
): Promise<Uint8Array | undefined> {
  const found = await recorded?.(stream, { kind: 'segment', startMs: atMs }, undefined);
  if (!found || 'code' in found) return undefined;
  if (isExact) return pictures.exact(await exactPictureAt(found.window, atMs));
  const frame = keyFrameAt(found.window, atMs);
  return frame && pictures.of(frame);
}
