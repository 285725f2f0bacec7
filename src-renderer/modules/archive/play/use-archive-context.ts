import { inject, onScopeDispose, provide } from 'vue';
import { joinAddress, withQuery } from '../../../lib/format.ts';
import { useServerStore } from '../../../server/server-store.ts';
import { archiveContextKey, type ArchiveContext } from './archive-context.ts';
import { PlayGroup } from './play-group.ts';

/** Moments later than this before now select the newest picture, in milliseconds. */
const LIVE_MS = 1500;

/** Creates the shared context of the archive page, for its lifetime. */
export function provideArchive(): ArchiveContext {
  const server = useServerStore();
  const group = new PlayGroup();
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
      group.seek(targetMs);
    },
    goLive() {
      const nowMs = context.now();
      if (group.isRecordedAt(nowMs)) return group.goLive(nowMs);
      group.setSpeed(0);
      group.seek(nowMs);
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
