import type { AssemblerOptions } from './assembler.ts';

/** Fields of a track that its decoder configuration does not state. */
export type TrackOptions = Pick<AssemblerOptions, 'trackId' | 'language' | 'sourceId'>;

/** Fields of a track from its options; absent ones stay absent. */
export function trackIdentity(options: TrackOptions): { id: string; language?: string; sourceId?: number } {
  return {
    id: options.trackId,
    ...(options.language === undefined ? {} : { language: options.language }),
    ...(options.sourceId === undefined ? {} : { sourceId: options.sourceId }),
  };
}
