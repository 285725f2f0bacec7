import { because, type Explained } from '../../../src-preload/contract/explanations/explanations.ts';
import { amfFields } from '../../media/containers/rtmp/amf0.ts';
import type { AmfValue } from '../../media/containers/rtmp/amf0.ts';
import type { RtmpCommand } from '../../media/containers/rtmp/command.ts';
import { CHUNK_STREAM } from '../../media/containers/rtmp/message.ts';
import type { RtmpMessage } from '../../media/containers/rtmp/message.ts';
import {
  writeSetChunkSize,
  writeSetPeerBandwidth,
  writeWindowAcknowledgementSize,
} from '../../media/containers/rtmp/protocol-control.ts';
import type { InputEnd, PublishRequest } from '../input.ts';
import { NO_FLV_CAPABILITIES, readFlvCapabilities } from '../../media/containers/flv/flv-layout.ts';
import type { PlayCommand } from './playback.ts';
import { readPublishAddress } from './publish-address.ts';
import {
  callError,
  connectResult,
  createStreamResult,
  emptyResult,
  fcPublishNotice,
  fcSubscribeNotice,
  streamLengthResult,
  streamStatus,
} from './replies.ts';

/** Results of the commands of an encoder or a player. */
export interface PublishCommandsPort {
  send(chunkStreamId: number, message: RtmpMessage): void;
  /** Called at most once, when the encoder wants to publish on the message stream `streamId`. */
  publish(streamId: number, request: Pick<PublishRequest, 'path' | 'query' | 'agent'>): void;
  /** Called at most once, when a player wants to play on the message stream `streamId`. */
  play(streamId: number, command: PlayCommand): void;
  /** Called when the player pauses or continues. */
  pause(isPaused: boolean): void;
  /** Called when the player wants another position. */
  seek(): void;
  /** Called when the peer announces its end. */
  stop(why: Explained): void;
  /** Called when a command was refused and the encoder got an error. */
  refuse(end: InputEnd): void;
}

/** Number of bytes that either side may send without an acknowledgement. */
const WINDOW_BYTES = 2_500_000;

/** Chunk size of the server's own messages: each fits into one chunk. */
const CHUNK_BYTES = 4096;

const MAX_STREAMS = 8;
const MAX_AGENT_CHARS = 128;
const MAX_PAGE_CHARS = 1024;

/** Handles the commands of one connection in order: connect, createStream, publish or play (RTMP 1.0, section 7.2). */
export class PublishCommands {
  readonly #port: PublishCommandsPort;
  #app: string | undefined;
  #tcUrl = '';
  #agent: string | undefined;
  #page = '';
  #capabilities = NO_FLV_CAPABILITIES;
  #streams = 0;
  #use: 'none' | 'publish' | 'play' = 'none';

  constructor(port: PublishCommandsPort) {
    this.#port = port;
  }

  /** Processes a command on the message stream `streamId`. */
  take(command: RtmpCommand, streamId: number): void {
    const { name, transactionId } = command;
    if (name === 'connect') this.#connect(command);
    else if (this.#app === undefined) {
      this.#reply(callError(transactionId, 'NetConnection.Call.Failed', `${name} came before connect.`));
      this.#port.refuse({ code: 'rtmp_bad_command', ...because('rtmp_connect_missing', { command: name }) });
    } else if (name === 'createStream') this.#createStream(transactionId);
    else if (name === 'publish') this.#publish(command, streamId);
    else if (name === 'play' || name === 'play2') this.#play(command, streamId);
    else this.#handleOther(command);
  }

