import { Frame, Packet, SoftwareScaleContext, type CodecContext } from 'node-av/lib';
import { throwOnError } from '../libav/codec-error.ts';
import { jpegFrame, nameMatrix, openDecoder, type PictureInput } from './picture.ts';

/** Size of a small picture. */
export const SMALL_WIDTH = 128;
export const SMALL_HEIGHT = 72;
/** Maximum number of open decoders; the least recently used is closed. */
const MAX_DECODERS = 16;

type KeyFrame = Pick<PictureInput, 'codec' | 'decoderConfig' | 'data'>;

/** Decoder with scaler for all streams of one format: opening both for each picture costs a sixth of its time. */
class SmallPictures {
  readonly #context: CodecContext;
  readonly #packet = new Packet();
  readonly #decoded = new Frame();
  readonly #scaler = new SoftwareScaleContext();
  readonly #small = jpegFrame(SMALL_WIDTH, SMALL_HEIGHT);

  constructor(input: KeyFrame) {
    // Rough decoding: block edges are not visible in such a small picture.
    this.#context = openDecoder(input, true);
    this.#packet.alloc();
    this.#decoded.alloc();
    this.#scaler.allocContext();
  }

  /** Decodes a small picture, valid until the next call. Throws `codec_bad_frame`; the decoder is then unusable. */
  next({ data }: KeyFrame): Frame {
    const task = 'Decoding the key frame';
    this.#packet.data = Buffer.from(data.buffer, data.byteOffset, data.length);
    this.#packet.isKeyframe = true;
    const sent = this.#context.sendPacketSync(this.#packet);
    this.#packet.unref();
    throwOnError(sent, 'codec_bad_frame', task);
    this.#context.sendPacketSync(null);
    throwOnError(this.#context.receiveFrameSync(this.#decoded), 'codec_bad_frame', task);
    nameMatrix(this.#decoded);
    const scaled = this.#scaler.scaleFrameSync(this.#small, this.#decoded);
    this.#decoded.unref();
    throwOnError(scaled, 'codec_bad_frame', 'Scaling the picture');
    this.#context.flushBuffers();
    return this.#small;
  }

  close(): void {
    this.#small.free();
    this.#scaler.freeContext();
    this.#decoded.free();
    this.#packet.free();
    this.#context.freeContext();
  }
}

/** Decoders of this process by format. */
const cache = new Map<string, SmallPictures>();

/**
 * Decodes a key frame into a picture of 128 × 72 with the colours of JPEG, valid until the next call. Throws
 * `codec_bad_frame`.
 */
export function smallPicture(input: KeyFrame): Frame {
  const key = `${input.codec} ${Buffer.from(input.decoderConfig).toString('latin1')}`;
  const pictures = cache.get(key) ?? new SmallPictures(input);
  cache.delete(key);
  try {
    const small = pictures.next(input);
    if (cache.size >= MAX_DECODERS) closeOldest();
    cache.set(key, pictures);
    return small;
  } catch (error) {
    pictures.close();
    throw error;
  }
}

function closeOldest(): void {
  for (const [key, pictures] of cache) {
    pictures.close();
    cache.delete(key);
    return;
  }
}
