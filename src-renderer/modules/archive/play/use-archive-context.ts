import { inject, onScopeDispose, provide } from 'vue';
import { joinAddress, withQuery } from '../../../lib/format.ts';
import { useServerStore } from '../../../server/server-store.ts';
import { useStreamsStore } from '../../../domain/streams/store.ts';
import { archiveContextKey, type ArchiveContext } from './archive-context.ts';
import { PlayGroup } from './play-group.ts';
import { useArchiveStore } from '../store.ts';
import { nextRecorded } from '../ranges.ts';
import type { Range } from '../time-scale.ts';

/** Moments later than this before now select the newest picture, in milliseconds. */
const LIVE_MS = 1500;
/** Distance before the end of an archive at which its last picture is certainly shown, in milliseconds. */
const LAST_MS = 100;

/** Creates the shared context of the archive page, for its lifetime. */
export function provideArchive(): ArchiveContext {
  const server = useServerStore();
  const archive = useArchiveStore();
  const streams = useStreamsStore();
  const group = new PlayGroup();
  const leader = (): string => archive.names[0] ?? '';
  const recorded = (): readonly Range[] => archive.recorded.get(leader()) ?? [];
  /** Last picture of a stream that is not on air; undefined for a stream on air, whose archive still grows. */
  const lastPicture = (): number | undefined => {
    const last = recorded().at(-1);
    const isOnAir = streams.byName.get(leader())?.state.status === 'running';
    return isOnAir || !last ? undefined : Math.max(last.from, last.to - LAST_MS);
  };
  const context: ArchiveContext = {
    group,
    now: () => Date.now() + server.clockOffsetMs,
    addressOf: (name, file) =>
      withQuery(
        joinAddress(server.mediaBase, `${name.split('/').map(encodeURIComponent).join('/')}/${file}`),
        server.info?.view_query,
      ),
    view: undefined,
    seek(ms) {
      const targetMs = Math.max(0, ms);
      if (targetMs > context.now() - LIVE_MS) return context.goLive();
      // The newest recording is not in the list yet.
      group.seek(nextRecorded(recorded(), targetMs) ?? lastPicture() ?? targetMs);
    },
    goLive() {
      const last = lastPicture();
      if (last === undefined) return group.goLive();
      group.setSpeed(0);
      group.seek(last);
    },
  };
  provide(archiveContextKey, context);
  onScopeDispose(() => group.setMembers([]));
  return context;
}

/** Shared context of the archive page. */
export function useArchiveContext(): ArchiveContext {
  const context = inject(archiveContextKey);
  if (!context) throw new Error('not inside the archive page');
  return context;
}
