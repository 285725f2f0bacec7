import type { DesktopTexts } from './desktop-texts.ts';
import type { ServerState } from './server-supervisor.ts';

/** Path of the status page in the scheme of the desk. */
export const STATUS_PATH = '/-/status';

/** Renders the page that the window shows while the server is starting, down or stopping. It has no script. */
export function statusPage(state: ServerState, nowMs: number, texts: DesktopTexts): string {
  const [title = '', text = ''] = describe(state, nowMs, texts);
  return `<!doctype html>
<html lang="${texts.language}"><head><meta charset="utf-8"><title>Airdesk</title>
<style>body{margin:0;height:100vh;display:grid;place-content:center;background:#101418;color:#d8dee6;font:16px system-ui,sans-serif;text-align:center}
h1{font-size:22px;font-weight:600;margin:0 0 12px}p{margin:4px 24px;color:#9aa7b4;max-width:60ch;white-space:pre-wrap}</style></head>
<body><main><h1>${escape(title)}</h1><p>${escape(text)}</p></main></body></html>
`;
}

function describe(state: ServerState, nowMs: number, texts: DesktopTexts): readonly string[] {
  switch (state.kind) {
    case 'starting':
      return texts.starting;
    case 'ready':
      return texts.ready(state.url);
    case 'down': {
      const seconds = Math.max(1, Math.ceil((state.retryAtMs - nowMs) / 1000));
      return texts.down(`${state.error.message} (${state.error.code})`, seconds);
    }
    case 'stopping':
      return texts.stopping;
  }
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
