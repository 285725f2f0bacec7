import { writeOldAudioTag } from '../../src-main/media/containers/flv/audio-tag.ts';
import { writeOldVideoTag } from '../../src-main/media/containers/flv/video-tag.ts';
import { writeAmf0 } from '../../src-main/media/containers/rtmp/amf0.ts';
import type { AmfValue } from '../../src-main/media/containers/rtmp/amf0.ts';
import { RtmpEncoder } from './rtmp-encoder.ts';
import type { TestMedia } from './test-media.ts';

/** Interval of sending due frames, in milliseconds. */
const TICK_MS = 20;

/** RTMP encoder that sends in real time, with timestamps set by a test. */
export class OddClockEncoder {
  readonly #encoder: RtmpEncoder;
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout;

  private constructor(encoder: RtmpEncoder, media: TestMedia, clock: (ms: number) => number) {
    this.#encoder = encoder;
    const units = media.units(600);
    const startMs = performance.now();
    const video = { codec: 'avc1', isKeyFrame: true, compositionTimeMs: 0 };
    const stamp = (ms: number): number => Math.round(clock(ms)) % 2 ** 32;
    this.#now = () => stamp(performance.now() - startMs);
    encoder.media(9, stamp(0), writeOldVideoTag({ ...video, kind: 'config', data: media.video.decoderConfig }));
    encoder.media(8, stamp(0), writeOldAudioTag({ kind: 'config', codec: 'mp4a', data: media.audio.decoderConfig }));
    let next = units.next();
    this.#timer = setInterval(() => {
      while (!next.done && next.value.dtsTicks / 90 <= performance.now() - startMs) {
        const { trackId, dtsTicks, isRandomAccess, data } = next.value;
        const at = stamp(dtsTicks / 90);
        if (trackId === 'a1') encoder.media(8, at, writeOldAudioTag({ kind: 'frame', codec: 'mp4a', data }));
        else encoder.media(9, at, writeOldVideoTag({ ...video, kind: 'frame', isKeyFrame: isRandomAccess, data }));
        next = units.next();
      }
    }, TICK_MS);
  }

  /**
   * Starts to publish.
   *
   * @param clock returns the timestamp in milliseconds of a frame that is due at a time after the start
   */
  static async publish(
    port: number,
    app: string,
    key: string,
    media: TestMedia,
    clock: (ms: number) => number,
  ): Promise<OddClockEncoder> {
    return new OddClockEncoder(await RtmpEncoder.publish(port, app, key), media, clock);
  }

  /** Timestamp of a message sent now, in milliseconds. */
  get nowMs(): number {
    return this.#now();
  }

  /** Sends a data message. */
  data(timestampMs: number, values: readonly AmfValue[]): void {
    this.#encoder.media(18, timestampMs, writeAmf0(values));
  }

  close(): void {
    clearInterval(this.#timer);
    this.#encoder.socket.destroy();
  }
}
