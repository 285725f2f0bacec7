import { createSocket } from 'node:dgram';
import { MpegTsWriter } from '../../src-main/media/containers/mpegts/writer.ts';
import type { AccessUnit } from '../../src-main/media/access-unit.ts';
import type { AudioTrack, Track } from '../../src-main/media/track.ts';
import { testMedia, type TestMedia } from './test-media.ts';

const PACKETS_BYTES = 7 * 188;
const TICK_MS = 20;
/** Time by which units are sent early, so that units with the same time are sent together. */
const AHEAD_TICKS = 9000;

/**
 * Live encoder that sends MPEG-TS over UDP in real time: video, audio, and further tracks that are added and removed
 * with the program map.
 */
export class TsEncoder {
  readonly #media: TestMedia = testMedia();
  readonly #socket = createSocket('udp4');
  readonly #port: number;
  readonly #writer: MpegTsWriter;
  readonly #units: Generator<AccessUnit>;
  readonly #startMs = performance.now();
  readonly #timer: NodeJS.Timeout;
  readonly #second: AudioTrack;
  #hasSecondAudio = false;
  #hasSecondVideo = false;
  #tracks: readonly Track[];
  #next: AccessUnit | undefined;
  #failure: Error | undefined;

  /** Starts to send to a port of 127.0.0.1. */
  constructor(port: number) {
    const { video, audio } = this.#media;
    this.#port = port;
    this.#second = { ...audio, id: 'a2', language: 'deu' };
    this.#tracks = [video, { ...audio, language: 'eng' }];
    this.#writer = new MpegTsWriter(this.#tracks);
    this.#units = this.#media.units(3600);
    this.#timer = setInterval(() => {
      this.#send();
    }, TICK_MS);
  }

  /** Adds or removes the second audio track of the program. */
  setSecondAudio(isPresent: boolean): void {
    this.#hasSecondAudio = isPresent;
    this.#setTracks();
  }

  /** Adds or removes the same video as another rendition of the program. */
  setSecondVideo(isPresent: boolean): void {
    this.#hasSecondVideo = isPresent;
    this.#setTracks();
  }

  /** Stops sending; throws earlier send errors. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await new Promise<void>((resolve) => {
      this.#socket.close(resolve);
    });
    if (this.#failure) throw this.#failure;
  }

  #setTracks(): void {
    const [first, sound] = [this.#tracks[0], this.#tracks.find(({ id }) => id === 'a1')];
    if (!first || !sound) return;
    const pictures = this.#hasSecondVideo ? [first, { ...first, id: 'v2' }] : [first];
    this.#tracks = [...pictures, sound, ...(this.#hasSecondAudio ? [this.#second] : [])];
    this.#writer.setTracks(this.#tracks);
  }

  #send(): void {
    const dueTicks = (performance.now() - this.#startMs) * 90 + AHEAD_TICKS;
    const writer = this.#writer;
    for (this.#next ??= this.#take(); this.#next && this.#next.dtsTicks <= dueTicks; this.#next = this.#take()) {
      const unit = this.#next;
      writer.accessUnit(unit);
      if (unit.trackId === 'a1' && this.#hasSecondAudio) writer.accessUnit({ ...unit, trackId: 'a2' });
      if (unit.trackId === 'v1' && this.#hasSecondVideo) writer.accessUnit({ ...unit, trackId: 'v2' });
    }
    writer.flush();
    const bytes = writer.take();
    for (let at = 0; at < bytes.length; at += PACKETS_BYTES)
      this.#socket.send(bytes.subarray(at, at + PACKETS_BYTES), this.#port, '127.0.0.1', (error) => {
        this.#failure ??= error ?? undefined;
      });
  }

  #take(): AccessUnit | undefined {
    const next: IteratorResult<AccessUnit, unknown> = this.#units.next();
    return next.done === true ? undefined : next.value;
  }
}
