/** Seconds as an HLS decimal-floating-point, with at most five decimals. */
export function decimal(seconds: number): string {
  return String(Math.round(seconds * 100_000) / 100_000);
}

/** Quoted string of an attribute list, without the characters that the format does not permit (RFC 8216bis 4.2). */
export function quoted(text: string): string {
  return `"${text.replace(/["\r\n]/g, '')}"`;
}
