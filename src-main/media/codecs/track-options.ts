import type { AssemblerOptions } from './assembler.ts';

/** What a track value carries that its decoder configuration does not say. */
export type TrackOptions = Pick<AssemblerOptions, 'trackId' | 'language' | 'sourceId'>;

/** The fields of a track value that come from its options; absent ones stay absent. */
export function trackIdentity(options: TrackOptions): { id: string; language?: string; sourceId?: number } {
  return {
    id: options.trackId,
    ...(options.language === undefined ? {} : { language: options.language }),
    ...(options.sourceId === undefined ? {} : { sourceId: options.sourceId }),
  };
}
