import type { StreamSettings } from '../config/schema/config.ts';
import type { SessionProtocol } from '../sessions/session.ts';

/** Settings that select the protocols for playing a stream or a VOD location. */
export type ProtocolSettings = { readonly protocols: readonly string[] } & Partial<
  Pick<StreamSettings, 'isHlsOff' | 'isDashOff' | 'isMpegtsOff' | 'isRtmpOff'>
>;

/** Protocols of sessions, and their names in the directive `protocols`. */
const PLAYED: readonly (readonly [
  protocol: SessionProtocol,
  names: readonly string[],
  isOff: (settings: ProtocolSettings) => boolean,
])[] = [
  ['hls', ['hls', 'cmaf'], ({ isHlsOff = false }) => isHlsOff],
  ['dash', ['dash', 'cmaf'], ({ isDashOff = false }) => isDashOff],
  ['mpegts', ['mpegts', 'tshttp'], ({ isMpegtsOff = false }) => isMpegtsOff],
  ['rtmp', ['rtmp'], ({ isRtmpOff = false }) => isRtmpOff],
  ['mp4', ['mp4'], () => false],
];

/**
 * Protocols with which a stream may not be played: those that are switched off, and those that a `protocols` directive does not
 * list.
 */
export function protocolsOff(settings: ProtocolSettings): SessionProtocol[] {
  const { protocols } = settings;
  const isChosen = protocols.some((name) => !name.startsWith('-'));
  return PLAYED.filter(([, names, isOff]) => {
    if (isOff(settings) || names.some((name) => protocols.some((written) => written === `-${name}`))) return true;
    return isChosen && !names.some((name) => protocols.some((written) => written === name));
  }).map(([protocol]) => protocol);
}
