/** RBSP of a NAL unit: a copy without emulation prevention bytes (`00 00 03` → `00 00`, H.264 7.4.1). */
export function removeEmulation(bytes: Uint8Array, start = 0, end = bytes.length): Uint8Array {
  const out = new Uint8Array(Math.max(0, end - start));
  let length = 0;
  let zeros = 0;
  for (let i = start; i < end; i++) {
    const byte = bytes[i] ?? 0;
    if (zeros >= 2 && byte === 3) {
      zeros = 0;
      continue;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
    out[length++] = byte;
  }
  return out.subarray(0, length);
}

/** NAL unit of an RBSP: a copy with emulation prevention bytes (H.264 7.4.1). */
export function addEmulation(rbsp: Uint8Array): Uint8Array {
  const out = new Uint8Array(rbsp.length + Math.ceil(rbsp.length / 2) + 1);
  let length = 0;
  let zeros = 0;
  for (const byte of rbsp) {
    if (zeros >= 2 && byte <= 3) {
      out[length++] = 3;
      zeros = 0;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
    out[length++] = byte;
  }
  return out.slice(0, length);
}
