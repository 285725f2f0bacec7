import type { BoxWriter } from './box-writer.ts';
import type { ByteReader } from './byte-reader.ts';

/** `prft` (ISO/IEC 14496-12, 8.16.5): wall time that corresponds to a media time of the following fragment. */
export interface ProducerReferenceTime {
  readonly referenceTrackId: number;
  /** Epoch milliseconds, with a fraction. */
  readonly epochMs: number;
  readonly mediaTicks: number;
  /** Event of the wall time: 0 encoder input, 1 encoder output, 2 fragment finished, 4 written, 8 arbitrary, 24 captured. */
  readonly flags: number;
}

/** Seconds from 1900, the origin of NTP time, to 1970. */
const NTP_EPOCH_SECONDS = 2_208_988_800;

/** Seconds in an NTP era: the 32-bit count wraps in 2036. */
const NTP_ERA_SECONDS = 0x1_0000_0000;

/** Reads the body of `prft`. A time before 1970 is interpreted as a time after 2036. */
export function readProducerReferenceTime(body: ByteReader): ProducerReferenceTime | undefined {
  const versionAndFlags = body.u32();
  const referenceTrackId = body.u32();
  const ntpSeconds = body.u32();
  const ntpFraction = body.u32();
  const mediaTicks = versionAndFlags >>> 24 === 0 ? body.u32() : body.u64();
  if (body.isShort) return undefined;
  const seconds = ntpSeconds - NTP_EPOCH_SECONDS + (ntpSeconds < NTP_EPOCH_SECONDS ? NTP_ERA_SECONDS : 0);
  // Rounded to a microsecond, so that whole milliseconds survive the 32 binary digits of the fraction.
  const epochMs = seconds * 1000 + Math.round((ntpFraction / NTP_ERA_SECONDS) * 1e6) / 1000;
  return { referenceTrackId, epochMs, mediaTicks, flags: versionAndFlags & 0xff_ffff };
}

/** Writes `prft` in version 1. */
export function writeProducerReferenceTime(out: BoxWriter, value: ProducerReferenceTime): void {
  const seconds = Math.floor(value.epochMs / 1000);
  const fraction = Math.floor(((value.epochMs - seconds * 1000) / 1000) * NTP_ERA_SECONDS);
  out.openFull('prft', 1, value.flags).u32(value.referenceTrackId);
  out
    .u32(seconds + NTP_EPOCH_SECONDS)
    .u32(fraction)
    .u64(value.mediaTicks)
    .close();
}
