import { useEventListener } from '@vueuse/core';
import { onScopeDispose } from 'vue';
import { useWallStore } from '../store.ts';
import { useWallContext } from '../wall-context.ts';

/** Starts audio as soon as the browser allows it: at once in the application window, with the first gesture in a browser. */
export function useSoundUnlock(): void {
  const wall = useWallStore();
  const { audioMixer } = useWallContext();
  const unlock = (): void => {
    if (!audioMixer.isRunning) void audioMixer.unlock();
  };
  useEventListener(document, ['pointerdown', 'keydown'], unlock);
  onScopeDispose(audioMixer.onRunning((isRunning) => wall.setSoundPossible(isRunning)));
  unlock();
}
