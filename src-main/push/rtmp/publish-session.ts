import { because, type Explained } from '../../../src-preload/contract/explanations/explanations.ts';
import type { FormatProblem } from '../../media/access-unit.ts';
import { amfFields, amfObject, type AmfValue } from '../../media/containers/rtmp/amf0.ts';
import { ChunkStreamReader } from '../../media/containers/rtmp/chunk-stream-reader.ts';
import { ChunkStreamWriter } from '../../media/containers/rtmp/chunk-stream-writer.ts';
import { readCommand, writeCommand, type RtmpCommand } from '../../media/containers/rtmp/command.ts';
import { HANDSHAKE_BYTES, RTMP_VERSION } from '../../media/containers/rtmp/handshake.ts';
import {
  CHUNK_STREAM,
  MESSAGE_TYPE,
  type RtmpMessage,
  type RtmpMessageSink,
} from '../../media/containers/rtmp/message.ts';
import {
  readControlValue,
  readUserControl,
  USER_CONTROL,
  writeAcknowledgement,
  writeSetChunkSize,
  writeUserControl,
  writeWindowAcknowledgementSize,
} from '../../media/containers/rtmp/protocol-control.ts';
import { SHARED_CHUNK_BYTES } from '../../media/containers/rtmp/shared-message.ts';
import type { PushFault } from '../target/push-target.ts';
import type { PublishLogin } from './publish-login.ts';
import { withoutKey, type RtmpAddress } from './rtmp-address.ts';

/** Properties that a target states in its answers to `connect`. */
export type ConnectAnswer = ReadonlyMap<string, AmfValue>;

/** Port from a session to its socket. */
export interface PublishSessionPort {
  write(bytes: Uint8Array): void;
  /** The target takes media. @param streamId message stream of the media */
  accepted(streamId: number, answer: ConnectAnswer): void;
  /** The target wants a new connection with the query of the login. */
  again(): void;
  /** The target refused, or its bytes cannot be read. */
  failed(fault: PushFault): void;
}

/** Transaction ids of the commands (RTMP 1.0, section 7.2.1). */
const TRANSACTION = { connect: 1, releaseStream: 2, publishAnnounced: 3, createStream: 4, publish: 5 } as const;

/** S0, S1 and S2 (RTMP 1.0, section 5.2). */
const ANSWER_BYTES = 1 + 2 * HANDSHAKE_BYTES;
/** Maximum size of an answer of a target. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** Number of bytes after which the target should acknowledge what it received. */
const OUR_WINDOW_BYTES = 256 * 1024;
/** Number of bytes from the target that are acknowledged, unless it states another one. */
const THEIR_WINDOW_BYTES = 2_500_000;
const COUNTER_BYTES = 2 ** 32;

/** Codecs that are announced to the target (Enhanced RTMP v2, "Enhancing NetConnection connect Command"). */
const FOUR_CCS = ['avc1', 'hvc1', 'mp4a', '.mp3', 'Opus', 'ac-3', 'ec-3'] as const;

