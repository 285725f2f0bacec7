import { useEventListener } from '@vueuse/core';
import { onScopeDispose } from 'vue';
import { useWallStore } from '../store.ts';
import { useWallContext } from '../wall-context.ts';

/** Switches sound on as soon as the browser lets it through: at once in a window, in a browser with the first gesture. */
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
