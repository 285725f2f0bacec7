import { inject, onScopeDispose, provide } from 'vue';
import { joinAddress, withQuery } from '../../lib/format.ts';
import { useServerStore } from '../../server/server-store.ts';
import { archiveContextKey, type ArchiveContext } from './archive-context.ts';
import { PlayGroup } from './play/play-group.ts';
import { useArchiveStore } from './store.ts';
import { nextRecorded } from './time/stretches.ts';

/** Later than so long before now the newest picture is meant, in milliseconds. */
const LIVE_MS = 1500;

/** Makes what the parts of the archive page share, for as long as the page lives. */
export function provideArchive(): ArchiveContext {
  const server = useServerStore();
  const archive = useArchiveStore();
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
      const wanted = Math.max(0, ms);
      if (wanted > context.now() - LIVE_MS) return context.goLive();
      const recorded = archive.recorded.get(archive.names[0] ?? '') ?? [];
      // What was recorded just now is not in the list yet.
      group.seek(nextRecorded(recorded, wanted) ?? wanted);
    },
    goLive: () => group.goLive(),
  };
  provide(archiveContextKey, context);
  onScopeDispose(() => group.setMembers([]));
  return context;
}

/** What the parts of the archive page share. */
export function useArchiveContext(): ArchiveContext {
  const context = inject(archiveContextKey);
  if (!context) throw new Error('not inside the archive page');
  return context;
}
