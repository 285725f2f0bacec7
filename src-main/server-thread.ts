import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { ClientMessage, ErrorValue, ServerMessage } from '../src-preload/contract/index.ts';
import { AirdeskError } from '../src-preload/contract/index.ts';
import { systemClock } from './lib/clock.ts';
import { consoleLog } from './lib/console-log.ts';
import { siblingEntry } from './lib/sibling-entry.ts';
import { AirdeskServer } from './server.ts';

// Entry of the server inside the desktop application. The window thread forwards the messages of its desks.

type FromWindow = ClientMessage | { readonly kind: 'stop' };
type ToWindow = ServerMessage | { readonly kind: 'ready'; readonly url: string } | { readonly kind: 'failed'; readonly error: ErrorValue };

const port = parentPort;
if (!port) throw new Error('server-thread runs as a worker thread');
const post = (message: ToWindow): void => {
  port.postMessage(message);
};
// Both sides are of the same build, so what the window thread typed is what arrives.
const start = workerData as { readonly dataDir: string; readonly configFile: string | null };
const root = new URL(import.meta.url.endsWith('.ts') ? '..' : '../..', import.meta.url);
const deskFolder = fileURLToPath(new URL('out/renderer', root));
const { version } = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as { version: string };

const server = new AirdeskServer({
  dataFolder: start.dataDir,
  ...(start.configFile === null ? {} : { configFile: start.configFile }),
  version,
  resources: fileURLToPath(new URL('resources', root)),
  ...(existsSync(deskFolder) ? { deskFolder } : {}),
  mediaThreadEntry: siblingEntry('media-thread', import.meta.url),
  codecProcessEntry: siblingEntry('codec-process', import.meta.url),
  clock: systemClock,
  log: consoleLog(process.env['AIRDESK_LOG_LEVEL'] ?? 'info'),
});

const subscriptions = new Map<string, () => void>();

function take(message: FromWindow): void {
  switch (message.kind) {
    case 'call':
      void server.desk.call(message.name, message.input, { mayWrite: true }).then((reply) => {
        post({ kind: 'reply', id: message.id, reply });
      });
      return;
    case 'subscribe': {
      const { topic } = message;
      if (subscriptions.has(topic)) return;
      const end = server.desk.subscribe(topic, (payload) => {
        post({ kind: 'event', topic, payload });
      });
      if (end) subscriptions.set(topic, end);
      return;
    }
    case 'unsubscribe':
      subscriptions.get(message.topic)?.();
      subscriptions.delete(message.topic);
      return;
    case 'stop':
      void server.close().then(() => {
        port?.close();
      });
      return;
    default:
      message satisfies never;
  }
}

try {
  await server.start();
  port.on('message', take);
  post({ kind: 'ready', url: server.url });
} catch (error) {
  const known = error instanceof AirdeskError ? error : new AirdeskError('internal', error instanceof Error ? error.message : String(error));
  post({ kind: 'failed', error: known.toValue() });
  await server.close();
  port.close();
}