  #handleOther(command: RtmpCommand): void {
    const { name, transactionId, args } = command;
    switch (name) {
      case 'FCPublish':
        this.#result(transactionId);
        this.#reply(fcPublishNotice(textOf(args[1])));
        return;
      case 'FCSubscribe':
        this.#reply(fcSubscribeNotice(textOf(args[1])));
        return;
      case 'getStreamLength':
        this.#reply(streamLengthResult(transactionId));
        return;
      case 'pause':
      case 'pauseRaw':
        if (this.#use === 'play') this.#port.pause(args[1] === true);
        return;
      case 'seek':
        if (this.#use === 'play') this.#port.seek();
        return;
      case 'releaseStream':
      case '_checkbw':
        this.#result(transactionId);
        return;
      // No answer to FCUnpublish and deleteStream: encoders close at once, and with an unread answer their system would discard
      // the last media in transit.
      case 'deleteStream':
      case 'closeStream':
        if (this.#use !== 'none') this.#port.stop(because(this.#use === 'play' ? 'player_ended' : 'encoder_ended'));
    }
  }

  #connect({ transactionId, args }: RtmpCommand): void {
    const fields = amfFields(args[0]);
    const app = fields?.get('app');
    if (!fields || typeof app !== 'string' || this.#app !== undefined) {
      this.#reply(
        callError(transactionId, 'NetConnection.Connect.Rejected', 'connect has no application, or came twice.'),
      );
      this.#port.refuse({ code: 'rtmp_bad_command', ...because('rtmp_connect_invalid') });
      return;
    }
    this.#app = app;
    this.#tcUrl = textOf(fields.get('tcUrl'));
    this.#agent = textOf(fields.get('flashVer')).slice(0, MAX_AGENT_CHARS) || undefined;
    this.#page = textOf(fields.get('pageUrl')).slice(0, MAX_PAGE_CHARS);
    this.#capabilities = readFlvCapabilities(fields);
    const isEnhanced = ['fourCcList', 'videoFourCcInfoMap', 'audioFourCcInfoMap', 'capsEx'].some((name) =>
      fields.has(name),
    );
    const objectEncoding = fields.get('objectEncoding') === 3 ? 3 : 0;
    this.#port.send(CHUNK_STREAM.control, writeWindowAcknowledgementSize(WINDOW_BYTES));
    this.#port.send(CHUNK_STREAM.control, writeSetPeerBandwidth(WINDOW_BYTES));
    this.#port.send(CHUNK_STREAM.control, writeSetChunkSize(CHUNK_BYTES));
    this.#reply(connectResult(transactionId, objectEncoding, isEnhanced));
  }

  #createStream(transactionId: number): void {
    if (this.#streams >= MAX_STREAMS) {
      this.#reply(
        callError(transactionId, 'NetConnection.Call.Failed', `A connection has at most ${MAX_STREAMS} streams.`),
      );
      return;
    }
    this.#streams += 1;
    this.#reply(createStreamResult(transactionId, this.#streams));
  }

  #publish({ args }: RtmpCommand, streamId: number): void {
    if (this.#use !== 'none') {
      this.#port.send(
        CHUNK_STREAM.stream,
        streamStatus(
          streamId,
          'error',
          'NetStream.Publish.BadConnection',
          'A connection carries one stream, and this one has its stream already.',
        ),
      );
      return;
    }
    const address = readPublishAddress(this.#app ?? '', this.#tcUrl, textOf(args[1]));
    if (!address || address.path === '') {
      const why = because('rtmp_stream_name');
      this.#port.send(CHUNK_STREAM.stream, streamStatus(streamId, 'error', 'NetStream.Publish.BadName', why.detail));
      this.#port.refuse({ code: 'bad_stream_name', ...why });
      return;
    }
    this.#use = 'publish';
    this.#port.publish(streamId, { ...address, ...(this.#agent === undefined ? {} : { agent: this.#agent }) });
  }

  #play({ args }: RtmpCommand, streamId: number): void {
    const fail = (code: string, description: string): void => {
      this.#port.send(CHUNK_STREAM.stream, streamStatus(streamId, 'error', code, description));
    };
    if (this.#use !== 'none') {
      fail('NetStream.Play.Failed', 'A connection carries one stream, and this one has its stream already.');
      return;
    }
    const address = readPublishAddress(this.#app ?? '', this.#tcUrl, textOf(args[1]));
    if (!address || address.path === '') {
      const why = because('rtmp_stream_name');
      fail('NetStream.Play.StreamNotFound', why.detail);
      this.#port.refuse({ code: 'bad_stream_name', ...why });
      return;
    }
    this.#use = 'play';
    const [agent, page, capabilities] = [this.#agent ?? '', this.#page, this.#capabilities];
    this.#port.play(streamId, { ...address, agent, page, capabilities });
  }

  #result(transactionId: number): void {
    if (transactionId > 0) this.#reply(emptyResult(transactionId));
  }

  #reply(message: RtmpMessage): void {
    this.#port.send(CHUNK_STREAM.command, message);
  }
}

function textOf(value: AmfValue): string {
  return typeof value === 'string' ? value : '';
}
