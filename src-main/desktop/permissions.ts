import { hasSameOrigin } from './ipc/desk-origin.ts';

/**
 * Permissions that the desk needs: the clipboard, full screen, and the server of this machine (`local-network-access`,
 * or `loopback-network` and `local-network` in Chromium).
 */
const NEEDED: ReadonlySet<string> = new Set([
  'clipboard-sanitized-write',
  'fullscreen',
  'local-network-access',
  'loopback-network',
  'local-network',
]);

/** Reports whether a page may have a permission: only the desk, and only the needed ones. */
export function isPermitted(permission: string, pageUrl: string, deskUrl: string): boolean {
  return NEEDED.has(permission) && hasSameOrigin(pageUrl, deskUrl);
}
