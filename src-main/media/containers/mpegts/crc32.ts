const POLYNOMIAL = 0x04c11db7;

const TABLE = new Int32Array(256);
for (let byte = 0; byte < 256; byte++) {
  let crc = byte << 24;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ POLYNOMIAL : crc << 1;
  TABLE[byte] = crc;
}

/**
 * CRC of MPEG-2 sections (ISO/IEC 13818-1 annex A): polynomial 0x04C11DB7, initial value all ones, no reflection. The CRC of a
 * whole section, including its CRC_32 field, is 0.
 */
export function crc32Mpeg(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let crc = -1;
  for (let at = start; at < end; at++) {
    // The table has 256 entries and the index eight bits.
    crc = (crc << 8) ^ TABLE[((crc >>> 24) ^ bytes[at]!) & 0xff]!;
  }
  return crc >>> 0;
}
