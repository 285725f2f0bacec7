/** Formats seconds as an HLS decimal-floating-point with at most five places. */
export function decimal(seconds: number): string {
  return String(Math.round(seconds * 100_000) / 100_000);
}

/** Formats a quoted string of an attribute list. Characters that the format cannot carry are left out (RFC 8216bis 4.2). */
export function quoted(text: string): string {
  return `"${text.replace(/["\r\n]/g, '')}"`;
}
