/**
 * Content-Security-Policy of the desk. Only its own code runs, and pictures and media come only from the server on this
 * machine. Inline styles are allowed, because the widget library uses them.
 * @param serverUrl address of the server, if it does not listen on the loopback address
 */
export function contentPolicy(serverUrl?: string): string {
  const origin = serverUrl !== undefined && URL.canParse(serverUrl) ? ` ${new URL(serverUrl).origin}` : '';
  const server = `http://127.0.0.1:* http://localhost:*${origin}`;
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
