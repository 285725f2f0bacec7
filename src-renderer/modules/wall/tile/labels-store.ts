import { defineStore } from 'pinia';
import { shallowRef, triggerRef } from 'vue';
import type { TopicPayload } from '../../../../src-preload/contract/index.ts';
import type { TileLabel } from '../../../../src-preload/contract/operations/wall-calls.ts';

const NONE: TileLabel = { umd: [], tally: 'off' };

/** Tile labels from production systems: text and tally lamp. */
export const useLabelsStore = defineStore('tile-labels', () => {
  const byName = shallowRef(new Map<string, TileLabel>());

  /** Applies a message of the topic `wall`. */
  function apply({ is_snapshot: isSnapshot, labels }: Pick<TopicPayload<'wall'>, 'is_snapshot' | 'labels'>): void {
    if (isSnapshot) byName.value.clear();
    for (const { name, ...label } of labels) {
      if (label.tally === 'off' && label.umd.length === 0) byName.value.delete(name);
      else byName.value.set(name, label);
    }
    triggerRef(byName);
  }

  /** Label of a stream; empty if none is set. */
  function of(name: string): TileLabel {
    return byName.value.get(name) ?? NONE;
  }

  return { byName, apply, of };
});
