/** Requested time of a recording. Times are whole seconds; dates count since 1970. */
export type ArchiveSpan = {
  /** Name in the address, without the file extension. The addresses of the playlists of tracks contain it too. */
  readonly name: string;
  /** True for older players: video and audio in one playlist. */
  readonly isMuxed: boolean;
} & (
  | {
      readonly kind: 'range';
      readonly fromSeconds: number;
      /** Infinity for a range that grows. */
      readonly durationSeconds: number;
    }
  /** The live stream, and some time before it. */
  | { readonly kind: 'rewind'; readonly seconds: number }
  /** The stream with a delay. */
  | { readonly kind: 'delayed'; readonly seconds: number }
  /** The stream, delayed so that the session starts at a time. */
  | { readonly kind: 'delayed-from'; readonly fromSeconds: number }
);

const RANGE = /^(archive|index|video|mono)-(\d{1,10})-(\d{1,8}|now)$/;
const REWIND = /^(?:(video|mono)-)?rewind-(\d{1,8})$/;
const DELAYED = /^(?:(video|mono)-)?timeshift_(abs|rel)-(\d{1,10})$/;

/** Parses the name of a playlist or file; undefined if it names no time. */
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
