import type { ArchiveContext } from '../play/archive-context.ts';
import { provideExports } from '../export/use-shared-exports.ts';
import { useArchiveAddress } from './use-archive-address.ts';
import { provideArchive } from '../play/use-archive-context.ts';
import { useArchiveFeed, type ArchiveFeed } from './use-archive-feed.ts';

/** Parts of the archive page. */
export interface ArchivePageParts extends ArchiveFeed {
  readonly context: ArchiveContext;
  /** Moment in the URL. */
  readonly requestedMs: ReturnType<typeof useArchiveAddress>;
}

/** Sets up the archive page: shared context, URL and data of the server, while the component is mounted. */
export function useArchivePage(): ArchivePageParts {
  const context = provideArchive();
  provideExports();
  return { context, requestedMs: useArchiveAddress(context), ...useArchiveFeed(context) };
}
