/** How files are made fit, beside the format of the stream. */
export interface FitOptions {
  /** Whether they become as loud as the stream. */
  isLevelled: boolean;
  /** Black time before the first picture, in milliseconds. */
  leadInMs: number;
  /** The clip lasts a whole number of times as long, in milliseconds; 0 for as long as it is. */
  multipleMs: number;
}

/** As most clips are wanted. */
export function usualOptions(): FitOptions {
  return { isLevelled: true, leadInMs: 0, multipleMs: 0 };
}

/** The same as the call has it: what is not wanted is left out. */
export function fitInput({ isLevelled, leadInMs, multipleMs }: FitOptions): object {
  return {
    isLevelled,
    ...(leadInMs > 0 ? { leadInMs } : {}),
    ...(multipleMs > 0 ? { multipleMs } : {}),
  };
}
