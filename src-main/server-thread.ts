import { parentPort, workerData } from 'node:worker_threads';
import {
  AirdeskError,
  type ClientMessage,
  type ErrorValue,
  type ServerMessage,
} from '../src-preload/contract/index.ts';
import { assembleServer } from './assemble.ts';
import { RequestedHost } from './codec/process-host.ts';
import { messageOf } from './lib/error-message.ts';
import { outliveReaders, standardError } from './lib/line-output.ts';
import type { ProcessEvent, ProcessRequest } from './lib/process-messages.ts';
import type { Desk } from './control/desk.ts';
import type { FeedSink } from './control/feed/desk-feeds.ts';
import { WINDOW_USER } from './operators/caller.ts';

// Entry of the server inside Electron: the same server as without a window, in a worker thread with a message port.
if (!parentPort) throw new Error('server-thread runs as a worker thread');
const port = parentPort;
// The window thread of the same build passed `ThreadStart` (desktop/ipc/thread-messages.ts) as `workerData`.
const { dataDir, configFile, isConfigOpened, hasSandbox } = workerData as {
  readonly dataDir: string;
  readonly configFile: string | null;
  readonly isConfigOpened: boolean;
  readonly hasSandbox: boolean;
};
// Only the window thread can start processes of Electron. Jobs and packets use local sockets and bypass it.
const codecHost = new RequestedHost(send);
const server = await assembleServer({
  dataFolder: dataDir,
  configFile: configFile ?? undefined,
  isConfigOpened,
  hasSandbox,
  codecHost,
});

outliveReaders();
// An error in one request must not take the streams off air.
process.on('uncaughtException', (error) => {
  standardError.line(`error in the server thread, which continues: ${error.stack ?? error.message}`);
});

const started = server.start();
const subscriptions = new Map<string, () => void>();
let feeds: ReturnType<Desk['feeds']> | undefined;
/** Sends the media of tiles to the window. The memory of a frame is transferred; the credit of the page limits the amount. */
const FEED_SINK: FeedSink = {
  isFull: false,
  state: (feed, state) => {
    send({ kind: 'feed', feed, ...state });
  },
  frame: (head, media, done) => {
    const bytes = new Uint8Array(head.length + media.length);
    bytes.set(head);
    bytes.set(media, head.length);
    done();
    port.postMessage({ kind: 'feed-frame', bytes: bytes.buffer }, [bytes.buffer]);
  },
};

function send(
  message:
    | ServerMessage
    | ProcessRequest
    | { readonly kind: 'ready'; readonly url: string }
    | { readonly kind: 'failed'; readonly error: ErrorValue },
): void {
  port.postMessage(message);
}

async function stop(): Promise<void> {
  for (const end of subscriptions.values()) end();
  await server.close();
  // The open port keeps the thread alive; without it the thread ends.
  port.close();
}

function serve(desk: Desk, message: ClientMessage): void {
  switch (message.kind) {
    case 'call':
      // The user of the window is at this machine, so there is no login.
      void desk.call(message.name, message.input, WINDOW_USER).then((reply) => {
        send({ kind: 'reply', id: message.id, reply });
      });
      return;
    case 'subscribe': {
      const { topic } = message;
      if (subscriptions.has(topic)) return;
      const end = desk.subscribe(
        topic,
        (payload) => {
          send({ kind: 'event', topic, payload });
        },
        WINDOW_USER,
      );
      if (end) subscriptions.set(topic, end);
      return;
    }
    case 'unsubscribe':
      subscriptions.get(message.topic)?.();
      subscriptions.delete(message.topic);
      return;
    case 'feed-open':
    case 'feed-credit':
    case 'feed-close':
      feeds ??= desk.feeds(WINDOW_USER, FEED_SINK);
      feeds.handle(message);
      return;
  }
}

// The messages come from the window thread of the same build, so they have this type.
port.on('message', (message: ClientMessage | ProcessEvent | { readonly kind: 'stop' }) => {
  switch (message.kind) {
    case 'process-started':
    case 'process-output':
    case 'process-ended':
      codecHost.receive(message);
      return;
    case 'stop':
      feeds?.close();
      void stop();
      return;
    default:
      // Calls during the start are answered when the server is ready. A failed start is reported below.
      void started.then(
        ({ desk }) => {
          serve(desk, message);
        },
        () => undefined,
      );
  }
});

try {
  const { url } = await started;
  send({ kind: 'ready', url });
} catch (error) {
  const fault = error instanceof AirdeskError ? error : new AirdeskError('internal', messageOf(error));
  send({ kind: 'failed', error: fault.toValue() });
  await stop();
}
