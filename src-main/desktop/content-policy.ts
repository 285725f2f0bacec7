/**
 * Content-Security-Policy of the desk: only its own code; pictures and media from the server of this machine, which may
 * listen on another of its addresses. Inline styles are allowed, because the widget library uses them.
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
