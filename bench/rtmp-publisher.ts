import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { amfObject } from '../src-main/media/containers/rtmp/amf0.ts';
import { ChunkStreamReader } from '../src-main/media/containers/rtmp/chunk-stream-reader.ts';
import { ChunkStreamWriter } from '../src-main/media/containers/rtmp/chunk-stream-writer.ts';
import { readCommand, writeCommand } from '../src-main/media/containers/rtmp/command.ts';
import { writeSetChunkSize } from '../src-main/media/containers/rtmp/protocol-control.ts';
import { CLIP_SECONDS } from './bench-media.ts';
import { CHUNK_BYTES, messageHeader, type ClipMessage, type FlvClip } from './flv-clip.ts';

const GREETING_BYTES = 1 + 2 * 1536;

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
  readonly #writer = new ChunkStreamWriter();
  #startMs = 0;
  #next = 0;
  #loops = 0;

  private constructor(socket: Socket, clip: FlvClip) {
    this.#socket = socket;
    this.#clip = clip;
  }

  /** Connects and publishes; resolves when the server has accepted the stream. */
  static async start({ port, app, name }: PublishTarget, clip: FlvClip): Promise<RtmpPublisher> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    const publisher = new RtmpPublisher(socket, clip);
    const replies = new Replies(socket);
    socket.write(Buffer.concat([Uint8Array.of(3), new Uint8Array(1536)]));
    await replies.greeted;
    socket.write(new Uint8Array(1536));
    publisher.#send(2, writeSetChunkSize(CHUNK_BYTES));
    publisher.#send(
      3,
      writeCommand({
        name: 'connect',
        transactionId: 1,
        args: [amfObject({ app, type: 'nonprivate', tcUrl: `rtmp://127.0.0.1:${port}/${app}` })],
      }),
    );
    await replies.next('_result');
    publisher.#send(3, writeCommand({ name: 'createStream', transactionId: 4, args: [null] }));
    await replies.next('_result');
    publisher.#send(4, writeCommand({ name: 'publish', transactionId: 5, args: [null, name, 'live'] }, 1));
    await replies.next('onStatus');
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

  #send(chunkStreamId: number, message: Parameters<ChunkStreamWriter['write']>[1]): void {
    this.#socket.write(this.#writer.write(chunkStreamId, message));
  }

  /** Sends a message. Header and payload are two writes, as in ffmpeg, so a server may get them in two reads. */
  #sendMedia(message: ClipMessage, timestampMs: number): void {
    this.#socket.write(messageHeader(message, timestampMs));
    this.#socket.write(message.chunked);
  }
}

/** Commands of the server, one after another. */
class Replies {
  readonly greeted: Promise<void>;
  readonly #names: string[] = [];
  #wake: () => void = () => {};

  constructor(socket: Socket) {
    let left = GREETING_BYTES;
    const greeted = Promise.withResolvers<undefined>();
    this.greeted = greeted.promise;
    const reader = new ChunkStreamReader({
      message: (type, _streamId, _timestampMs, payload) => {
        const name = type === 20 ? readCommand(type, payload)?.name : undefined;
        if (name !== undefined) this.#names.push(name);
        this.#wake();
      },
      problem: ({ detail }) => {
        throw new Error(detail);
      },
    });
    socket.on('data', (bytes) => {
      const skipped = Math.min(left, bytes.length);
      left -= skipped;
      if (left === 0) greeted.resolve(undefined);
      if (skipped < bytes.length) reader.push(bytes, skipped);
    });
    socket.on('close', () => {
      throw new Error('the server closed the connection of a publisher');
    });
  }

  async next(name: string): Promise<void> {
    for (;;) {
      const found = this.#names.shift();
      if (found === name) return;
      if (found !== undefined && found !== 'onBWDone')
        throw new Error(`the server answered ${found} instead of ${name}`);
      if (found === undefined) await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
