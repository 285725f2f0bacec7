/** Descriptor of a table (ISO/IEC 13818-1, 2.6): a tag and up to 255 bytes. */
export interface Descriptor {
  readonly tag: number;
  readonly data: Uint8Array;
}

/** Tags of the descriptors that Airdesk reads or writes. */
export const DESCRIPTOR = {
  /** registration_descriptor (2.6.8): a format identifier of four letters. */
  registration: 0x05,
  /** ISO_639_language_descriptor (2.6.18). */
  language: 0x0a,
  /** metadata_descriptor (2.6.60). */
  metadata: 0x26,
  /** VBI data, VBI teletext, teletext and subtitling descriptors (ETSI EN 300 468, 6.2). */
  dvbVbiData: 0x45,
  dvbVbiTeletext: 0x46,
  dvbTeletext: 0x56,
  dvbSubtitling: 0x59,
  /** AC-3 descriptor (ETSI EN 300 468, annex D). */
  dvbAc3: 0x6a,
  /** Enhanced AC-3 descriptor (ETSI EN 300 468, annex D). */
  dvbEac3: 0x7a,
  /** DTS descriptor (ETSI EN 300 468, annex G). */
  dvbDts: 0x7b,
  /** Extension descriptor of DVB (ETSI EN 300 468, 6.2.16); its first byte is its own tag. */
  dvbExtension: 0x7f,
  /** Data component descriptor (ARIB STD-B10): captions. */
  aribDataComponent: 0xfd,
  /** cue_identifier_descriptor (SCTE 35, 8.2). */
  cueIdentifier: 0x8a,
} as const;

/** Extension tag of the channel configuration of Opus, inside the DVB extension descriptor. */
export const OPUS_EXTENSION_TAG = 0x80;

/** Reads the descriptors of `bytes[start..end)`. A descriptor that does not fit ends the list. */
export function readDescriptors(bytes: Uint8Array, start: number, end: number): Descriptor[] {
  const found: Descriptor[] = [];
  let at = start;
  while (at + 2 <= end) {
    const next = at + 2 + bytes[at + 1]!;
    if (next > end) break;
    // A copy: the table outlives the packet it came in.
    found.push({ tag: bytes[at]!, data: Uint8Array.prototype.slice.call(bytes, at + 2, next) });
    at = next;
  }
  return found;
}

/** Writes consecutive descriptors. */
export function writeDescriptors(descriptors: readonly Descriptor[]): number[] {
  return descriptors.flatMap(({ tag, data }) => [tag, data.length, ...data]);
}

/** Format identifier of the registration descriptor, such as `CUEI`; undefined if there is none. */
export function registrationOf(descriptors: readonly Descriptor[]): string | undefined {
  const data = descriptors.find(({ tag }) => tag === DESCRIPTOR.registration)?.data;
  return data && data.length >= 4 ? String.fromCharCode(...data.subarray(0, 4)) : undefined;
}

/** A registration descriptor of a format identifier of four letters. */
export function registration(identifier: string): Descriptor {
  return { tag: DESCRIPTOR.registration, data: Uint8Array.from(identifier, (letter) => letter.charCodeAt(0)) };
}

/** ISO 639-2 language in lower case; undefined if not stated, or `und`. */
export function languageOf(descriptors: readonly Descriptor[]): string | undefined {
  const data = descriptors.find(({ tag }) => tag === DESCRIPTOR.language)?.data;
  if (!data || data.length < 3) return undefined;
  const language = String.fromCharCode(...data.subarray(0, 3)).toLowerCase();
  return /^[a-z]{3}$/.test(language) && language !== 'und' ? language : undefined;
}

/** A language descriptor with audio_type 0. `language` has three letters. */
export function language(language: string): Descriptor {
  return {
    tag: DESCRIPTOR.language,
    data: Uint8Array.from([...Array.from(language.slice(0, 3), (letter) => letter.charCodeAt(0)), 0]),
  };
}
