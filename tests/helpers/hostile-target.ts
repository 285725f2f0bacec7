import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { amfFields, amfObject, type AmfValue } from '../../src-main/media/containers/rtmp/amf0.ts';
import { ChunkStreamReader } from '../../src-main/media/containers/rtmp/chunk-stream-reader.ts';
import { ChunkStreamWriter } from '../../src-main/media/containers/rtmp/chunk-stream-writer.ts';
import { readCommand, writeCommand, type RtmpCommand } from '../../src-main/media/containers/rtmp/command.ts';
import { writeServerHandshake } from '../../src-main/media/containers/rtmp/handshake.ts';
import type { RtmpMessage } from '../../src-main/media/containers/rtmp/message.ts';

/** Behaviour of a target for one connection. */
export interface HostileBehaviour {
  /** Bytes of the handshake that are sent; then the target is silent. Default: all. */
  readonly handshakeBytes?: number;
  /** First bytes instead of a handshake. */
  readonly greeting?: Uint8Array;
  /** Answers to commands by name; default: a server that accepts the stream. `false`: no answer. */
  readonly answers?: Readonly<Record<string, readonly RtmpMessage[] | false>>;
  /** Description of the refusal of `connect` with this query of the application; undefined accepts. */
  readonly refusal?: (query: string) => string | undefined;
  /** Bytes after which the connection is closed. */
  readonly closeAfterBytes?: number;
  /** Whether nothing is read after the stream was accepted. */
  readonly stopsReading?: boolean;
  /** Bytes that are sent after the stream was accepted. */
  readonly afterAccept?: Uint8Array;
}

const STATUS = (code: string, level = 'status', extra: Readonly<Record<string, AmfValue>> = {}): AmfValue =>
  amfObject({ level, code, ...extra });

/** Error or status message of a server. */
export function statusMessage(
  name: 'onStatus' | '_error',
  transactionId: number,
  ...facts: Parameters<typeof STATUS>
): RtmpMessage {
  return writeCommand({ name, transactionId, args: [null, STATUS(...facts)] }, name === 'onStatus' ? 1 : 0);
}

/** RTMP server that behaves as badly as a test asks for. */
export class HostileTarget {
  /** Behaviour of the next connection. */
  behaviour: HostileBehaviour = {};
  readonly commands: RtmpCommand[] = [];
  readonly sockets: Socket[] = [];
  /** Media messages that were read. */
  mediaMessages = 0;
  /** Kinds of the media messages: `video 7` in the old form, `video hvc1` in that of Enhanced RTMP, `audio multitrack`. */
  readonly mediaKinds = new Set<string>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((socket) => {
      this.#serve(socket, this.behaviour);
    });
  }

  static async start(port = 0): Promise<HostileTarget> {
    const target = new HostileTarget();
    target.#server.listen(port, '127.0.0.1');
    await once(target.#server, 'listening');
    return target;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port; // a TCP server has an address
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #serve(socket: Socket, behaviour: HostileBehaviour): void {
    this.sockets.push(socket);
    const { handshakeBytes = Infinity, greeting, closeAfterBytes = Infinity } = behaviour;
    socket.on('error', () => {});
    const writer = new ChunkStreamWriter();
    const send = (message: RtmpMessage): void => {
      socket.write(writer.write(3, message));
    };
    const reader = new ChunkStreamReader({
      message: (type, _streamId, _timestampMs, payload) => {
        if (type === 8 || type === 9) {
          this.mediaMessages++;
          this.mediaKinds.add(mediaKind(type, Buffer.from(payload)));
        }
        const command = type === 20 ? readCommand(type, payload) : undefined;
        if (!command) return;
        this.commands.push(command);
        const refusal = command.name === 'connect' ? behaviour.refusal?.(queryOf(command)) : undefined;
        if (refusal !== undefined) {
          send(statusMessage('_error', 1, 'NetConnection.Connect.Rejected', 'error', { description: refusal }));
          socket.end();
          return;
        }
        for (const message of answersOf(command, behaviour)) send(message);
        if (command.name !== 'publish') return;
        if (behaviour.afterAccept) socket.write(behaviour.afterAccept);
        if (behaviour.stopsReading) socket.pause();
      },
      problem: () => {},
    });
    let received = Buffer.alloc(0);
    let total = 0;
    let isGreeted = false;
    socket.on('data', (bytes: Buffer) => {
      total += bytes.length;
      if (total >= closeAfterBytes) {
        socket.destroy();
        return;
      }
      if (isGreeted) {
        if (received.length === 0) reader.push(bytes);
        return;
      }
      received = Buffer.concat([received, bytes]);
      if (received.length < 1537) return;
      if (!socket.writableEnded && total - bytes.length < 1537) {
        const answer = greeting ?? writeServerHandshake(received.subarray(1, 1537), Buffer.alloc(3072, 7), 0);
        socket.write(answer.subarray(0, handshakeBytes));
      }
      if (received.length < 3073) return;
      isGreeted = true;
      const rest = received.subarray(3073);
      received = Buffer.alloc(0);
      reader.push(rest);
    });
  }
}

function mediaKind(type: 8 | 9, payload: Buffer): string {
  const [first = 0] = payload;
  const isEnhanced = type === 8 ? first >> 4 === 9 : (first & 0x80) !== 0;
  const number = type === 8 ? first >> 4 : first & 15;
  // AudioPacketType.Multitrack is 5, VideoPacketType.Multitrack 6.
  const isMultitrack = (first & 15) === (type === 8 ? 5 : 6);
  const codec = !isEnhanced ? number : isMultitrack ? 'multitrack' : payload.toString('latin1', 1, 5);
  return `${type === 8 ? 'audio' : 'video'} ${codec}`;
}

/** Query of the application of a `connect`, with its question mark. */
function queryOf({ args }: RtmpCommand): string {
  const app = amfFields(args[0])?.get('app');
  return typeof app === 'string' && app.includes('?') ? app.slice(app.indexOf('?')) : '';
}

function answersOf({ name, transactionId }: RtmpCommand, { answers }: HostileBehaviour): readonly RtmpMessage[] {
  const given = answers?.[name];
  if (given !== undefined) return given === false ? [] : given;
  if (name === 'connect')
    return [writeCommand({ name: '_result', transactionId, args: [amfObject({}), STATUS('ok')] })];
  if (name === 'createStream') return [writeCommand({ name: '_result', transactionId, args: [null, 1] })];
  if (name === 'publish') return [statusMessage('onStatus', 0, 'NetStream.Publish.Start')];
  return [];
}
