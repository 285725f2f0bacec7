import { computed } from 'vue';
import type { ComputedRef } from 'vue';
import type { StreamState } from '../../../../src-preload/contract/index.ts';
import { joinAddress, withQuery } from '../../../lib/format.ts';
import { useServerStore } from '../../../server/server-store.ts';
import { useNow } from '../../../server/use-now.ts';
import type { HeardStream } from '../../streams/store.ts';
import { useFrameAge } from '../../streams/use-frame-age.ts';
import { conditionOf, isPlayable } from '../../streams/stream-condition.ts';
import type { StreamCondition } from '../../streams/stream-condition.ts';
import { factsOf } from '../../streams/stream-facts.ts';
import type { StreamFacts } from '../../streams/stream-facts.ts';

/** What a tile knows of its stream, as it is to be shown now. */
export interface TileView {
  readonly state: ComputedRef<StreamState>;
  readonly name: ComputedRef<string>;
  /** Age of the last frame in milliseconds; null before the first. */
  readonly ageMs: ComputedRef<number | null>;
  readonly condition: ComputedRef<StreamCondition>;
  /** Whether there is a picture to play. */
  readonly canPlay: ComputedRef<boolean>;
  readonly facts: ComputedRef<StreamFacts>;
  /** Epoch milliseconds on the clock of the server, twice a second. */
  readonly serverNowMs: ComputedRef<number>;
  /** Codecs of all tracks in one word, to see a change by. */
  readonly codecs: ComputedRef<string>;
  /** Full address of a path on the server, with the query that lets this desk look at the stream. */
  mediaUrl(path: string): string;
  /** Age of the last frame at this moment, for the frame loop. */
  exactAgeMs(): number | null;
}

/** The view of one stream, inside a component. */
export function useTileView(heard: () => HeardStream): TileView {
  const server = useServerStore();
  const { epochMs } = useNow();
  const age = useFrameAge();
  const state = computed(() => heard().state);
  const ageMs = computed(() => age.shown(heard()));
  const condition = computed(() => conditionOf(state.value, ageMs.value));
  return {
    state,
    name: computed(() => state.value.name),
    ageMs,
    condition,
    // Without the query of the desk it would be a viewer.
    canPlay: computed(() => server.info !== null && isPlayable(condition.value)),
    facts: computed(() => factsOf(state.value)),
    serverNowMs: computed(() => epochMs.value + server.clockOffsetMs),
    codecs: computed(() => (state.value.media_info?.tracks ?? []).map(({ codec }) => codec).join()),
    mediaUrl: (path) => withQuery(joinAddress(server.mediaBase, path), server.info?.view_query),
    exactAgeMs: () => age.exact(heard()),
  };
}
