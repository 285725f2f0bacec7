/** Keyboard shortcuts under a heading. */
export interface KeyGroup {
  readonly title: string;
  readonly keys: readonly (readonly [keys: string, description: string])[];
}
