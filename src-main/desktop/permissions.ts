import { hasSameOrigin } from './ipc/desk-origin.ts';

/**
 * Permissions that the desk needs: clipboard, full screen, and access to the server on this machine
 * (`local-network-access`; newer versions of Chromium split it into `loopback-network` and `local-network`).
 */
const NEEDED: ReadonlySet<string> = new Set([
  'clipboard-sanitized-write',
  'fullscreen',
  'local-network-access',
  'loopback-network',
  'local-network',
]);

/** Reports whether a page gets a permission. Only the desk gets permissions, and only the ones that it needs. */
export function isPermitted(permission: string, pageUrl: string, deskUrl: string): boolean {
  return NEEDED.has(permission) && hasSameOrigin(pageUrl, deskUrl);
}
