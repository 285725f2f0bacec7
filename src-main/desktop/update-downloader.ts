import type { UpdateFeed } from './update-feed.ts';
import type { Updater } from './updates.ts';

/**
 * Opens electron-updater for a feed. electron-updater verifies the SHA-512 of downloads, and on Windows and macOS also the
 * signature.
 */
export async function openUpdater(feed: UpdateFeed): Promise<Updater> {
  // Loaded only if there is a feed, because the library needs memory and time.
  const { default: library } = await import('electron-updater');
  const { autoUpdater } = library;
  autoUpdater.autoDownload = false;
  autoUpdater.autoInstallOnAppQuit = true;
  autoUpdater.allowDowngrade = false;
  autoUpdater.logger = null;
  if (feed.kind === 'address') autoUpdater.setFeedURL({ provider: 'generic', url: feed.url });
  return {
    download: async () => {
      const update = await autoUpdater.checkForUpdates();
      if (!update?.isUpdateAvailable) return undefined;
      await autoUpdater.downloadUpdate();
      return update.updateInfo.version;
    },
  };
}
