/** Keys and what they do, under a title. */
export interface KeyGroup {
  readonly title: string;
  readonly keys: readonly (readonly [keys: string, words: string])[];
}
