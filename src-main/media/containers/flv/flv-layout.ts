import type { Track } from '../../track.ts';
import { amfFields, type AmfValue } from '../rtmp/amf0.ts';
import { AUDIO_CODEC_ID, VIDEO_CODEC_ID, type FlvCodec } from './four-cc.ts';

/** Features of Enhanced RTMP v2 that the receiver of a stream states in `connect`, or in the answer to it. */
export interface FlvCapabilities {
  /** Codecs with FourCC that the receiver takes; `*` for all of them. */
  readonly codecs: ReadonlySet<FlvCodec>;
  /** Whether the receiver takes more than one track of a kind. */
  readonly hasMultitrack: boolean;
}

/** Capabilities of a receiver that states none. */
export const NO_FLV_CAPABILITIES: FlvCapabilities = { codecs: new Set(), hasMultitrack: false };

/** Form of the tags of a track: with a codec number, with FourCC, or with FourCC and a track number. */
type FlvTagForm = 'old' | 'enhanced' | 'multitrack';

/** A track of a stream as it is sent. */
export interface FlvPlace {
  readonly track: Track;
  readonly codec: FlvCodec;
  readonly form: FlvTagForm;
  /** `trackId` of a multitrack tag; 0 for the default track of a kind. */
  readonly trackNumber: number;
}

/** A track that is not sent: its codec has no name in FLV or is not stated by the receiver, or it is a second track. */
interface FlvLeftOut {
  readonly track: Track;
  readonly reason: 'codec' | 'number';
}

/** The tracks of a stream for one kind of receiver. */
export interface FlvLayout {
  readonly places: readonly FlvPlace[];
  readonly leftOut: readonly FlvLeftOut[];
}

/** `CapsExMask.Multitrack`. */
const MULTITRACK = 0x02;
/** `FourCcInfoMask`: `CanDecode` and `CanForward`. */
const CAN_TAKE = 0x01 | 0x04;
/** Maximum number of tracks of a kind: track numbers have one byte. */
const MAX_TRACKS = 256;

/** Codecs by their names in FLV. MP2 has none. */
const CODECS: Readonly<Record<Track['codec'], FlvCodec | undefined>> = {
  h264: 'avc1',
  h265: 'hvc1',
  aac: 'mp4a',
  mp2: undefined,
  mp3: '.mp3',
  ac3: 'ac-3',
  eac3: 'ec-3',
  opus: 'Opus',
};

/** Codecs that are sent to receivers that do not state them: those with an old number, and H.265. */
const ALWAYS = new Set<FlvCodec>(['avc1', 'hvc1', 'mp4a', '.mp3']);

/** Reads the properties of Enhanced RTMP v2 ("Enhancing NetConnection connect Command") in an object of `connect`. */
export function readFlvCapabilities(fields: ReadonlyMap<string, AmfValue>): FlvCapabilities {
  const list = fields.get('fourCcList');
  const codecs = new Set(Array.isArray(list) ? list.filter((name) => typeof name === 'string') : []);
  for (const map of ['videoFourCcInfoMap', 'audioFourCcInfoMap']) {
    for (const [name, mask] of amfFields(fields.get(map)) ?? [])
      if (typeof mask === 'number' && (mask & CAN_TAKE) !== 0) codecs.add(name);
  }
  const caps = fields.get('capsEx');
  return { codecs, hasMultitrack: typeof caps === 'number' && (caps & MULTITRACK) !== 0 };
}

/** The tracks that a receiver gets: the first playable track of each kind, or all of them as a multitrack stream. */
export function flvLayout(tracks: readonly Track[], { codecs, hasMultitrack }: FlvCapabilities): FlvLayout {
  const places: FlvPlace[] = [];
  const leftOut: FlvLeftOut[] = [];
  const counts = { video: 0, audio: 0 };
  for (const track of tracks) {
    const codec = CODECS[track.codec];
    const isTaken = codec !== undefined && (ALWAYS.has(codec) || codecs.has(codec) || codecs.has('*'));
    const trackNumber = counts[track.content];
    if (!isTaken) leftOut.push({ track, reason: 'codec' });
    else if (trackNumber >= (hasMultitrack ? MAX_TRACKS : 1)) leftOut.push({ track, reason: 'number' });
    else {
      counts[track.content] += 1;
      const form = trackNumber > 0 ? 'multitrack' : hasOldForm(codec) ? 'old' : 'enhanced';
      places.push({ track, codec, form, trackNumber });
    }
  }
  return { places, leftOut };
}

/** H.265 has an old number too, but it was never standardized. */
function hasOldForm(codec: FlvCodec): boolean {
  return codec !== 'hvc1' && (codec in VIDEO_CODEC_ID || codec in AUDIO_CODEC_ID);
}
