import { amfObject } from '../../media/containers/rtmp/amf0.ts';
import type { AmfValue } from '../../media/containers/rtmp/amf0.ts';
import { writeCommand } from '../../media/containers/rtmp/command.ts';
import type { RtmpMessage } from '../../media/containers/rtmp/message.ts';

/** Codecs with FourCC that publishers may send (Enhanced RTMP v2, "Enhancing NetConnection connect Command"). */
const FOUR_CCS = ['avc1', 'hvc1', 'mp4a', '.mp3', 'Opus', 'ac-3', 'ec-3'];

/** `FourCcInfoMask.CanForward`: the server forwards; it neither decodes nor encodes. */
const CAN_FORWARD = 4;

/** `CapsExMask`: multitrack, modifiers, timestamps in nanoseconds. */
const CAPABILITIES = 0x02 | 0x04 | 0x08;

/** Answer to `connect`. `isEnhanced`: whether the encoder requested Enhanced RTMP. */
export function connectResult(transactionId: number, objectEncoding: number, isEnhanced: boolean): RtmpMessage {
  const forwards = amfObject(Object.fromEntries(FOUR_CCS.map((name) => [name, CAN_FORWARD])));
  const enhanced = {
    fourCcList: FOUR_CCS,
    videoFourCcInfoMap: forwards,
    audioFourCcInfoMap: forwards,
    capsEx: CAPABILITIES,
  };
  // Encoders choose features by this version, which is the version of Adobe's server.
  const properties = amfObject({
    fmsVer: 'FMS/3,5,7,7009',
    capabilities: 31,
    mode: 1,
    ...(isEnhanced ? enhanced : {}),
  });
  const info = status('status', 'NetConnection.Connect.Success', 'Connected.', { objectEncoding });
  return writeCommand({ name: '_result', transactionId, args: [properties, info] });
}

export function createStreamResult(transactionId: number, streamId: number): RtmpMessage {
  return writeCommand({ name: '_result', transactionId, args: [null, streamId] });
}

/** Answer to a call without a result. */
export function emptyResult(transactionId: number): RtmpMessage {
  return writeCommand({ name: '_result', transactionId, args: [null, undefined] });
}

/** Error answer to a call. */
export function callError(transactionId: number, code: string, description: string): RtmpMessage {
  return writeCommand({ name: '_error', transactionId, args: [null, status('error', code, description)] });
}

/** Message `onStatus` on a stream. */
export function streamStatus(
  streamId: number,
  level: 'status' | 'error',
  code: string,
  description: string,
): RtmpMessage {
  return writeCommand({ name: 'onStatus', transactionId: 0, args: [null, status(level, code, description)] }, streamId);
}

/** Notice after `FCPublish`. */
export function fcPublishNotice(description: string): RtmpMessage {
  return writeCommand({
    name: 'onFCPublish',
    transactionId: 0,
    args: [null, status('status', 'NetStream.Publish.Start', description)],
  });
}

/** Status code sent to a refused publisher. */
export function refusalStatus(code: string): string {
  return code === 'publish_busy' ? 'NetStream.Publish.BadName' : 'NetStream.Publish.Denied';
}

/** Status code sent to a refused player. */
export function playRefusalStatus(code: string): string {
  return code === 'stream_not_found' || code === 'stream_not_running'
    ? 'NetStream.Play.StreamNotFound'
    : 'NetStream.Play.Failed';
}

/** Answer to `getStreamLength`: 0, because a live stream has no length. */
export function streamLengthResult(transactionId: number): RtmpMessage {
  return writeCommand({ name: '_result', transactionId, args: [null, 0] });
}

/** Notice after `FCSubscribe`. */
export function fcSubscribeNotice(description: string): RtmpMessage {
  return writeCommand({
    name: 'onFCSubscribe',
    transactionId: 0,
    args: [null, status('status', 'NetStream.Play.Start', description)],
  });
}

function status(
  level: string,
  code: string,
  description: string,
  more: Readonly<Record<string, AmfValue>> = {},
): AmfValue {
  return amfObject({ level, code, description, ...more });
}
