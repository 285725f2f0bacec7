/** Names of devices on Windows, with any type. */
const DEVICE = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(?:\.|$)/i;

/**
 * Reason why a text cannot be the name of a file on every system; undefined if it can.
 * @param maxBytes maximum length, in bytes of UTF-8
 */
export function fileNameFault(name: string, maxBytes: number): string | undefined {
  if (name.trim() === '' || name === '.' || name === '..') return 'A name of a file or folder is missing';
  if (/[/\\]/.test(name)) return 'A name has no slashes';
  if (/[\p{Cc}\u2028\u2029]/u.test(name) || !name.isWellFormed()) return 'A name has no control characters';
  if (Buffer.byteLength(name) > maxBytes) return `A name has at most ${maxBytes} bytes`;
  if (/[. ]$/.test(name)) return 'A name does not end in a dot or a space';
  return DEVICE.test(name) ? `${name.slice(0, 20)} is the name of a device on Windows` : undefined;
}
