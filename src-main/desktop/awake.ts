/** Sleep blocker, such as Electron's `powerSaveBlocker`. */
export interface SleepBlocker {
  start(kind: Exclude<Awake, 'none'>): number;
  stop(id: number): void;
}

/** State of the machine: it may sleep, stays awake, or stays awake with its screen on. */
export type Awake = 'none' | 'prevent-app-suspension' | 'prevent-display-sleep';

/** Keeps the machine awake while a wall is visible or streams are live. */
export class KeepAwake {
  readonly #blocker: SleepBlocker;
  #kind: Awake = 'none';
  #id: number | undefined;

  constructor(blocker: SleepBlocker) {
    this.#blocker = blocker;
  }

  /** Sets the conditions. A visible wall keeps the screen on; live streams keep the machine awake. */
  set({ isWallShown, isOnAir }: { readonly isWallShown: boolean; readonly isOnAir: boolean }): void {
    const kind = isWallShown ? 'prevent-display-sleep' : isOnAir ? 'prevent-app-suspension' : 'none';
    if (kind === this.#kind) return;
    const previousId = this.#id;
    this.#kind = kind;
    this.#id = kind === 'none' ? undefined : this.#blocker.start(kind);
    if (previousId !== undefined) this.#blocker.stop(previousId);
  }
}
