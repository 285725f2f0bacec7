import type { Pictures } from './pictures.ts';
import type { Recorded } from '../../delivery/recorded.ts';
import { exactPictureAt } from '../../packaging/mp4/exact-picture.ts';
import { keyFrameAt } from '../../packaging/mp4/key-frame.ts';

/** Picture at a recorded time. */
export interface RecordedMoment {
  readonly stream: string;
  /** Epoch milliseconds. */
  readonly atMs: number;
  /** True for the picture that is shown at that time, in its full size; false for the key frame before it. */
  readonly isExact: boolean;
}

/** JPEG of a recorded time; undefined if nothing is recorded. Raises read and decoding errors. */
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
