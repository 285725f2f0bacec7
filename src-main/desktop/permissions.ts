import { hasSameOrigin } from './ipc/desk-origin.ts';

/**
 * The few permissions that the desk needs: to copy an address, to fill the screen, and to reach the server of this
 * machine (Chromium names that `local-network-access`, or `loopback-network` and `local-network`).
 */
const NEEDED: ReadonlySet<string> = new Set([
  'clipboard-sanitized-write',
  'fullscreen',
  'local-network-access',
  'loopback-network',
  'local-network',
]);

/** Whether a page may have a permission. Everything that is not needed is denied, and so is every page but the desk. */
export function isPermitted(permission: string, pageUrl: string, deskUrl: string): boolean {
  return NEEDED.has(permission) && hasSameOrigin(pageUrl, deskUrl);
}
