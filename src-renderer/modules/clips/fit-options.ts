/** Options of a conversion, besides the format of the stream. */
export interface FitOptions {
  /** Whether the loudness is adjusted to that of the stream. */
  isLevelled: boolean;
  /** Black lead-in before the first picture, in milliseconds. */
  leadInMs: number;
  /** The duration is padded to a multiple of this value, in milliseconds; 0 keeps it. */
  multipleMs: number;
}

/** Default options. */
export function defaultOptions(): FitOptions {
  return { isLevelled: true, leadInMs: 0, multipleMs: 0 };
}

/** Options as call input, without those that are off. */
export function fitInput({ isLevelled, leadInMs, multipleMs }: FitOptions): object {
  return {
    isLevelled,
    ...(leadInMs > 0 ? { leadInMs } : {}),
    ...(multipleMs > 0 ? { multipleMs } : {}),
  };
}
