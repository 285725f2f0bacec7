/**
 * Content-Security-Policy of the desk: its own code only; pictures and media from the server of this machine, which may
 * listen on another of its addresses. Styles may stand in the page, because the widget library writes them there.
 */
export function contentPolicy(serverUrl?: string): string {
  const own = serverUrl !== undefined && URL.canParse(serverUrl) ? ` ${new URL(serverUrl).origin}` : '';
  const server = `http://127.0.0.1:* http://localhost:*${own}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self' data:",
    `img-src 'self' data: blob: ${server}`,
    `media-src 'self' blob: ${server}`,
    `connect-src 'self' ${server}`,
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
