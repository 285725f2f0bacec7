import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { TopicPayload } from '../../../src-preload/contract/topics.ts';
import type { TileLabel } from '../../../src-preload/contract/operations/wall-calls.ts';
import { isInScope } from '../../operators/require.ts';
import type { Caller } from '../../operators/caller.ts';

type Message = TopicPayload<'wall'>;
type Listener = (message: Message) => void;

/** Maximum number of streams with a label. */
const MAX_LABELS = 10_000;
const NONE: TileLabel = { umd: [], tally: 'off' };

/**
 * Labels that production systems set for streams on all walls, and the wall that windows should show. A late tally lamp
 * misleads operators, so each change is sent at once; changes in one turn of the event loop share a message. Labels do not
 * survive a restart, because production systems send them again.
 */
export class TileLabels {
  readonly #labels = new Map<string, TileLabel>();
  readonly #listeners = new Map<Listener, Pick<Caller, 'prefixes'>>();
  readonly #changed = new Set<string>();

  /** Label of a stream; an empty one by default. */
  get(name: string): TileLabel {
    return this.#labels.get(name) ?? NONE;
  }

  /** Changes the label of a stream; absent fields stay. Raises `too_many_labels`. */
  set(name: string, change: { readonly [K in keyof TileLabel]?: TileLabel[K] | undefined }): TileLabel {
    const before = this.get(name);
    const label = { umd: change.umd ?? before.umd, tally: change.tally ?? before.tally };
    const isEmpty = label.tally === 'off' && label.umd.every((line) => line === '');
    if (isEmpty) this.#labels.delete(name);
    else {
      if (!this.#labels.has(name) && this.#labels.size >= MAX_LABELS)
        throw new AirdeskError('too_many_labels', `There are labels of ${MAX_LABELS} streams. Remove some first`);
      this.#labels.set(name, label);
    }
    if (this.#changed.size === 0 && this.#listeners.size > 0) setImmediate(() => this.#send());
    if (this.#listeners.size > 0) this.#changed.add(name);
    return isEmpty ? NONE : label;
  }

  /**
   * Switches windows to a wall.
   * @param window name of the windows; default: all windows
   * @param reaches whether a subscriber is notified
   */
  recall(wall: string, window?: string, reaches: (caller: Pick<Caller, 'prefixes'>) => boolean = () => true): void {
    const recalled = { wall, ...(window === undefined ? {} : { window }) };
    for (const [listener, caller] of this.#listeners)
      if (reaches(caller)) listener({ is_snapshot: false, labels: [], recalled });
  }

  /**
   * Sends all labels at once, and changes as they happen, in the caller's scope. Returns a function that ends the subscription.
   */
  subscribe(subscriber: Listener, caller: Pick<Caller, 'prefixes'>): () => void {
    const listener: Listener = (message) => {
      const labels = caller.prefixes ? message.labels.filter(({ name }) => isInScope(caller, name)) : message.labels;
      if (message.is_snapshot || labels.length > 0 || message.recalled) subscriber({ ...message, labels });
    };
    this.#listeners.set(listener, caller);
    listener({ is_snapshot: true, labels: [...this.#labels].map(([name, label]) => ({ name, ...label })) });
    return () => {
      this.#listeners.delete(listener);
    };
  }

  close(): void {
    this.#listeners.clear();
  }

  #send(): void {
    const labels = [...this.#changed].map((name) => ({ name, ...this.get(name) }));
    this.#changed.clear();
    for (const listener of this.#listeners.keys()) listener({ is_snapshot: false, labels });
  }
}
