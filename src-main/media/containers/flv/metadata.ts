import { amfFields } from '../rtmp/amf0.ts';
import type { AmfEcmaArray, AmfValue } from '../rtmp/amf0.ts';
import { audioCodecOfId, codecOfMetadata, videoCodecOfId } from './four-cc.ts';
import type { FlvCodec } from './four-cc.ts';

/** Fields of `onMetaData` that Airdesk uses (FLV 10.1, section E.5; Enhanced RTMP v2, "Enhancing onMetaData"). */
export interface FlvMetadata {
  /** Codec of the promised video; undefined if none is promised, `''` if its codec is not named. */
  readonly videoCodec?: FlvCodec;
  /** Codec of the promised audio, with the same special values. */
  readonly audioCodec?: FlvCodec;
  /** Name of the encoder's software. */
  readonly encoder?: string;
}

/** Reads the values of a data message; undefined unless it describes the stream. */
export function readMetadata(values: readonly AmfValue[]): FlvMetadata | undefined {
  // Encoders put the message into `@setDataFrame`, which asks a server to store it.
  const [name, value] = values[0] === '@setDataFrame' ? values.slice(1) : values;
  const fields = name === 'onMetaData' ? amfFields(value) : undefined;
  if (!fields) return undefined;
  const videoCodec =
    codecOfMetadata(fields.get('videocodecid'), videoCodecOfId) ?? (fields.has('width') ? '' : undefined);
  const audioCodec =
    codecOfMetadata(fields.get('audiocodecid'), audioCodecOfId) ?? (fields.has('audiosamplerate') ? '' : undefined);
  const encoder = fields.get('encoder');
  return {
    ...(videoCodec === undefined ? {} : { videoCodec }),
    ...(audioCodec === undefined ? {} : { audioCodec }),
    ...(typeof encoder === 'string' ? { encoder } : {}),
  };
}

/** The values of an `onMetaData` message with the given properties. */
export function writeMetadata(properties: Readonly<Record<string, AmfValue>>): readonly AmfValue[] {
  const value: AmfEcmaArray = { kind: 'ecma-array', fields: new Map(Object.entries(properties)) };
  return ['onMetaData', value];
}
