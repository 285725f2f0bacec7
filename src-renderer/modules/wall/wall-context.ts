import { inject } from 'vue';
import type { InjectionKey } from 'vue';
import type { FrameTicker } from '../../lib/frame-ticker.ts';
import type { AudioMixer } from './sound/audio-mixer.ts';
import type { LastFrames } from './last-frames.ts';

/** Context shared by all tiles: frame loop, audio context and last pictures. */
export interface WallContext {
  readonly ticker: Pick<FrameTicker, 'add'>;
  readonly audioMixer: Pick<AudioMixer, 'isRunning' | 'unlock' | 'onRunning' | 'connect'>;
  readonly lastFrames: Pick<LastFrames, 'store' | 'draw'>;
}

/** Injection key of the context; provided by `main.ts`. */
export const wallContextKey: InjectionKey<WallContext> = Symbol('wall');

/** Wall context, for use inside a component. */
export function useWallContext(): WallContext {
  const context = inject(wallContextKey);
  if (!context) throw new Error('The wall context was not provided');
  return context;
}