/** Publisher's side of an RTMP connection: handshake, commands, and the acknowledgements of the target. */
export class PublishSession implements RtmpMessageSink {
  /** Bytes that the target has acknowledged, with the handshake; null before the first acknowledgement. */
  acknowledgedBytes: number | null = null;
  readonly #address: RtmpAddress;
  readonly #login: PublishLogin;
  readonly #port: PublishSessionPort;
  readonly #reader = new ChunkStreamReader(this, {
    maxMessageBytes: MAX_ANSWER_BYTES,
    maxChunkStreams: 16,
    maxGatheredBytes: 2 * MAX_ANSWER_BYTES,
  });
  readonly #writer = new ChunkStreamWriter();
  /** Bytes of the handshake; undefined after it. */
  #greeting: Buffer | undefined = Buffer.alloc(0);
  #answer = new Map<string, AmfValue>();
  #streamId = 0;
  #stage: 'handshake' | 'connect' | 'create' | 'publish' | 'accepted' | 'over' = 'handshake';
  #receivedBytes = 0;
  #confirmedBytes = 0;
  #windowBytes = THEIR_WINDOW_BYTES;

  /** @param login state of the login, which all connections of an attempt share */
  constructor(address: RtmpAddress, login: PublishLogin, port: PublishSessionPort) {
    this.#address = address;
    this.#login = login;
    this.#port = port;
  }

  /** Starts the handshake. @param random fills C1: 1528 random bytes */
  start(random: Uint8Array): void {
    const hello = Buffer.alloc(1 + HANDSHAKE_BYTES);
    hello[0] = RTMP_VERSION;
    hello.set(random.subarray(0, HANDSHAKE_BYTES - 8), 9);
    this.#port.write(hello);
  }

  /** Processes bytes of the target, which are borrowed. */
  push(bytes: Uint8Array): void {
    if (this.#stage === 'over') return;
    this.#receivedBytes += bytes.length;
    if (this.#greeting) this.#greet(this.#greeting, bytes);
    else this.#reader.push(bytes);
    if (this.#receivedBytes - this.#confirmedBytes < this.#windowBytes) return;
    this.#confirmedBytes = this.#receivedBytes;
    this.#send(CHUNK_STREAM.control, writeAcknowledgement(this.#receivedBytes % COUNTER_BYTES));
  }

  /** Ends the publication (RTMP 1.0, section 7.2.2.3; `FCUnpublish` as encoders send it). */
  end(): void {
    if (this.#stage === 'accepted') {
      this.#command({ name: 'FCUnpublish', transactionId: 0, args: [null, this.#address.name] });
      this.#command({ name: 'deleteStream', transactionId: 0, args: [null, this.#streamId] });
    }
    this.#over();
  }

  message(type: number, _streamId: number, _timestampMs: number, payload: Uint8Array): void {
    switch (type) {
      case MESSAGE_TYPE.commandAmf0:
      case MESSAGE_TYPE.commandAmf3: {
        const command = readCommand(type, payload);
        if (command) this.#take(command);
        return;
      }
      case MESSAGE_TYPE.acknowledgement:
        this.#acknowledged(readControlValue(payload));
        return;
      case MESSAGE_TYPE.windowAcknowledgementSize:
        this.#windowBytes = Math.max(readControlValue(payload) ?? 0, MAX_ANSWER_BYTES);
        return;
      case MESSAGE_TYPE.userControl: {
        const control = readUserControl(payload);
        if (control?.event !== USER_CONTROL.pingRequest) return;
        this.#send(CHUNK_STREAM.control, writeUserControl({ event: USER_CONTROL.pingResponse, value: control.value }));
      }
    }
  }

  problem({ detail, explanation }: FormatProblem): void {
    this.#fail('push_bad_answer', because('push_answer_damaged', { explanation: { detail, explanation } }));
  }

  #greet(before: Buffer, bytes: Uint8Array): void {
    const greeting = Buffer.concat([before, bytes.subarray(0, ANSWER_BYTES - before.length)]);
    if (greeting[0] !== RTMP_VERSION) {
      this.#fail('push_bad_answer', because('push_answer_not_rtmp'));
      return;
    }
    this.#greeting = greeting;
    if (greeting.length < ANSWER_BYTES) return;
    this.#greeting = undefined;
    // C2 repeats S1.
    this.#port.write(greeting.subarray(1, 1 + HANDSHAKE_BYTES));
    this.#connect();
    this.#reader.push(bytes, ANSWER_BYTES - before.length);
  }

  #connect(): void {
    this.#stage = 'connect';
    const { app, tcUrl } = this.#address;
    const { query } = this.#login;
    const properties = amfObject({
      app: app + query,
      type: 'nonprivate',
      flashVer: 'FMLE/3.0 (compatible; Airdesk)',
      tcUrl: tcUrl + query,
      fourCcList: [...FOUR_CCS],
    });
    this.#command({ name: 'connect', transactionId: TRANSACTION.connect, args: [properties] });
  }

  #take({ name, transactionId, args }: RtmpCommand): void {
    const info = args.map((arg) => amfFields(arg)).findLast((fields) => fields !== undefined);
    if (name === '_result') this.#result(transactionId, args);
    else if (name === '_error') this.#refused(transactionId, info);
    else if (name === 'onStatus') this.#status(info);
    else if (name === 'close') this.#fail('push_lost', because('push_closed_by_target'));
  }

  #result(transactionId: number, args: readonly AmfValue[]): void {
    if (this.#stage === 'connect' && transactionId === TRANSACTION.connect) {
      this.#answer = new Map(args.flatMap((arg) => [...(amfFields(arg) ?? [])]));
      this.#create();
    } else if (this.#stage === 'create' && transactionId === TRANSACTION.createStream) {
      const streamId = args.find((arg) => typeof arg === 'number');
      this.#publish(streamId ?? 1);
    }
  }

  #create(): void {
    this.#stage = 'create';
    const { name } = this.#address;
    this.#send(CHUNK_STREAM.control, writeWindowAcknowledgementSize(OUR_WINDOW_BYTES));
    this.#send(CHUNK_STREAM.control, writeSetChunkSize(SHARED_CHUNK_BYTES));
    // Servers of older encoders free the name with these commands. Other servers ignore them.
    this.#command({ name: 'releaseStream', transactionId: TRANSACTION.releaseStream, args: [null, name] });
    this.#command({ name: 'FCPublish', transactionId: TRANSACTION.publishAnnounced, args: [null, name] });
    this.#command({ name: 'createStream', transactionId: TRANSACTION.createStream, args: [null] });
  }

  #publish(streamId: number): void {
    this.#stage = 'publish';
    this.#streamId = streamId;
    const { name } = this.#address;
    this.#command({ name: 'publish', transactionId: TRANSACTION.publish, args: [null, name, 'live'] }, streamId);
  }

  #status(info: ConnectAnswer | undefined): void {
    const code = textOf(info, 'code');
    if (code === 'NetStream.Publish.Start' && this.#stage === 'publish') {
      this.#stage = 'accepted';
      this.#port.accepted(this.#streamId, this.#answer);
    } else if (code === 'NetConnection.Connect.ReconnectRequest')
      // Another address in the request would get the key.
      this.#fail('push_lost', because('push_reconnect_requested'));
    else if (textOf(info, 'level') === 'error') this.#fail('push_refused', this.#reason(info));
  }

  #refused(transactionId: number, info: ConnectAnswer | undefined): void {
    // Servers that do not know the optional commands refuse them.
    if (transactionId === TRANSACTION.releaseStream || transactionId === TRANSACTION.publishAnnounced) return;
    const extra = amfFields(info?.get('ex'));
    if (typeof extra?.get('redirect') === 'string') this.#fail('push_refused', because('push_redirected'));
    else if (this.#stage !== 'connect' || !this.#logIn(textOf(info, 'description')))
      this.#fail('push_refused', this.#reason(info));
  }

  /** Answers a refusal that wants a login. Returns false for another refusal. */
  #logIn(description: string): boolean {
    const next = this.#login.take(description);
    if (next === undefined) return false;
    if (next === 'again') {
      this.#over();
      this.#port.again();
    } else this.#fail(next.code, next);
    return true;
  }

  #reason(info: ConnectAnswer | undefined): Explained {
    const given = [textOf(info, 'code'), textOf(info, 'description')].filter((text) => text !== '').join(': ');
    if (given === '') return because('push_refused_without_reason');
    return because('push_refused', { reason: withoutKey(given, this.#address) });
  }

  #acknowledged(value: number | undefined): void {
    if (value === undefined) return;
    const before = this.acknowledgedBytes ?? 0;
    // The counter has 32 bits.
    const growth = (value - (before % COUNTER_BYTES) + COUNTER_BYTES) % COUNTER_BYTES;
    if (growth < COUNTER_BYTES / 2) this.acknowledgedBytes = before + growth;
  }

  #fail(code: string, why: Explained): void {
    if (this.#stage === 'over') return;
    this.#over();
    this.#port.failed({ ...why, code });
  }

  #over(): void {
    this.#stage = 'over';
    this.#reader.close();
  }

  #command(command: RtmpCommand, streamId = 0): void {
    this.#send(CHUNK_STREAM.command, writeCommand(command, streamId));
  }

  #send(chunkStreamId: number, message: RtmpMessage): void {
    this.#port.write(this.#writer.write(chunkStreamId, message));
  }
}

function textOf(fields: ConnectAnswer | undefined, name: string): string {
  const value = fields?.get(name);
  return typeof value === 'string' ? value : '';
}
