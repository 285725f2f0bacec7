import { because, type Explained } from '../../src-preload/contract/explanations/explanations.ts';

/** Names of devices on Windows, with any type. */
const DEVICE = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(?:\.|$)/i;

/**
 * Explains why a text is not a valid file name on every system; undefined if it is valid.
 * @param maxBytes maximum length, in bytes of UTF-8
 */
export function fileNameFault(name: string, maxBytes: number): Explained | undefined {
  if (name.trim() === '' || name === '.' || name === '..') return because('name_missing');
  if (/[/\\]/.test(name)) return because('name_slash');
  if (/[\p{Cc}\u2028\u2029]/u.test(name) || !name.isWellFormed()) return because('name_control_characters');
  if (Buffer.byteLength(name) > maxBytes) return because('name_too_long', { bytes: maxBytes });
  if (/[. ]$/.test(name)) return because('name_end');
  return DEVICE.test(name) ? because('name_of_device', { name: name.slice(0, 20) }) : undefined;
}
