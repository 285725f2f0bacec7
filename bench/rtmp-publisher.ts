import type { Socket } from 'node:net';
import { CLIP_SECONDS } from './bench-media.ts';
import { messageHeader, type ClipMessage, type FlvClip } from './flv-clip.ts';
import { RtmpClient } from './rtmp-client.ts';

/** Destination of a publisher. */
export interface PublishTarget {
  readonly port: number;
  readonly app: string;
  readonly name: string;
}

/** Encoder that sends the clip repeatedly in real time. It costs little, and waits for each reply like real encoders. */
export class RtmpPublisher {
  readonly #socket: Socket;
  readonly #clip: FlvClip;
  #startMs = 0;
  #next = 0;
  #loops = 0;

  private constructor(socket: Socket, clip: FlvClip) {
    this.#socket = socket;
    this.#clip = clip;
  }

  /** Connects and publishes; resolves when the server has accepted the stream. */
  static async start({ port, app, name }: PublishTarget, clip: FlvClip): Promise<RtmpPublisher> {
    const client = await RtmpClient.open(port, app);
    const publisher = new RtmpPublisher(client.socket, clip);
    await client.start('publish', name);
    for (const message of clip.head) publisher.#sendMedia(message, 0);
    publisher.#startMs = performance.now();
    return publisher;
  }

  /**
   * Sends due messages.
   * @param sent called for each picture with its number since the start
   */
  tick(nowMs: number, sent: ((picture: number) => void) | undefined): void {
    const { loop, pictures } = this.#clip;
    for (;;) {
      const message = loop[this.#next];
      if (!message) return;
      const timestampMs = message.timestampMs + this.#loops * CLIP_SECONDS * 1000;
      if (timestampMs > nowMs - this.#startMs) return;
      if (sent && message.picture >= 0) sent(this.#loops * pictures + message.picture);
      this.#sendMedia(message, timestampMs);
      if (++this.#next === loop.length) {
        this.#next = 0;
        this.#loops++;
      }
    }
  }

  /** Due time of the next message by `performance.now`, in milliseconds. */
  get nextMs(): number {
    const timestampMs = this.#clip.loop[this.#next]?.timestampMs ?? 0;
    return this.#startMs + this.#loops * CLIP_SECONDS * 1000 + timestampMs;
  }

  /** Bytes that the server has not read. */
  get queuedBytes(): number {
    return this.#socket.writableLength;
  }

  /** Sends a message. Header and payload are two writes, as in ffmpeg, so a server may get them in two reads. */
  #sendMedia(message: ClipMessage, timestampMs: number): void {
    this.#socket.write(messageHeader(message, timestampMs));
    this.#socket.write(message.chunked);
  }
}
