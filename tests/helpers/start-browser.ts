import { type Browser, chromium } from 'playwright-core';
import { requirePeer } from '../../scripts/setup-peers.ts';

/** Chromium that plays audio without a user action. */
export function startBrowser(): Promise<Browser> {
  // Playwright takes a stack at each call. Sources run as written, and the search for their maps takes longer than the call.
  process.setSourceMapsEnabled(false);
  return chromium.launch({
    executablePath: requirePeer('chromium-headless-shell'),
    args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'],
  });
}
