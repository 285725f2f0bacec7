import type { LaterDirective } from './directive.ts';

/** Directives of `stream`, `live` and `template` that are kept as written, and have no effect yet. */
export const LATER_STREAM_DIRECTIVES: readonly LaterDirective[] = [];
