/** Separation of the NAL units of a sample: lengths, start codes, or both, as muxers write them. */
export const FRAMINGS = [
  'lengths of 4 bytes',
  'lengths of 2 bytes',
  'start codes of 4 bytes',
  'start codes of 3 bytes',
  'start codes and zeros',
  'one length before start codes',
  'one length instead of a start code',
  'a length before each start code',
  'a prefix unit before start codes',
] as const;
export type Framing = (typeof FRAMINGS)[number];

/** Separations that need no statement in the configuration. */
export const UNSTATED_FRAMINGS = FRAMINGS.filter((framing) => framing !== 'lengths of 2 bytes');

/** Units of a picture, separated in one of the ways used by muxers. */
export function framed(units: readonly Uint8Array[], framing: Framing): Buffer {
  const separated = (separator: (unit: Uint8Array) => readonly number[]): Buffer =>
    Buffer.concat(units.flatMap((unit) => [Buffer.from(separator(unit)), unit]));
  const length = (bytes: number) => (unit: { readonly length: number }) =>
    [24, 16, 8, 0].slice(4 - bytes).map((shift) => (unit.length >> shift) & 0xff);
  const behindLength = (bytes: Uint8Array): Buffer => Buffer.concat([Buffer.from(length(4)(bytes)), bytes]);
  const byteStream = separated(() => [0, 0, 0, 1]);
  switch (framing) {
    case 'lengths of 4 bytes':
      return separated(length(4));
    case 'lengths of 2 bytes':
      return separated(length(2));
    case 'start codes of 4 bytes':
      return byteStream;
    case 'start codes of 3 bytes':
      return separated(() => [0, 0, 1]);
    case 'start codes and zeros':
      return Buffer.concat([separated(() => [0, 0, 0, 0, 0, 1]).subarray(2), Buffer.alloc(40)]);
    case 'one length before start codes':
      return behindLength(byteStream);
    case 'one length instead of a start code':
      return behindLength(byteStream.subarray(4));
    case 'a length before each start code':
      return Buffer.concat(units.map((unit) => behindLength(Buffer.from([0, 0, 0, 1, ...unit]))));
    case 'a prefix unit before start codes':
      return behindLength(Buffer.concat([Buffer.from([0x6e, 0xc0, 0x80, 0x0f]), byteStream]));
  }
}
