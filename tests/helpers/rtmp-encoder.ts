import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { writeOldAudioTag } from '../../src-main/media/containers/flv/audio-tag.ts';
import { writeMetadata } from '../../src-main/media/containers/flv/metadata.ts';
import { writeOldVideoTag } from '../../src-main/media/containers/flv/video-tag.ts';
import { amfFields, amfObject, writeAmf0 } from '../../src-main/media/containers/rtmp/amf0.ts';
import type { AmfValue } from '../../src-main/media/containers/rtmp/amf0.ts';
import { ChunkStreamReader } from '../../src-main/media/containers/rtmp/chunk-stream-reader.ts';
import { ChunkStreamWriter } from '../../src-main/media/containers/rtmp/chunk-stream-writer.ts';
import { readCommand, writeCommand } from '../../src-main/media/containers/rtmp/command.ts';
import type { RtmpCommand } from '../../src-main/media/containers/rtmp/command.ts';
import { HANDSHAKE_BYTES } from '../../src-main/media/containers/rtmp/handshake.ts';
import type { RtmpMessage } from '../../src-main/media/containers/rtmp/message.ts';
import type { TestMedia } from './test-media.ts';

/** RTMP encoder for tests that can send valid and invalid messages. */
export class RtmpEncoder {
  readonly socket: Socket;
  /** Messages of the server, copied. */
  readonly messages: RtmpMessage[] = [];
  readonly #writer = new ChunkStreamWriter();
  readonly #reader = new ChunkStreamReader({
    message: (type, streamId, timestampMs, payload) => {
      this.messages.push({ type, streamId, timestampMs, payload: Uint8Array.from(payload) });
      this.#wake();
    },
    problem: (problem) => {
      throw new Error(problem.detail);
    },
  });
  /** Number of bytes of S0, S1 and S2 that are still expected. */
  #greetingLeft = 1 + 2 * HANDSHAKE_BYTES;
  #wake: () => void = () => {};
  #isClosed = false;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (bytes) => {
      const skipped = Math.min(this.#greetingLeft, bytes.length);
      this.#greetingLeft -= skipped;
      this.#reader.push(bytes, skipped);
      this.#wake();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#isClosed = true;
      this.#wake();
    });
  }

  /** Connects without sending anything. */
  static async connect(port: number): Promise<RtmpEncoder> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    return new RtmpEncoder(socket);
  }

  /** Connects and sends everything up to the publish command, without waiting for the answer. */
  static async publish(port: number, app: string, key: string): Promise<RtmpEncoder> {
    const encoder = await RtmpEncoder.connect(port);
    encoder.greet();
    encoder.command('connect', 1, [amfObject({ app, tcUrl: `rtmp://127.0.0.1/${app}`, flashVer: 'test encoder' })]);
    encoder.command('createStream', 2, [null]);
    encoder.command('publish', 3, [null, key, 'live'], 1);
    return encoder;
  }

  /** Sends C0, C1 and C2 of the simple handshake without waiting. */
  greet(): void {
    this.socket.write(Buffer.concat([Uint8Array.of(3), new Uint8Array(2 * HANDSHAKE_BYTES)]));
  }

  send(chunkStreamId: number, message: RtmpMessage): void {
    this.socket.write(this.#writer.write(chunkStreamId, message));
  }

  /** Sends a video message without its last byte. @param bytes size of the complete message, below 16 MiB */
  sendTruncated(bytes: number, chunkStreamId = 4): void {
    const chunkSize = Buffer.from([2, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
    chunkSize.writeUIntBE(bytes - 1, 13, 3);
    const header = Buffer.from([chunkStreamId, 0, 0, 0, 0, 0, 0, 9, 1, 0, 0, 0]);
    header.writeUIntBE(bytes, 4, 3);
    this.socket.write(Buffer.concat([chunkSize, header, new Uint8Array(bytes - 1)]));
  }

  command(name: string, transactionId: number, args: readonly AmfValue[], streamId = 0): void {
    this.send(3, writeCommand({ name, transactionId, args }, streamId));
  }

  /** Sends a media or data message on stream 1. */
  media(type: 8 | 9 | 18, timestampMs: number, payload: Uint8Array): void {
    this.send(type === 9 ? 6 : 4, { type, streamId: 1, timestampMs, payload });
  }

  /** Sends metadata, configurations and some seconds of media. */
  play(media: TestMedia, seconds: number): void {
    const video = { codec: 'avc1', isKeyFrame: true, compositionTimeMs: 0 };
    this.media(18, 0, writeAmf0(['@setDataFrame', ...writeMetadata({ videocodecid: 7, audiocodecid: 10 })]));
    this.media(9, 0, writeOldVideoTag({ ...video, kind: 'config', data: media.video.decoderConfig }));
    this.media(8, 0, writeOldAudioTag({ kind: 'config', codec: 'mp4a', data: media.audio.decoderConfig }));
    for (const { trackId, dtsTicks, isRandomAccess, data } of media.units(seconds)) {
      const timestampMs = Math.round(dtsTicks / 90);
      if (trackId === 'a1') this.media(8, timestampMs, writeOldAudioTag({ kind: 'frame', codec: 'mp4a', data }));
      else this.media(9, timestampMs, writeOldVideoTag({ ...video, kind: 'frame', isKeyFrame: isRandomAccess, data }));
    }
  }

  /** Commands of the server so far. */
  get commands(): RtmpCommand[] {
    return this.messages.flatMap(({ type, payload }) => (type === 20 ? (readCommand(type, payload) ?? []) : []));
  }

  /** Codes of all status objects of the server so far. */
  get statusCodes(): string[] {
    return this.commands.flatMap((command) =>
      command.args.flatMap((arg) => (amfFields(arg)?.get('code') as string | undefined) ?? []),
    );
  }

  /** Resolves when a condition is met; checked after each event of the connection. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (this.#isClosed) throw new Error(`the connection closed; status codes: ${this.statusCodes.join(', ')}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Resolves when the server has answered with this status code. */
  async untilStatus(code: string): Promise<void> {
    await this.until(() => this.statusCodes.includes(code));
  }

  /** Resolves when the connection is closed on both sides. */
  async untilClosed(): Promise<void> {
    while (!this.#isClosed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
