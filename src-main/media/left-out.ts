import { because, type Explained } from '../../src-preload/contract/explanations/explanations.ts';
import type { FormatProblem, LeftOutTrack } from './access-unit.ts';

/** Names of codecs by FourCC (Enhanced RTMP v2, ISO/IEC 14496-12), number in FLV, Matroska codec ID, and name in FFmpeg. */
const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'H.264': ['avc1', 'avc3', 'V_MPEG4/ISO/AVC', 'h264'],
    'H.265': ['hvc1', 'hev1', 'V_MPEGH/ISO/HEVC', 'h265'],
    AAC: ['mp4a', 'A_AAC', 'aac'],
    'AC-3': ['ac-3', 'A_AC3', 'ac3'],
    'E-AC-3': ['ec-3', 'A_EAC3', 'eac3'],
    Opus: ['A_OPUS', 'opus'],
    MP2: ['A_MPEG/L2', 'mp2'],
    MP3: ['A_MPEG/L3', 'mp3'],
    AV1: ['av01', 'V_AV1', 'av1'],
    'VP8 video': ['vp08', 'V_VP8', 'vp8'],
    'VP9 video': ['vp09', 'V_VP9', 'vp9'],
    'H.266': ['vvc1', 'vvi1', 'V_MPEGI/ISO/VVC', 'vvc'],
    'H.263 video': ['s263', 'h263', 'video flv:2'],
    'VP6 video': ['video flv:4', 'video flv:5', 'vp6f', 'vp6a'],
    'screen video': ['video flv:3', 'video flv:6', 'flashsv', 'flashsv2'],
    'MPEG-1 video': ['V_MPEG1', 'mpeg1video'],
    'MPEG-2 video': ['V_MPEG2', 'mpeg2video', 'm2v1'],
    'MPEG-4 part 2 video': ['mp4v', 'V_MPEG4/ISO/ASP', 'V_MPEG4/ISO/SP', 'mpeg4'],
    'Motion JPEG': ['jpeg', 'mjpa', 'mjpeg', 'V_MJPEG'],
    ProRes: ['apch', 'apcn', 'apcs', 'apco', 'ap4h', 'V_PRORES', 'prores'],
    'VC-1': ['vc-1', 'vc1'],
    'AAC in LATM': ['aac_latm'],
    FLAC: ['fLaC', 'A_FLAC', 'flac'],
    ALAC: ['alac', 'A_ALAC'],
    Vorbis: ['A_VORBIS', 'vorbis'],
    DTS: ['dtsc', 'dtsh', 'dtse', 'A_DTS', 'dts'],
    TrueHD: ['mlpa', 'A_TRUEHD', 'truehd'],
    Speex: ['audio flv:11', 'speex'],
    'Nellymoser audio': ['audio flv:4', 'audio flv:5', 'audio flv:6', 'nellymoser'],
    'G.711 audio': ['audio flv:7', 'audio flv:8', 'alaw', 'ulaw', 'pcm_alaw', 'pcm_mulaw'],
    'PCM audio': [
      'audio flv:0',
      'audio flv:3',
      'sowt',
      'twos',
      'lpcm',
      'ipcm',
      'A_PCM/INT/LIT',
      'A_PCM/INT/BIG',
      'pcm_s16le',
      'pcm_s16be',
    ],
  }).flatMap(([name, ids]) => ids.map((id) => [id, name] as const)),
);

/**
 * Problem of a track that is left out because of its codec.
 *
 * @param id name of the codec, or its identifier in the container
 * @param position position of the track in the input, for example `because('place_pid', { pid: 256 })`
 */
export function leftOutProblem(content: LeftOutTrack['content'], id: string, position: Explained): FormatProblem {
  const codec = nameOf(content, id);
  const leftOut = [{ content, codec }];
  const why = content === 'video' ? 'video_not_carried' : 'audio_not_carried';
  return { code: 'codec_unknown', ...because(why, { place: position, codec }), leftOut };
}

/** Problem of a track that is left out because it is encrypted. @param id as in `leftOutProblem` */
export function encryptedProblem(content: LeftOutTrack['content'], id: string, position: Explained): FormatProblem {
  const codec = nameOf(content, id);
  const leftOut = [{ content, codec, isEncrypted: true as const }];
  return { code: 'codec_unknown', ...because('track_is_encrypted', { place: position, codec }), leftOut };
}

/** Problem of a track that is left out because its frames are compressed (Matroska). @param id as in `leftOutProblem` */
export function packedProblem(content: LeftOutTrack['content'], id: string, position: Explained): FormatProblem {
  const codec = nameOf(content, id);
  return {
    code: 'codec_unknown',
    ...because('track_is_packed', { place: position, codec }),
    leftOut: [{ content, codec }],
  };
}

function nameOf(content: LeftOutTrack['content'], id: string): string {
  return NAMES.get(id) ?? NAMES.get(`${content} ${id}`) ?? id;
}
