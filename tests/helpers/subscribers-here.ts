import type { SubscriberDatabase } from '../../src-main/db/subscribers/subscriber-database.ts';
import { SubscribersOnThread } from '../../src-main/db/thread/subscribers-on-thread.ts';

interface Read {
  readonly name: string;
  readonly question: readonly unknown[];
}

/** Database of subscribers in this thread, without messages. @param database returns the open database */
export function subscribersHere(database: () => SubscriberDatabase): SubscribersOnThread {
  const execute = (call: string, argument: unknown): unknown => {
    const { reader, operations, proof, viewers, webhooks, writer } = database();
    if (call === 'subscribers-write') {
      const { batch, writes } = argument as {
        readonly batch: string;
        readonly writes: Parameters<typeof writer.write>[1];
      };
      return writer.write(batch, writes);
    }
    const { name, question } = argument as Read;
    const part = [reader, operations, proof, viewers, webhooks].find((one) => name in one);
    return (part as unknown as Record<string, (...of: readonly unknown[]) => unknown>)[name]?.(...question);
  };
  return new SubscribersOnThread({
    call: ((call: string, argument: unknown) =>
      new Promise((resolve) => {
        resolve(execute(call, argument));
      })) as never,
  });
}
