/** One pass over a file, from its start to its end. */
export interface FilePass {
  /** Emits the next piece of the file: a sample, or a few packets. Resolves with false at the end. */
  step(): Promise<boolean>;
}
