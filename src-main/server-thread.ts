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
import type { ProcessNews, ProcessRequest } from './lib/process-messages.ts';
import type { Desk } from './control/desk.ts';
import type { FeedSink } from './control/feed/desk-feeds.ts';
import { PERSON_AT_WINDOW } from './operators/caller.ts';

// Entry of the server inside Electron: the same server as without a window, reached through the port of its worker thread.
if (!parentPort) throw new Error('server-thread runs as a worker thread');
const port = parentPort;
// Started by the window thread of the same build (desktop/ipc/thread-messages.ts).
const { dataDir, configFile, isConfigOpened, hasSandbox } = workerData as {
  readonly dataDir: string;
  readonly configFile: string | null;
  readonly isConfigOpened: boolean;
  readonly hasSandbox: boolean;
};
// Only the window thread may start processes of Electron; jobs and packets bypass it.
const codecHost = new RequestedHost(send);
const server = await assembleServer({
  dataFolder: dataDir,
  configFile: configFile ?? undefined,
  isConfigOpened,
  hasSandbox,
  codecHost,
});

outliveReaders();
// A failure for one viewer or one request must not take the other streams off air.
process.on('uncaughtException', (error) => {
  standardError.line(`a fault in the server thread; it goes on: ${error.stack ?? error.message}`);
});

const started = server.start();
const subscriptions = new Map<string, () => void>();
let feeds: ReturnType<Desk['feeds']> | undefined;
/**
 * Receiver of the media for tiles. The memory of a frame is transferred, and the credit of the page limits the data in flight.
 */
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
  // The port is the last thing that keeps the thread running.
  port.close();
}

function serve(desk: Desk, message: ClientMessage): void {
  switch (message.kind) {
    case 'call':
      // The user of this window is at this machine.
      void desk.call(message.name, message.input, PERSON_AT_WINDOW).then((reply) => {
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
        PERSON_AT_WINDOW,
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
      feeds ??= desk.feeds(PERSON_AT_WINDOW, FEED_SINK);
      feeds.handle(message);
      return;
  }
}

// Messages of the window thread of the same build.
port.on('message', (message: ClientMessage | ProcessNews | { readonly kind: 'stop' }) => {
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
      // Calls during the start are answered once the server serves. A failed start is reported below.
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
