import type { Clock } from '../lib/clock.ts';
import { messageOf } from '../lib/error-message.ts';
import { type ConnectedFeed, FeedServer } from '../lib/feed/feed-server.ts';
import type { CodecChild, CodecChildListener } from './codec-child.ts';
import { JOB_SOCKET_ENV, JobConnection } from './job-connection.ts';
import type { ProcessHost } from './process-host.ts';
import type { JobReply, JobRequest } from './protocol.ts';

/** Codec processes that a host starts and kills. Jobs do not pass through the host: they use a local socket of this thread. */
export class HostedChildren {
  readonly #host: ProcessHost;
  readonly #server: FeedServer;

  constructor(host: ProcessHost, clock: Clock) {
    this.#host = host;
    this.#server = new FeedServer(clock);
  }

  /** Starts a process; it accepts jobs at once. */
  start(listener: CodecChildListener): CodecChild {
    return new HostedChild(this.#host, this.#server, listener);
  }

  /** Removes the socket. All children must have ended. */
  close(): Promise<void> {
    return this.#server.close();
  }
}

/** One codec process of a host. */
class HostedChild implements CodecChild {
  pid: number | undefined;
  isConnected = true;
  readonly #listener: CodecChildListener;
  #connection: JobConnection | undefined;
  #unsent: JobRequest[] = [];
  #killProcess: (() => void) | undefined;
  #isDiscarded = false;

  constructor(host: ProcessHost, server: FeedServer, listener: CodecChildListener) {
    this.#listener = listener;
    void this.#open(host, server).catch((error: unknown) => {
      this.#end(messageOf(error));
    });
  }

  send(request: JobRequest): void {
    if (this.#connection) this.#connection.send(request);
    else this.#unsent.push(request);
  }

  disconnect(): void {
    this.isConnected = false;
    this.#isDiscarded = true;
    this.#connection?.close();
  }

  kill(): void {
    this.#isDiscarded = true;
    this.#killProcess?.();
  }

  async #open(host: ProcessHost, server: FeedServer): Promise<void> {
    const { path, token, cancel } = await server.expect((feed) => {
      this.#connected(feed);
    });
    if (this.#isDiscarded) {
      cancel();
      this.#end('not started');
      return;
    }
    this.#killProcess = host.start(
      { [JOB_SOCKET_ENV.path]: path, [JOB_SOCKET_ENV.token]: token },
      {
        started: (pid) => {
          this.pid = pid;
        },
        printed: (text) => {
          this.#listener.printed(text);
        },
        ended: (reason) => {
          cancel();
          this.#end(reason);
        },
      },
    );
  }

  #connected({ socket, reader }: ConnectedFeed): void {
    this.#connection = new JobConnection(
      socket,
      reader,
      (message) => {
        // The codec process is from the same build, so its messages are replies.
        this.#listener.reply(message as JobReply);
      },
      () => {
        this.isConnected = false;
        // A child that lost its connection gets no more jobs, so it is killed; a child that was disconnected ends by itself.
        if (!this.#isDiscarded) this.kill();
      },
    );
    for (const request of this.#unsent.splice(0)) this.#connection.send(request);
    if (!this.isConnected) this.#connection.close();
  }

  #end(reason: string): void {
    this.isConnected = false;
    this.#listener.ended(reason);
  }
}
