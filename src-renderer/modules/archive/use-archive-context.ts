import { inject, onScopeDispose, provide } from 'vue';
import { joinAddress, withQuery } from '../../lib/format.ts';
import { useServerStore } from '../../server/server-store.ts';
import { useStreamsStore } from '../streams/store.ts';
import { archiveContextKey, type ArchiveContext } from './archive-context.ts';
import { PlayGroup } from './play/play-group.ts';
import { useArchiveStore } from './store.ts';
import { nextRecorded } from './time/ranges.ts';
import type { Range } from './time/time-scale.ts';

/** Later than so long before now the newest picture is meant, in milliseconds. */
const LIVE_MS = 1500;
/** So long before its end the last picture of an archive is surely shown, in milliseconds. */
const LAST_MS = 100;

/** Makes what the parts of the archive page share, for as long as the page lives. */
export function provideArchive(): ArchiveContext {
  const server = useServerStore();
  const archive = useArchiveStore();
  const streams = useStreamsStore();
  const group = new PlayGroup();
  const leader = (): string => archive.names[0] ?? '';
  const recorded = (): readonly Range[] => archive.recorded.get(leader()) ?? [];
  /** The last picture of what is not on air: nothing comes behind it. */
  const lastWhileOff = (): number | undefined => {
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
      const wanted = Math.max(0, ms);
      if (wanted > context.now() - LIVE_MS) return context.goLive();
      // What was recorded just now is not in the list yet.
      group.seek(nextRecorded(recorded(), wanted) ?? lastWhileOff() ?? wanted);
    },
    goLive() {
      const last = lastWhileOff();
      if (last === undefined) return group.goLive();
      group.setSpeed(0);
      group.seek(last);
    },
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
