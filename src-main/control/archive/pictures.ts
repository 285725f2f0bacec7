import { AirdeskError, type ErrorCode } from '../../../src-preload/contract/errors.ts';
import type { PictureInput } from '../../codec/jobs/picture.ts';
import type { StreamOutput } from '../../delivery/stream-output.ts';

/** Decodes a key frame to a JPEG, in a codec process. */
export type DecodePicture = (input: Omit<PictureInput, 'quality'>) => Promise<Uint8Array>;

/** Finds the newest key frame of a stream: the first sample of the newest part that starts with one. */
export type FindKeyFrame = (output: StreamOutput) => KeyFrame | undefined;

/** Coded picture that can be decoded without other pictures. */
interface KeyFrame {
  readonly codec: 'h264' | 'h265';
  readonly decoderConfig: Uint8Array;
  /** Identifies the picture inside its stream. */
  readonly key: string;
  /** Position on the timeline of its window: epoch milliseconds for a live stream. */
  readonly atMs: number;
  /** Copy of its data. */
  data(): Promise<Uint8Array>;
}

/** Picture with the pictures that must be decoded after its random access point. */
type CodedPicture = Pick<PictureInput, 'codec' | 'decoderConfig' | 'data' | 'following'>;

/** Maximum width and height of a picture, in pixels. */
const MAX_WIDTH = 1280;
const MAX_HEIGHT = 720;

/** Errors of the codec processes that do not mean that the picture is damaged. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['unavailable', 'codec_process_timeout', 'codec_process_failed']);

/**
 * Maximum distance of an earlier picture from the newest key frame, in milliseconds, to be shown in its place. Many encoders
 * send a key frame only this often.
 */
const MAX_EARLIER_MS = 10_000;

interface Cached {
  readonly key: string;
  readonly picture: Promise<StreamPicture>;
}

interface StreamPicture {
  readonly jpeg: Uint8Array;
  /** Position of its key frame on the timeline of the window, in milliseconds. */
  readonly atMs: number;
}

/** Pictures of streams, decoded on request and at most once for each key frame. */
export class Pictures {
  readonly #decode: DecodePicture;
  readonly #findKeyFrame: FindKeyFrame;
  readonly #cache = new WeakMap<StreamOutput, Cached>();
  /** Last decoded picture of each stream. */
  readonly #decoded = new WeakMap<StreamOutput, StreamPicture>();

  constructor(decode: DecodePicture, findKeyFrame: FindKeyFrame) {
    this.#decode = decode;
    this.#findKeyFrame = findKeyFrame;
  }

  /**
   * Picture of the newest key frame; undefined without video. Decoding a damaged picture is tried once. After an error of the
   * codec process, the next call tries again, and this call gets the picture before if it is recent.
   */
  async get(output: StreamOutput | undefined): Promise<StreamPicture | undefined> {
    const frame = output && this.#findKeyFrame(output);
    if (!output || !frame) return undefined;
    try {
      const picture = await this.#newest(output, frame);
      this.#decoded.set(output, picture);
      return picture;
    } catch (error) {
      const earlier = this.#decoded.get(output);
      if (earlier && isPassing(error) && Math.abs(frame.atMs - earlier.atMs) <= MAX_EARLIER_MS) return earlier;
      throw error;
    }
  }

  async #newest(output: StreamOutput, frame: KeyFrame): Promise<StreamPicture> {
    const cached = this.#cache.get(output);
    if (cached?.key === frame.key) return cached.picture;
    const { atMs } = frame;
    const picture = this.of(frame).then((jpeg) => ({ jpeg, atMs }));
    this.#cache.set(output, { key: frame.key, picture });
    picture.catch((error: unknown) => {
      if (isPassing(error) && this.#cache.get(output)?.picture === picture) this.#cache.delete(output);
    });
    return picture;
  }

  /** JPEG of any picture in its full size; undefined without one. Raises decoding errors. */
  async exact(picture: CodedPicture | undefined): Promise<Uint8Array | undefined> {
    return picture && this.#decode(picture);
  }

  /** JPEG of a key frame. Raises read and decoding errors. */
  async of({ codec, decoderConfig, data }: Omit<KeyFrame, 'key' | 'atMs'>): Promise<Uint8Array> {
    return this.#decode({ codec, decoderConfig, data: await data(), maxWidth: MAX_WIDTH, maxHeight: MAX_HEIGHT });
  }
}

/** Resolves with a picture, or with `busy` if the codec processes could not create it this time. Raises other errors. */
export async function pictureOrBusy<T>(making: Promise<T>): Promise<T | 'busy'> {
  return making.catch((error: unknown) => {
    if (isPassing(error)) return 'busy';
    throw error;
  });
}

function isPassing(error: unknown): boolean {
  return error instanceof AirdeskError && PASSING.has(error.code);
}
