/** Which time of what was recorded an address asks for. Times are whole seconds, those with a date since 1970. */
export type ArchiveSpan = {
  /** As it stands in the address, without the end of the file: what belongs to it has it in its addresses, too. */
  readonly name: string;
  /** Whether it is one that older players ask for: picture and sound in one playlist. */
  readonly isMuxed: boolean;
} & (
  | {
      readonly kind: 'range';
      readonly fromSeconds: number;
      /** Infinite: up to now, and on. */
      readonly durationSeconds: number;
    }
  /** The live stream, and so much before it. */
  | { readonly kind: 'rewind'; readonly seconds: number }
  /** As it was so long ago, going on. */
  | { readonly kind: 'delayed'; readonly seconds: number }
  /** From a time on, which counts from the begin of the session. */
  | { readonly kind: 'delayed-from'; readonly fromSeconds: number }
);

const RANGE = /^(archive|index|video|mono)-(\d{1,10})-(\d{1,8}|now)$/;
const REWIND = /^(?:(video|mono)-)?rewind-(\d{1,8})$/;
const DELAYED = /^(?:(video|mono)-)?timeshift_(abs|rel)-(\d{1,10})$/;

/** Reads the name of a playlist or file; undefined where it names no time. */
export function readSpan(name: string): ArchiveSpan | undefined {
  const range = RANGE.exec(name);
  if (range) {
    const [, form = '', from, duration] = range;
    const isMuxed = form === 'video' || form === 'mono';
    const durationSeconds = duration === 'now' ? Infinity : Number(duration);
    return { name, isMuxed, kind: 'range', fromSeconds: Number(from), durationSeconds };
  }
  const rewind = REWIND.exec(name);
  if (rewind) return { name, isMuxed: rewind[1] !== undefined, kind: 'rewind', seconds: Number(rewind[2]) };
  const delayed = DELAYED.exec(name);
  if (!delayed) return undefined;
  const [, form, way, value] = delayed;
  const common = { name, isMuxed: form !== undefined };
  return way === 'abs'
    ? { ...common, kind: 'delayed-from', fromSeconds: Number(value) }
    : { ...common, kind: 'delayed', seconds: Number(value) };
}
