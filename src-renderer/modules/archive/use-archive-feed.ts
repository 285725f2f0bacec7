import { useIntervalFn } from '@vueuse/core';
import { ref, watch, type Ref } from 'vue';
import type { ArchivedStream } from '../../../src-preload/contract/operations/archive-calls.ts';
import { useBridge } from '../../bridge.ts';
import { errorSentence } from '../../lib/error-advice.ts';
import { useServerStore } from '../../server/server-store.ts';
import type { ArchiveContext } from './archive-context.ts';
import { marksOf } from './marks/marks.ts';
import { useShownMarks, type ShownMarks } from './marks/use-shown-marks.ts';
import { useArchiveStore } from './store.ts';
import { joined } from './time/ranges.ts';
import type { Range } from './time/time-scale.ts';

/** Polling interval of the newest data, in milliseconds, and number of polls after which everything is loaded again. */
const ASK_MS = 4000;
const ALL_TURNS = 15;
/** Overlap of each poll with the last one, in milliseconds: ranges that were completed meanwhile. */
const AGAIN_MS = 120_000;
/** Maximum number of pages of one request. */
const MAX_PORTIONS = 20;

/** State of the archive feed for the page. */
export interface ArchiveFeed extends ShownMarks {
  /** Reason why loading failed; empty after a success. */
  readonly failure: Ref<string>;
  /** Loads the marks again. */
  refreshMarks(): Promise<void>;
}

/** Keeps the store in sync with the recordings of the server while the component is mounted. */
export function useArchiveFeed(context: ArchiveContext): ArchiveFeed {
  const now = (): number => context.now();
  const bridge = useBridge();
  const server = useServerStore();
  const archive = useArchiveStore();
  const failure = ref('');
  let turn = 0;
  /**
   * Streams whose full history is loaded. New data alone is not enough for other streams: a moment would seem to lie before all
   * recordings.
   */
  let known = '';

  async function askStreams(): Promise<void> {
    const streams: ArchivedStream[] = [];
    for (let portion = 0; portion < MAX_PORTIONS; portion++) {
      const after = streams.at(-1)?.name;
      const reply = await bridge.call('archive.streams', after === undefined ? {} : { after });
      if (!reply.ok) {
        // Without a connection the desk itself shows the fault and asks again.
        if (server.link.phase === 'live') failure.value = errorSentence(reply.error);
        return;
      }
      streams.push(...reply.value.streams);
      if (!reply.value.is_more) break;
    }
    failure.value = '';
    archive.setArchived(streams);
  }

  /** @param isWhole whether everything is loaded, or only new data */
  async function askRecorded(isWhole: boolean): Promise<void> {
    const names = [...archive.names];
    if (names.length === 0) return;
    const to = Math.ceil(now());
    let from = isWhole ? 0 : Math.max(0, to - AGAIN_MS);
    const found = new Map<string, Range[]>(names.map((name) => [name, []]));
    for (let portion = 0; portion < MAX_PORTIONS && from < to; portion++) {
      const reply = await bridge.call('archive.recorded', { names, from, to });
      if (!reply.ok || names.join() !== archive.names.join()) return;
      for (const { name, ranges } of reply.value.streams) found.get(name)?.push(...ranges);
      const cut = reply.value.streams.filter(({ is_more: isMore }) => isMore);
      if (cut.length === 0) break;
      from = Math.min(...cut.map(({ ranges }) => ranges.at(-1)?.to ?? to));
    }
    if (isWhole) known = names.join();
    else if (known !== names.join()) return;
    archive.setRecorded(
      new Map(
        names.map((name) => {
          const fresh = found.get(name) ?? [];
          const known = isWhole ? [] : (archive.recorded.get(name) ?? []);
          return [name, joined([...known, ...fresh])];
        }),
      ),
    );
  }

  async function refreshMarks(): Promise<void> {
    const names = [...archive.names];
    if (names.length === 0) return archive.setMarks([]);
    const reply = await bridge.call('archive.marks', { names, from: 0, to: Math.ceil(now()) + 1 });
    if (reply.ok && names.join() === archive.names.join()) archive.setMarks(marksOf(reply.value, now()));
  }

  // At once, after a change of streams, and after each reconnection.
  watch(
    [() => archive.names.join(), () => server.link.phase],
    ([, phase]) => {
      if (phase !== 'live') return;
      void askStreams();
      void askRecorded(true);
      void refreshMarks();
    },
    { immediate: true },
  );
  useIntervalFn(() => {
    if (server.link.phase !== 'live' || document.hidden) return;
    turn++;
    const isWhole = turn % ALL_TURNS === 0 || known !== archive.names.join();
    // A stream that starts recording appears at once.
    if (turn % 4 === 0 || archive.archived?.length === 0 || archive.missing.length > 0) void askStreams();
    void askRecorded(isWhole);
    void refreshMarks();
  }, ASK_MS);
  return { failure, refreshMarks, ...useShownMarks(context) };
}
