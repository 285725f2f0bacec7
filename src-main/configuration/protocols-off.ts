import type { StreamSettings } from '../config/config.ts';
import type { SessionProtocol } from '../sessions/session.ts';

/** What sessions are counted as, and the names that the directive `protocols` has for it. */
const PLAYED: readonly (readonly [
  protocol: SessionProtocol,
  names: readonly string[],
  isOff: (settings: StreamSettings) => boolean,
])[] = [
  ['hls', ['hls', 'cmaf'], (settings) => settings.isHlsOff],
  ['dash', ['dash', 'cmaf'], (settings) => settings.isDashOff],
  ['mpegts', ['mpegts', 'tshttp'], (settings) => settings.isMpegtsOff],
  ['mp4', ['mp4'], () => false],
];

/** Protocols that a stream may not be played with: those that are switched off, and those that `protocols` does not name. */
export function protocolsOff(settings: StreamSettings): SessionProtocol[] {
  const { protocols } = settings;
  const isChosen = protocols.some((name) => !name.startsWith('-'));
  return PLAYED.filter(([, names, isOff]) => {
    if (isOff(settings) || names.some((name) => protocols.some((written) => written === `-${name}`))) return true;
    return isChosen && !names.some((name) => protocols.some((written) => written === name));
  }).map(([protocol]) => protocol);
}
