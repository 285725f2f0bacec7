import { BitReader } from '../nal/bit-reader.ts';
import { BitWriter } from '../nal/bit-writer.ts';
import { readProgramConfig, writeProgramConfig } from './program-config.ts';
import type { ProgramConfig } from './program-config.ts';
import { channelsOf, EXPLICIT_FREQUENCY, frequencyIndexOf, frequencyOf } from './sampling-frequency.ts';

/** Supported audio object types of ISO 14496-3 table 1.17. */
export const AudioObjectType = { main: 1, lc: 2, ssr: 3, ltp: 4, sbr: 5, ps: 29 } as const;

/** An AudioSpecificConfig (ISO 14496-3 1.6.2.1) of an AAC stream with GASpecificConfig. */
export interface AudioSpecificConfig {
  /** Object type of the core coder: 1 to 4. */
  readonly objectType: number;
  /** Sample rate of the core coder in hertz. */
  readonly coreSampleRate: number;
  /** `channelConfiguration`; 0 if `programConfig` states the channels. */
  readonly channelConfiguration: number;
  /** `frameLengthFlag`: a frame has 960 samples, not 1024. */
  readonly isShortFrame: boolean;
  /** Spectral band replication, if signalled explicitly; its output rate is `sampleRate`. */
  readonly sbr?: {
    readonly sampleRate: number;
    /** Parametric stereo: one coded channel, two output channels. */
    readonly hasParametricStereo: boolean;
    /** `hierarchical`: object type 5 or 29 comes first; `compatible`: a sync word 0x2B7 comes last. */
    readonly signalling: 'hierarchical' | 'compatible';
  };
  readonly programConfig?: ProgramConfig;
  /** Delay of the core coder in samples; present if `dependsOnCoreCoder` is set. */
  readonly coreCoderDelay?: number;
}

const SBR_SYNC = 0x2b7;
const PS_SYNC = 0x548;
const MAX_CONFIG_BYTES = 1024;
const MAX_SAMPLE_RATE = 192_000;

/** Reads a config; undefined if it is damaged or of an unsupported kind (scalable, low delay, USAC). */
export function readAudioSpecificConfig(bytes: Uint8Array): AudioSpecificConfig | undefined {
  if (bytes.length > MAX_CONFIG_BYTES) return undefined;
  const reader = new BitReader(bytes);
  let objectType = readObjectType(reader);
  const coreSampleRate = readFrequency(reader);
  const channelConfiguration = reader.bits(4);
  let sbr: AudioSpecificConfig['sbr'];
  if (objectType === AudioObjectType.sbr || objectType === AudioObjectType.ps) {
    const hasParametricStereo = objectType === AudioObjectType.ps;
    sbr = { sampleRate: readFrequency(reader), hasParametricStereo, signalling: 'hierarchical' };
    objectType = readObjectType(reader);
  }
  if (objectType < AudioObjectType.main || objectType > AudioObjectType.ltp) return undefined;
  const isShortFrame = reader.flag();
  const coreCoderDelay = reader.flag() ? reader.bits(14) : undefined;
  reader.skip(1); // extensionFlag
  const programConfig = channelConfiguration === 0 ? readProgramConfig(reader, bytes) : undefined;
  if (reader.isBad || coreSampleRate === 0 || coreSampleRate > MAX_SAMPLE_RATE) return undefined;
  if (channelsOf(channelConfiguration) === undefined || (channelConfiguration === 0 && !programConfig))
    return undefined;
  sbr ??= readCompatibleSbr(reader);
  // The extension doubles the rate, or keeps it (down-sampled SBR); other rates are not allowed.
  if (sbr && sbr.sampleRate !== coreSampleRate && sbr.sampleRate !== 2 * coreSampleRate) return undefined;
  return {
    objectType,
    coreSampleRate,
    channelConfiguration,
    isShortFrame,
    ...(sbr ? { sbr } : {}),
    ...(programConfig ? { programConfig } : {}),
    ...(coreCoderDelay === undefined ? {} : { coreCoderDelay }),
  };
}

export function writeAudioSpecificConfig(config: AudioSpecificConfig): Uint8Array {
  const writer = new BitWriter();
  const { sbr } = config;
  if (sbr?.signalling === 'hierarchical') {
    writer.bits(5, sbr.hasParametricStereo ? AudioObjectType.ps : AudioObjectType.sbr);
    writeFrequency(writer, config.coreSampleRate);
    writer.bits(4, config.channelConfiguration);
    writeFrequency(writer, sbr.sampleRate);
    writer.bits(5, config.objectType);
  } else {
    writer.bits(5, config.objectType);
    writeFrequency(writer, config.coreSampleRate);
    writer.bits(4, config.channelConfiguration);
  }
  writer.flag(config.isShortFrame).flag(config.coreCoderDelay !== undefined);
  if (config.coreCoderDelay !== undefined) writer.bits(14, config.coreCoderDelay);
  writer.bits(1, 0);
  if (config.programConfig) writeProgramConfig(writer, config.programConfig);
  if (sbr?.signalling === 'compatible') {
    writer.bits(11, SBR_SYNC).bits(5, AudioObjectType.sbr).flag(true);
    writeFrequency(writer, sbr.sampleRate);
    if (sbr.hasParametricStereo) writer.bits(11, PS_SYNC).flag(true);
  }
  return writer.finish();
}

/** Number of output channels: twice the coded ones with parametric stereo. */
export function outputChannels(config: AudioSpecificConfig): number {
  const coded = config.programConfig?.channels ?? channelsOf(config.channelConfiguration) ?? 0;
  return config.sbr?.hasParametricStereo && coded === 1 ? 2 : coded;
}

function readObjectType(reader: BitReader): number {
  const type = reader.bits(5);
  return type === 31 ? 32 + reader.bits(6) : type;
}

function readFrequency(reader: BitReader): number {
  const index = reader.bits(4);
  return index === EXPLICIT_FREQUENCY ? reader.bits(24) : (frequencyOf(index) ?? 0);
}

function writeFrequency(writer: BitWriter, hertz: number): void {
  const index = frequencyIndexOf(hertz);
  writer.bits(4, index);
  if (index === EXPLICIT_FREQUENCY) writer.bits(24, hertz);
}

/** Reads the backward compatible extension at the end (ISO 14496-3 1.6.5); ignores anything else there. */
function readCompatibleSbr(reader: BitReader): AudioSpecificConfig['sbr'] {
  if (reader.bitsLeft < 16 || reader.bits(11) !== SBR_SYNC || readObjectType(reader) !== AudioObjectType.sbr)
    return undefined;
  if (reader.bitsLeft < 5 || !reader.flag()) return undefined;
  const sampleRate = readFrequency(reader);
  if (reader.isBad || sampleRate === 0) return undefined;
  const hasParametricStereo = reader.bitsLeft >= 12 && reader.bits(11) === PS_SYNC && reader.flag();
  return { sampleRate, hasParametricStereo, signalling: 'compatible' };
}
