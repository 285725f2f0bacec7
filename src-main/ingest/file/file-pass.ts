/** One pass over a file, from its start to its end. */
export interface FilePass {
  /** Hands on the next bit of the file: a sample, or a few packets. Resolves with false behind the end. */
  step(): Promise<boolean>;
}
