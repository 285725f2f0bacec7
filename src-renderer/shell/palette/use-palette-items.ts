import { computed, type ComputedRef } from 'vue';
import { useRouter } from 'vue-router';
import { useStreamsStore } from '../../modules/streams/store.ts';
import { useWallStore } from '../../modules/wall/store.ts';
import { useServerStore } from '../../server/server-store.ts';
import { MODULES } from '../desk-modules.ts';
import { useShellDialogs } from '../shell-dialogs.ts';
import type { PaletteItem } from './palette-items.ts';
import { TEXTS } from '../texts.ts';

/** What the desk can be asked for: pages, things to do, and each stream on the wall and in the log. */
export function usePaletteItems(): ComputedRef<readonly PaletteItem[]> {
  const router = useRouter();
  const streams = useStreamsStore();
  const wall = useWallStore();
  const server = useServerStore();
  const dialogs = useShellDialogs();

  const pages = computed(() =>
    MODULES.map(({ name }): PaletteItem => ({
      ...{ key: `page ${name}`, title: TEXTS.modules[name], hint: TEXTS.page },
      run: () => void router.push({ name }),
    })),
  );
  const acts = computed((): PaletteItem[] => [
    { key: 'mute', title: TEXTS.muteAll, hint: TEXTS.sound, run: () => wall.toggleAllMuted() },
    { key: 'preferences', title: TEXTS.preferences, hint: TEXTS.coloursOf, run: () => dialogs.show('preferences') },
    { key: 'notices', title: TEXTS.notices, hint: TEXTS.noticesTitle, run: () => dialogs.show('notices') },
    ...(server.mayWrite
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
  const ofStreams = computed(() =>
    [...streams.byName.values()].flatMap(({ state: { name, title } }): PaletteItem[] => [
      {
        ...{ key: `wall ${name}`, title: name, hint: TEXTS.stream(title ?? '') },
        run: () => void router.push({ name: 'wall', query: { solo: name } }),
      },
      {
        ...{ key: `log ${name}`, title: TEXTS.logOf(name), hint: TEXTS.logOfHint },
        run: () => void router.push({ name: 'log', query: { media: name } }),
      },
      {
        ...{ key: `stream ${name}`, title: TEXTS.detailsOf(name), hint: TEXTS.detailsOfHint },
        run: () => void router.push({ name: 'streams', query: { name } }),
      },
    ]),
  );

  async function addStream(): Promise<void> {
    await router.push({ name: 'wall' });
    streams.setAddOpen(true);
  }
  return computed(() => [...pages.value, ...acts.value, ...ofStreams.value]);
}
