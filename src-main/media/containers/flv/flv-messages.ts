import { readDOps, writeOpusHead } from '../../codecs/opus/opus-config.ts';
import type { AudioTrack, Track } from '../../track.ts';
import { amfObject, writeAmf0, type AmfValue } from '../rtmp/amf0.ts';
import { MESSAGE_TYPE } from '../rtmp/message.ts';
import { writeSharedMessage } from '../rtmp/shared-message.ts';
import { writeExAudioTag, writeOldAudioTag } from './audio-tag.ts';
import type { FlvTime } from './flv-clock.ts';
import type { FlvPlace } from './flv-layout.ts';
import { AUDIO_CODEC_ID, fourCcNumber, VIDEO_CODEC_ID } from './four-cc.ts';
import { writeMetadata } from './metadata.ts';
import { writeExVideoTag, writeOldVideoTag, type FlvPacketKind } from './video-tag.ts';

const NONE = new Uint8Array(0);

/** Message with an access unit, as chunks that all receivers with this place of the track share. `data` is copied. */
export function writeUnitMessage(
  place: FlvPlace,
  time: FlvTime,
  { isRandomAccess, data }: { readonly isRandomAccess: boolean; readonly data: Uint8Array },
): Buffer {
  return writeTag(place, 'frame', time, isRandomAccess, data);
}

/** Messages with the decoder configurations of tracks, as shared chunks. MP3, AC-3 and E-AC-3 have none. */
export function writeConfigMessages(places: readonly FlvPlace[], timestampMs: number): Buffer[] {
  return places.flatMap((place) => {
    const config = configOf(place.track);
    return config ? [writeTag(place, 'config', { timestampMs, compositionTimeMs: 0 }, true, config)] : [];
  });
}

/**
 * Message `onMetaData` of the tracks, as shared chunks. Its time is 0, because FFmpeg makes a text track of a later one.
 * @param isPublished whether the message asks a server to store it (`@setDataFrame`)
 */
export function writeMetadataMessage(places: readonly FlvPlace[], isPublished = false): Buffer {
  const fields: Record<string, AmfValue> = {};
  for (const content of ['video', 'audio'] as const) {
    const [first, ...others] = places.filter(({ track }) => track.content === content);
    Object.assign(fields, first && propertiesOf(first));
    if (others.length === 0) continue;
    const infos = others.map((place): [string, AmfValue] => [
      String(place.trackNumber),
      amfObject(propertiesOf(place)),
    ]);
    fields[`${content}TrackIdInfoMap`] = amfObject(Object.fromEntries(infos));
  }
  const values = writeMetadata({ ...fields, encoder: 'Airdesk' });
  const body = writeAmf0(isPublished ? ['@setDataFrame', ...values] : values);
  return writeSharedMessage(MESSAGE_TYPE.dataAmf0, 0, NONE, body);
}

function writeTag(place: FlvPlace, kind: FlvPacketKind, time: FlvTime, isKeyFrame: boolean, data: Uint8Array): Buffer {
  const { codec, form, trackNumber } = place;
  const { timestampMs, compositionTimeMs } = time;
  // The head of a tag with one packet does not depend on its data.
  const packet = { kind, codec, trackNumber, isKeyFrame, compositionTimeMs, offsetNs: 0, data: NONE };
  if (place.track.content === 'video') {
    const head = form === 'old' ? writeOldVideoTag(packet) : writeExVideoTag([packet]);
    return writeSharedMessage(MESSAGE_TYPE.video, timestampMs, head, data);
  }
  const head = form === 'old' ? writeOldAudioTag(packet) : writeExAudioTag([packet]);
  return writeSharedMessage(MESSAGE_TYPE.audio, timestampMs, head, data);
}

function configOf(track: Track): Uint8Array | undefined {
  if (track.content === 'video' || track.codec === 'aac') return track.decoderConfig;
  const opus = track.codec === 'opus' ? readDOps(track.decoderConfig) : undefined;
  return opus && writeOpusHead(opus);
}

/** Properties of a track (FLV 10.1, section E.5; Enhanced RTMP v2, "Enhancing onMetaData"). */
function propertiesOf({ track, codec, form }: FlvPlace): Record<string, number | boolean> {
  if (track.content === 'audio')
    return audioPropertiesOf(track, form === 'old' ? AUDIO_CODEC_ID[codec] : undefined, codec);
  return {
    width: track.width,
    height: track.height,
    ...(track.fps === undefined ? {} : { framerate: track.fps }),
    videocodecid: (form === 'old' ? VIDEO_CODEC_ID[codec] : undefined) ?? fourCcNumber(codec),
  };
}

function audioPropertiesOf(
  track: AudioTrack,
  oldId: number | undefined,
  codec: string,
): Record<string, number | boolean> {
  return {
    audiosamplerate: track.sampleRate,
    audiosamplesize: 16,
    stereo: track.channels > 1,
    audiochannels: track.channels,
    audiocodecid: oldId ?? fourCcNumber(codec),
  };
}
