import { computed, type ComputedRef } from 'vue';
import { useRouter } from 'vue-router';
import { useBridge } from '../../server/bridge.ts';
import { archiveQuery } from '../../domain/archive/archive-query.ts';
import { useStreamsStore } from '../../domain/streams/store.ts';
import { useWallsStore } from '../../modules/wall/grid/walls-store.ts';
import { useWallStore } from '../../modules/wall/store.ts';
import { formatClock, formatDay, joinAddress } from '../../lib/format.ts';
import { useServerStore } from '../../server/server-store.ts';
import { modulesFor } from '../desk-modules.ts';
import { useShellDialogs } from '../shell-dialogs.ts';
import type { PaletteItem } from './palette-items.ts';
import { TEXTS } from '../texts.ts';

/** Items of the palette: pages, walls, actions, and each stream on the wall, in the log and at a moment of its archive. */
export function usePaletteItems(): {
  readonly items: ComputedRef<readonly PaletteItem[]>;
  readonly atMoment: (ms: number) => readonly PaletteItem[];
} {
  const router = useRouter();
  const streams = useStreamsStore();
  const wall = useWallStore();
  const walls = useWallsStore();
  const server = useServerStore();
  const bridge = useBridge();
  const dialogs = useShellDialogs();

  const pages = computed(() =>
    modulesFor(server.info ?? null).map(({ name }): PaletteItem => ({
      key: `page ${name}`,
      title: TEXTS.modules[name],
      hint: TEXTS.page,
      run: () => void router.push({ name }),
    })),
  );
  const acts = computed((): PaletteItem[] => [
    { key: 'mute', title: TEXTS.muteAll, hint: TEXTS.sound, run: () => wall.toggleAllMuted() },
    { key: 'preferences', title: TEXTS.preferences, hint: TEXTS.coloursOf, run: () => dialogs.show('preferences') },
    ...(server.info?.role === undefined
      ? []
      : [
          {
            key: 'own-password',
            title: TEXTS.password.change,
            hint: TEXTS.loggedInAs(server.info.login ?? ''),
            run: () => dialogs.show('own-password'),
          },
        ]),
    ...(server.info?.has_session
      ? [
          {
            key: 'log-out',
            title: TEXTS.logOut,
            hint: TEXTS.loggedInAs(server.info.login ?? ''),
            run: () => void bridge.login?.logOut(),
          },
        ]
      : []),
    {
      key: 'documentation',
      title: TEXTS.documentation,
      hint: TEXTS.documentationHint,
      run: () => window.open(joinAddress(server.mediaBase, '/-/docs/'), '_blank', 'noopener'),
    },
    { key: 'notices', title: TEXTS.notices, hint: TEXTS.noticesTitle, run: () => dialogs.show('notices') },
    ...(server.may('streams', 'edit')
      ? [
          { key: 'add', title: TEXTS.addStream, hint: TEXTS.modules.streams, run: () => void addStream() },
          {
            key: 'first-steps',
            title: TEXTS.firstSteps,
            hint: TEXTS.firstStepsHint,
            run: () => dialogs.show('first-steps'),
          },
        ]
      : []),
  ]);
  const wallItems = computed(() =>
    walls.list.map((one): PaletteItem => ({
      key: `wall/${one.name}`,
      title: one.name,
      hint: TEXTS.wallOf(one.key),
      run: () => {
        wall.recall(one);
        void router.push({ name: 'wall', query: { wall: one.name } });
      },
    })),
  );
  const streamItems = computed(() =>
    [...streams.byName.values()].flatMap(({ state: { name, title } }): PaletteItem[] => [
      {
        key: `wall ${name}`,
        title: name,
        hint: TEXTS.stream(title ?? ''),
        run: () => void router.push({ name: 'wall', query: { solo: name } }),
      },
      {
        key: `log ${name}`,
        title: TEXTS.logOf(name),
        hint: TEXTS.logOfHint,
        run: () => void router.push({ name: 'log', query: { media: name } }),
      },
      {
        key: `stream ${name}`,
        title: TEXTS.detailsOf(name),
        hint: TEXTS.detailsOfHint,
        run: () => void router.push({ name: 'streams', query: { name } }),
      },
    ]),
  );

  async function addStream(): Promise<void> {
    await router.push({ name: 'wall' });
    streams.setAddOpen(true);
  }
  return {
    items: computed(() => [...pages.value, ...wallItems.value, ...acts.value, ...streamItems.value]),
    atMoment: (ms) => {
      const isToday = new Date(ms).toDateString() === new Date().toDateString();
      const time = `${isToday ? '' : `${formatDay(ms)} `}${formatClock(ms, 'local')}`;
      return [...streams.byName.values()].map(({ state: { name, title } }) => ({
        key: `archive ${name}`,
        title: TEXTS.archiveAt(name, time),
        hint: TEXTS.stream(title ?? ''),
        run: () => void router.push({ name: 'archive', query: archiveQuery([name], ms) }),
      }));
    },
  };
}
