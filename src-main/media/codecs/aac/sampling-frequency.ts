/** `samplingFrequencyIndex` 0 to 12 in hertz (ISO 14496-3 table 1.18). */
const FREQUENCIES = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350];

/** Index for an explicit frequency in the following 24 bits. */
export const EXPLICIT_FREQUENCY = 15;

/** Frequency of an index in hertz; undefined for reserved ones. */
export function frequencyOf(index: number): number | undefined {
  return FREQUENCIES[index];
}

/** Index of a frequency; `EXPLICIT_FREQUENCY` if it has none. */
export function frequencyIndexOf(hertz: number): number {
  const index = FREQUENCIES.indexOf(hertz);
  return index < 0 ? EXPLICIT_FREQUENCY : index;
}

/** Channels of `channelConfiguration` 1 to 14 (ISO 14496-3 table 1.19); 0 means that a program config element states them. */
const CHANNELS = [0, 1, 2, 3, 4, 5, 6, 8, 0, 0, 0, 7, 8, 24, 8];

/** Number of channels of a channel configuration; undefined for reserved ones, 0 for configuration 0. */
export function channelsOf(configuration: number): number | undefined {
  if (configuration === 0) return 0;
  return CHANNELS[configuration] || undefined;
}
