import { readSpliceInfo, writeSpliceInfo } from './splice-info.ts';

/** splice_command_type of bandwidth_reservation (SCTE 35, 9.7.5), which receivers ignore. */
const BANDWIDTH_RESERVATION = 0x07;

/**
 * Splits a splice information section into its events, in order. A time_signal carries one event in each segmentation descriptor
 * (SCTE 35, 10.3.3), so a section with several of them becomes several sections of one event each. splice_null (9.7.1) and
 * bandwidth_reservation carry none. Every other section, also a damaged one, is returned unchanged.
 */
export function spliceEventsOf(section: Uint8Array): readonly Uint8Array[] {
  const info = readSpliceInfo(section);
  if (!info || info.encrypted) return [section];
  const { command, descriptors } = info;
  if (command.type === 'null' || (command.type === 'raw' && command.commandType === BANDWIDTH_RESERVATION)) return [];
  const segmentations = descriptors.filter(({ type }) => type === 'segmentation');
  if (command.type !== 'time-signal' || segmentations.length < 2) return [section];
  const shared = descriptors.filter(({ type }) => type !== 'segmentation');
  return segmentations.map((segmentation) => writeSpliceInfo({ ...info, descriptors: [segmentation, ...shared] }));
}
