/** Configuration of an Opus decoder: the content of `OpusHead` (RFC 7845 5.1) and of the box `dOps`. */
export interface OpusConfig {
  readonly channels: number;
  /** Samples at 48 kHz that a decoder discards at the start. */
  readonly preSkip: number;
  /** Sample rate before encoding, for information; the decoder outputs 48 kHz. */
  readonly inputSampleRate: number;
  /** Gain in 1/256 dB. */
  readonly outputGain: number;
  /** Mapping family: 0 for mono or stereo in one stream; other families have a `mapping`. */
  readonly mappingFamily: number;
  readonly mapping?: {
    readonly streams: number;
    readonly coupledStreams: number;
    /** Decoded channel of each output channel. */
    readonly channels: readonly number[];
  };
}

const HEAD_MAGIC = Buffer.from('OpusHead');
const HEAD_BYTES = 19;
const DOPS_BYTES = 11;

/** Reads an `OpusHead` packet; undefined if it is damaged. */
export function readOpusHead(bytes: Uint8Array): OpusConfig | undefined {
  if (bytes.length < HEAD_BYTES || HEAD_MAGIC.compare(bytes, 0, 8) !== 0 || (bytes[8] ?? 0) >>> 4 !== 0)
    return undefined;
  const view = viewOf(bytes);
  return withMapping(bytes, HEAD_BYTES, {
    channels: view.getUint8(9),
    preSkip: view.getUint16(10, true),
    inputSampleRate: view.getUint32(12, true),
    outputGain: view.getInt16(16, true),
    mappingFamily: view.getUint8(18),
  });
}

/** Writes an `OpusHead` packet. */
export function writeOpusHead(config: OpusConfig): Uint8Array {
  const out = new Uint8Array(HEAD_BYTES + mappingBytes(config));
  const view = viewOf(out);
  out.set(HEAD_MAGIC);
  view.setUint8(8, 1);
  view.setUint8(9, config.channels);
  view.setUint16(10, config.preSkip, true);
  view.setUint32(12, config.inputSampleRate, true);
  view.setInt16(16, config.outputGain, true);
  view.setUint8(18, config.mappingFamily);
  writeMapping(out, HEAD_BYTES, config);
  return out;
}

/** Reads the body of `dOps` (Opus in ISOBMFF 4.3.2); undefined if it is damaged. */
export function readDOps(bytes: Uint8Array): OpusConfig | undefined {
  if (bytes.length < DOPS_BYTES || bytes[0] !== 0) return undefined;
  const view = viewOf(bytes);
  return withMapping(bytes, DOPS_BYTES, {
    channels: view.getUint8(1),
    preSkip: view.getUint16(2),
    inputSampleRate: view.getUint32(4),
    outputGain: view.getInt16(8),
    mappingFamily: view.getUint8(10),
  });
}

export function writeDOps(config: OpusConfig): Uint8Array {
  const out = new Uint8Array(DOPS_BYTES + mappingBytes(config));
  const view = viewOf(out);
  view.setUint8(1, config.channels);
  view.setUint16(2, config.preSkip);
  view.setUint32(4, config.inputSampleRate);
  view.setInt16(8, config.outputGain);
  view.setUint8(10, config.mappingFamily);
  writeMapping(out, DOPS_BYTES, config);
  return out;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function withMapping(bytes: Uint8Array, at: number, config: OpusConfig): OpusConfig | undefined {
  if (config.channels === 0) return undefined;
  if (config.mappingFamily === 0) return config.channels <= 2 ? config : undefined;
  if (bytes.length < at + 2 + config.channels) return undefined;
  const channels = [...bytes.subarray(at + 2, at + 2 + config.channels)];
  return { ...config, mapping: { streams: bytes[at] ?? 0, coupledStreams: bytes[at + 1] ?? 0, channels } };
}

function mappingBytes(config: OpusConfig): number {
  return config.mapping ? 2 + config.mapping.channels.length : 0;
}

function writeMapping(out: Uint8Array, at: number, config: OpusConfig): void {
  if (!config.mapping) return;
  out[at] = config.mapping.streams;
  out[at + 1] = config.mapping.coupledStreams;
  out.set(config.mapping.channels, at + 2);
}
