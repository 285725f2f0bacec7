import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { MessagePipe } from './messages.ts';

/** A pipe on a message port, in either direction. */
export function portPipe<Out, In>(port: MessagePort): MessagePipe<Out, In> {
  return {
    post(message, ports = []) {
      port.postMessage(message, [...ports]);
    },
    onMessage(listener) {
      port.on('message', listener);
    },
    close() {
      port.close();
    },
  };
}

/** Both ends of a pipe inside one thread. */
export function localPipes<A, B>(): { readonly server: MessagePipe<A, B>; readonly media: MessagePipe<B, A> } {
  const { port1, port2 } = new MessageChannel();
  return { server: portPipe<A, B>(port1), media: portPipe<B, A>(port2) };
}
