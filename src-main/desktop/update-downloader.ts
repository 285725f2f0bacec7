import type { UpdateFeed } from './update-feed.ts';
import type { Updater } from './updates.ts';

/** Opens electron-updater for a feed. It verifies SHA-512 of downloads, and on Windows and macOS the signature. */
export async function openUpdater(feed: UpdateFeed): Promise<Updater> {
  // Loaded only with a feed, because it needs memory and start time.
  const { default: library } = await import('electron-updater');
  const { autoUpdater } = library;
  autoUpdater.autoDownload = false;
  autoUpdater.autoInstallOnAppQuit = true;
  autoUpdater.allowDowngrade = false;
  autoUpdater.logger = null;
  if (feed.kind === 'address') autoUpdater.setFeedURL({ provider: 'generic', url: feed.url });
  return {
    download: async () => {
      const found = await autoUpdater.checkForUpdates();
      if (!found?.isUpdateAvailable) return undefined;
      await autoUpdater.downloadUpdate();
      return found.updateInfo.version;
    },
  };
}
