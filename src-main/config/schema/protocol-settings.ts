import { z } from 'zod';
import { optionalFlag } from '../../../src-preload/contract/api/api-parts.ts';
import { flagSetting, listSetting, type Setting } from './directive.ts';
import { choiceSchema } from './storage-values.ts';

/** Protocols for playing a stream; some of them are not served yet. */
const PROTOCOLS = [
  'hls',
  'cmaf',
  'dash',
  'mss',
  'mpegts',
  'tshttp',
  'rtmp',
  'rtsp',
  'srt',
  'webrtc',
  'm4s',
  'm4f',
  'mp4',
  'jpeg',
  'shoutcast',
  'player',
  'api',
] as const;

function protocolSwitch(directive: string, what: string): Setting<boolean> {
  return flagSetting({
    change: 'update',
    directive,
    doc: `Whether ${what} is switched off for the stream. The desk still plays it.`,
    about: optionalFlag(`whether ${what} is switched off; default false`),
    example: `${directive};`,
  });
}

/** Protocols for playing a stream. */
export const PROTOCOL_SETTINGS = {
  protocols: listSetting({
    change: 'update',
    usage: 'protocols name …;',
    doc: 'Protocols for playing the stream; a `-` before a name excludes it. `hls`, `dash`, `cmaf` (both of them), `mpegts` (also `tshttp`) and `mp4` have an effect; names of protocols that are not served yet are accepted too. The desk still plays the stream.',
    about: z
      .array(z.string())
      .optional()
      .describe('allowed playback protocols: hls, dash, cmaf (both), mpegts; a leading - excludes one; default: all'),
    example: 'protocols hls dash;',
    value: choiceSchema([...PROTOCOLS, ...PROTOCOLS.map((name) => `-${name}` as const)]),
  }),
  isDashOff: protocolSwitch('dash_off', 'DASH'),
  isHlsOff: protocolSwitch('hls_off', 'HLS'),
  isMpegtsOff: protocolSwitch('mpegts_off', 'MPEG-TS over HTTP'),
};
