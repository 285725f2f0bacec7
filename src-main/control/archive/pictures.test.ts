import { describe, expect, it } from 'vitest';
import { AirdeskError, type ErrorCode } from '../../../src-preload/contract/errors.ts';
import { StreamOutput } from '../../delivery/stream-output.ts';
import { StreamRun } from '../../../tests/helpers/stream-run.ts';
import { pictureOrBusy, Pictures } from './pictures.ts';

const JPEG = Buffer.from('jpeg');
const NEWEST = { jpeg: JPEG, atMs: 5000 };
const FRAME = {
  codec: 'h264',
  decoderConfig: new Uint8Array(),
  key: 'first',
  atMs: 5000,
  data: async () => Promise.resolve(new Uint8Array()),
} as const;

/** Pictures whose first decoding fails with an error, and the number of decodings. */
function failingOnce(code: ErrorCode): { readonly get: () => Promise<unknown>; readonly count: () => number } {
  let count = 0;
  const decode = async (): Promise<Uint8Array> =>
    ++count === 1 ? Promise.reject(new AirdeskError(code)) : Promise.resolve(JPEG);
  const pictures = new Pictures(decode, () => FRAME);
  const output = new StreamOutput('cam', new StreamRun().window);
  return { get: async () => pictureOrBusy(pictures.get(output)), count: () => count };
}

describe('Pictures', () => {
  it.each(['codec_process_timeout', 'codec_process_failed', 'unavailable'] as const)(
    'are decoded again on the next request after %s',
    async (code) => {
      const { get, count } = failingOnce(code);
      expect([await get(), await get(), await get(), count()]).toEqual(['busy', NEWEST, NEWEST, 2]);
    },
  );

  it.each([
    [2000, { jpeg: JPEG, atMs: 5000 }],
    [20_000, 'busy'],
  ])(
    'are replaced by the picture before while no process is free, if it is recent: %i ms later',
    async (ms, expected) => {
      let frame: Parameters<Pictures['of']>[0] & { key: string; atMs: number } = FRAME;
      let isBusy = false;
      const decode = async (): Promise<Uint8Array> =>
        isBusy ? Promise.reject(new AirdeskError('unavailable')) : Promise.resolve(JPEG);
      const pictures = new Pictures(decode, () => frame);
      const output = new StreamOutput('cam', new StreamRun().window);
      const get = async (): Promise<unknown> => pictureOrBusy(pictures.get(output));
      await get();
      [frame, isBusy] = [{ ...FRAME, key: 'second', atMs: FRAME.atMs + ms }, true];
      expect(await get()).toEqual(expected);
      isBusy = false;
      expect(await get()).toEqual({ jpeg: JPEG, atMs: FRAME.atMs + ms });
    },
  );

  it('are tried only once for a key frame that cannot be decoded', async () => {
    const { get, count } = failingOnce('codec_bad_frame');
    await expect(get()).rejects.toThrow();
    await expect(get()).rejects.toThrow();
    expect(count()).toBe(1);
  });
});
