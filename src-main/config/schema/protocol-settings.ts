import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import { z } from 'zod';
import { optionalFlag } from '../../../src-preload/contract/api/api-parts.ts';
import { flagSetting, listSetting, optionalSetting, type Setting } from './directive.ts';
import { choiceSchema } from './storage-values.ts';
import { durationSchema, flagSchema, valueSchema } from './value-schema.ts';

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

/** `prepush;`, `prepush false;` and `prepush 2;`: false for none, or a time in milliseconds; true if the server chooses it. */
const prepushSchema = valueSchema<number | boolean>(
  because('value_prepush'),
  (text) => {
    const flag = text === '0' || text === '1' ? undefined : flagSchema.safeParse(text).data;
    return flag ?? durationSchema('s', 0, 60_000).safeParse(text).data;
  },
  {
    toJson: (value) => (typeof value === 'number' ? value / 1000 : value),
    type: z.union([z.number(), z.boolean()]),
  },
);

/** Protocols for playing a stream. */
export const PROTOCOL_SETTINGS = {
  protocols: listSetting({
    change: 'update',
    usage: 'protocols name …;',
    doc: 'Protocols for playing the stream; a `-` before a name excludes it. `hls`, `dash`, `cmaf` (both of them), `mpegts` (also `tshttp`), `rtmp` and `mp4` have an effect; names of protocols that are not served yet are accepted too. The desk still plays the stream.',
    about: z
      .array(z.string())
      .optional()
      .describe(
        'allowed playback protocols: hls, dash, cmaf (both), mpegts, rtmp; a leading - excludes one; default: all',
      ),
    example: 'protocols hls dash;',
    value: choiceSchema([...PROTOCOLS, ...PROTOCOLS.map((name) => `-${name}` as const)]),
  }),
  isDashOff: protocolSwitch('dash_off', 'DASH'),
  isHlsOff: protocolSwitch('hls_off', 'HLS'),
  isMpegtsOff: protocolSwitch('mpegts_off', 'MPEG-TS over HTTP'),
  isRtmpOff: protocolSwitch('rtmp_off', 'RTMP to players'),
  prepush: optionalSetting({
    form: 'flag',
    change: 'restart',
    usage: 'prepush [time|true|false];',
    doc: 'Media that a new RTMP player gets at once, so that its picture comes sooner: `true` for the newest group of pictures, or a minimum time. Without it a player waits for the next key frame. More media means more delay.',
    unit: 'seconds',
    about:
      'seconds of media sent at once to a new RTMP player, or whether the newest group of pictures is; default: false',
    example: 'prepush 2;',
    value: prepushSchema,
  }),
};
