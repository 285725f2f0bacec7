import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import type { MessagePipe } from './channel.ts';

/** Pipe on a message port or a worker. */
export function portPipe(port: MessagePort | Worker): MessagePipe {
  return {
    post(message, transfer) {
      port.postMessage(message, transfer);
    },
    onMessage(listener) {
      port.on('message', listener);
    },
    close() {
      if ('close' in port) port.close();
      else void port.terminate();
    },
  };
}

/** Both ends of a pipe inside one thread. */
export function localPipes(): { readonly server: MessagePipe; readonly worker: MessagePipe } {
  const { port1, port2 } = new MessageChannel();
  return { server: portPipe(port1), worker: portPipe(port2) };
}
