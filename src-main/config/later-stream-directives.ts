import type { LaterDirective } from './directive.ts';

/** Directives of `stream`, `live` and `template` that are kept as written, and have no effect yet. */
export const LATER_STREAM_DIRECTIVES: readonly LaterDirective[] = [
  { directive: 'backup', usage: 'backup file [timeout=time];', doc: 'What is shown while no input gives frames.', example: 'backup clips/slate.mp4 timeout=5;', isOpen: true },
];
