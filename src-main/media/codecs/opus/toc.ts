/** Rate of all Opus timestamps in hertz (RFC 6716 1.1). */
export const OPUS_RATE = 48_000;

/** Maximum packet duration in samples: 120 ms. */
const MAX_OPUS_SAMPLES = 5760;

const SILK = [480, 960, 1920, 2880];
const CELT = [120, 240, 480, 960];

/** Samples at 48 kHz in an Opus packet, from its table of contents byte (RFC 6716 3.1); 0 for an empty or invalid packet. */
export function opusSamples(packet: Uint8Array): number {
  const toc = packet[0];
  if (toc === undefined) return 0;
  const configuration = toc >>> 3;
  const frame =
    configuration < 12
      ? (SILK[configuration & 3] ?? 0)
      : configuration < 16
        ? configuration & 1
          ? 960
          : 480
        : (CELT[configuration & 3] ?? 0);
  const samples = frame * frameCount(toc, packet);
  return samples <= MAX_OPUS_SAMPLES ? samples : 0;
}

/** Whether the packet is coded in stereo: bit `s` of the table of contents. */
export function isOpusStereo(packet: Uint8Array): boolean {
  return ((packet[0] ?? 0) & 4) !== 0;
}

function frameCount(toc: number, packet: Uint8Array): number {
  const code = toc & 3;
  if (code === 0) return 1;
  return code === 3 ? (packet[1] ?? 0) & 0x3f : 2;
}
