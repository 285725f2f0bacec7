import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { amfObject } from '../src-main/media/containers/rtmp/amf0.ts';
import { ChunkStreamReader } from '../src-main/media/containers/rtmp/chunk-stream-reader.ts';
import { ChunkStreamWriter } from '../src-main/media/containers/rtmp/chunk-stream-writer.ts';
import { readCommand, writeCommand } from '../src-main/media/containers/rtmp/command.ts';
import { writeSetChunkSize } from '../src-main/media/containers/rtmp/protocol-control.ts';
import { CHUNK_BYTES } from './flv-clip.ts';

const GREETING_BYTES = 1 + 2 * 1536;
const COMMAND = 20;

/** Receiver of the messages of a server that are not commands; the payload is only valid during the call. */
export type MediaReceiver = (type: number, payload: Uint8Array) => void;

/** Connection to an application of an RTMP server, with one stream. It waits for each reply, like real programs. */
export class RtmpClient {
  readonly socket: Socket;
  readonly #writer = new ChunkStreamWriter();
  readonly #replies: string[] = [];
  readonly #greeted = Promise.withResolvers<undefined>();
  #wake: () => void = () => {};
  #media: MediaReceiver | undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    this.#read();
  }

  /** Connects and creates a stream. @param media receives messages until it is absent */
  static async open(port: number, app: string, media?: MediaReceiver): Promise<RtmpClient> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    const client = new RtmpClient(socket);
    client.#media = media;
    socket.write(Buffer.concat([Uint8Array.of(3), new Uint8Array(1536)]));
    await client.#greeted.promise;
    socket.write(new Uint8Array(1536));
    client.#send(2, writeSetChunkSize(CHUNK_BYTES));
    const properties = amfObject({ app, type: 'nonprivate', tcUrl: `rtmp://127.0.0.1:${port}/${app}` });
    client.#send(3, writeCommand({ name: 'connect', transactionId: 1, args: [properties] }));
    await client.#reply('_result');
    client.#send(3, writeCommand({ name: 'createStream', transactionId: 4, args: [null] }));
    await client.#reply('_result');
    return client;
  }

  /** Publishes or plays a stream; resolves when the server has accepted it. */
  async start(command: 'publish' | 'play', name: string): Promise<void> {
    const args = command === 'publish' ? [null, name, 'live'] : [null, name];
    this.#send(4, writeCommand({ name: command, transactionId: 5, args }, 1));
    await this.#reply('onStatus');
  }

  /** Reads and ignores everything from now on. */
  ignore(): void {
    this.socket.removeAllListeners('data');
    this.socket.on('data', () => {});
  }

  #send(chunkStreamId: number, message: Parameters<ChunkStreamWriter['write']>[1]): void {
    this.socket.write(this.#writer.write(chunkStreamId, message));
  }

  #read(): void {
    let left = GREETING_BYTES;
    const reader = new ChunkStreamReader({
      message: (type, _streamId, _timestampMs, payload) => {
        const name = type === COMMAND ? readCommand(type, payload)?.name : undefined;
        if (name !== undefined) this.#replies.push(name);
        else this.#media?.(type, payload);
        this.#wake();
      },
      problem: ({ detail }) => {
        throw new Error(detail);
      },
    });
    this.socket.on('data', (bytes) => {
      const skipped = Math.min(left, bytes.length);
      left -= skipped;
      if (left === 0) this.#greeted.resolve(undefined);
      if (skipped < bytes.length) reader.push(bytes, skipped);
    });
    this.socket.on('close', () => {
      throw new Error('the server closed the connection of an RTMP client');
    });
  }

  async #reply(name: string): Promise<void> {
    for (;;) {
      const found = this.#replies.shift();
      if (found === name) return;
      if (found !== undefined && found !== 'onBWDone')
        throw new Error(`the server answered ${found} instead of ${name}`);
      if (found === undefined) await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
