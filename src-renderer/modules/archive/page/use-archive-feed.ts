import { useIntervalFn } from '@vueuse/core';
import { ref, watch, type Ref } from 'vue';
import type { ArchivedStream } from '../../../../src-preload/contract/operations/archive-calls.ts';
import { useBridge } from '../../../server/bridge.ts';
import { errorSentence } from '../../../lib/error-advice.ts';
import { useServerStore } from '../../../server/server-store.ts';
import type { ArchiveContext } from '../play/archive-context.ts';
import { marksOf } from '../../../domain/archive/marks.ts';
import { useShownMarks, type ShownMarks } from '../marks/use-shown-marks.ts';
import { useArchiveStore } from '../store.ts';
import { joined } from '../ranges.ts';
import type { Range } from '../time-scale.ts';

/** Polling interval of the newest data, in milliseconds, and number of polls after which everything is loaded again. */
const POLL_MS = 4000;
const ALL_POLLS = 15;
/** Overlap of each poll with the last one, in milliseconds: it includes ranges that have been completed since. */
const OVERLAP_MS = 120_000;
/** Maximum number of pages of one request. */
const MAX_PAGES = 20;

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
  let poll = 0;
  /**
   * Streams whose full history is loaded. For other streams, the newest data is not enough, because an earlier moment would
   * seem to be before all recordings.
   */
  let known = '';

  async function loadStreams(): Promise<void> {
    const streams: ArchivedStream[] = [];
    for (let page = 0; page < MAX_PAGES; page++) {
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

  /** @param isAll whether everything is loaded, or only new data */
  async function loadRecorded(isAll: boolean): Promise<void> {
    const names = [...archive.names];
    if (names.length === 0) return;
    const to = Math.ceil(now());
    let from = isAll ? 0 : Math.max(0, to - OVERLAP_MS);
    const found = new Map<string, Range[]>(names.map((name) => [name, []]));
    for (let page = 0; page < MAX_PAGES && from < to; page++) {
      const reply = await bridge.call('archive.recorded', { names, from, to });
      if (!reply.ok || names.join() !== archive.names.join()) return;
      for (const { name, ranges } of reply.value.streams) found.get(name)?.push(...ranges);
      const cut = reply.value.streams.filter(({ is_more: isMore }) => isMore);
      if (cut.length === 0) break;
      from = Math.min(...cut.map(({ ranges }) => ranges.at(-1)?.to ?? to));
    }
    if (isAll) known = names.join();
    else if (known !== names.join()) return;
    archive.setRecorded(
      new Map(
        names.map((name) => {
          const fresh = found.get(name) ?? [];
          const known = isAll ? [] : (archive.recorded.get(name) ?? []);
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
      void loadStreams();
      void loadRecorded(true);
      void refreshMarks();
    },
    { immediate: true },
  );
  useIntervalFn(() => {
    if (server.link.phase !== 'live' || document.hidden) return;
    poll++;
    const isAll = poll % ALL_POLLS === 0 || known !== archive.names.join();
    // A stream that starts recording appears at once.
    if (poll % 4 === 0 || archive.archived?.length === 0 || archive.missing.length > 0) void loadStreams();
    void loadRecorded(isAll);
    void refreshMarks();
  }, POLL_MS);
  return { failure, refreshMarks, ...useShownMarks(context) };
}
