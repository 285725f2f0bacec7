/**
 * Content-Security-Policy of the desk: its own code only; pictures and media from the server of this machine.
 * Styles may stand in the page, because the widget library writes them there.
 */
export function contentPolicy(): string {
  const server = 'http://127.0.0.1:* http://localhost:*';
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
