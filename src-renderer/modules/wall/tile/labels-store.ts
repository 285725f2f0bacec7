import { defineStore } from 'pinia';
import { shallowRef, triggerRef } from 'vue';
import type { TopicPayload } from '../../../../src-preload/contract/index.ts';
import type { TileLabel } from '../../../../src-preload/contract/wall-calls.ts';

const NONE: TileLabel = { umd: [], tally: 'off' };

/** What production systems say of streams: text and lamp of their tiles. */
export const useLabelsStore = defineStore('tile-labels', () => {
  const byName = shallowRef(new Map<string, TileLabel>());

  /** Takes a message of the topic `wall`. */
  function apply({ is_snapshot: isSnapshot, labels }: Pick<TopicPayload<'wall'>, 'is_snapshot' | 'labels'>): void {
    if (isSnapshot) byName.value.clear();
    for (const { name, ...label } of labels) {
      if (label.tally === 'off' && label.umd.length === 0) byName.value.delete(name);
      else byName.value.set(name, label);
    }
    triggerRef(byName);
  }

  /** The label of a stream; an empty one where nothing was said. */
  function of(name: string): TileLabel {
    return byName.value.get(name) ?? NONE;
  }

  return { byName, apply, of };
});
