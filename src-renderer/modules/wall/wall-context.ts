import { inject } from 'vue';
import type { InjectionKey } from 'vue';
import type { FrameTicker } from '../../lib/frame-ticker.ts';
import type { AudioMixer } from './sound/audio-mixer.ts';
import type { LastFrames } from './player/last-frames.ts';

/** What all tiles share: one frame loop, one audio context, the last pictures. */
export interface WallContext {
  readonly ticker: Pick<FrameTicker, 'add'>;
  readonly audioMixer: Pick<AudioMixer, 'isRunning' | 'unlock' | 'onRunning' | 'connect'>;
  readonly lastFrames: Pick<LastFrames, 'keep' | 'draw'>;
}

/** Where `main.ts` puts the context. */
export const wallContextKey: InjectionKey<WallContext> = Symbol('wall');

/** The context, inside a component. */
export function useWallContext(): WallContext {
  const context = inject(wallContextKey);
  if (!context) throw new Error('The wall context was not provided');
  return context;
}
