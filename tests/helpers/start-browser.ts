import { type Browser, chromium } from 'playwright-core';
import { requirePeer } from '../../scripts/setup-peers.ts';

/** Chromium that plays audio without a user action. */
export function startBrowser(): Promise<Browser> {
  // Playwright captures a stack trace at each call, and Node then searches the source maps, which takes longer than the
  // call. Node runs the TypeScript sources directly, so no source map is needed.
  process.setSourceMapsEnabled(false);
  return chromium.launch({
    executablePath: requirePeer('chromium-headless-shell'),
    args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'],
  });
}
