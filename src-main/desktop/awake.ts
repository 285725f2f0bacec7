/** What keeps a machine awake; `powerSaveBlocker` of Electron is one. */
export interface SleepBlocker {
  start(kind: Exclude<Awake, 'none'>): number;
  stop(id: number): void;
}

/** How far the machine is kept awake: not at all, so that it goes on serving with its screen off, or with its screen on. */
export type Awake = 'none' | 'prevent-app-suspension' | 'prevent-display-sleep';

/** Keeps the machine awake as far as is needed. */
export class KeepAwake {
  readonly #blocker: SleepBlocker;
  #kind: Awake = 'none';
  #id: number | undefined;

  constructor(blocker: SleepBlocker) {
    this.#blocker = blocker;
  }

  /** A wall that is seen keeps the screen on; streams that are on air keep the machine running. */
  set({ isWallSeen, isOnAir }: { readonly isWallSeen: boolean; readonly isOnAir: boolean }): void {
    const kind = isWallSeen ? 'prevent-display-sleep' : isOnAir ? 'prevent-app-suspension' : 'none';
    if (kind === this.#kind) return;
    const former = this.#id;
    this.#kind = kind;
    this.#id = kind === 'none' ? undefined : this.#blocker.start(kind);
    if (former !== undefined) this.#blocker.stop(former);
  }
}
