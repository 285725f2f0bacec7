import type { AsRunField, AsRunObject } from '../../../src-preload/contract/api/as-run/as-run-object.ts';
import type { LogCondition, LogQuery } from '../../../src-preload/contract/api/log-query.ts';
import type { LogFields } from '../../lib/log.ts';
import type { ArchiveBlock } from '../archive-block.ts';
import type { ArchiveBlockReader } from '../archive-block-reader.ts';
import type { ArchiveChange } from '../archive-block-writer.ts';
import type { LogRetention, SubscriberWrite, WriteResult } from '../../subscribers/subscriber-write.ts';
import type { OperationReader } from '../subscribers/operation-reader.ts';
import type { ViewerTokens } from '../subscribers/viewer-tokens.ts';
import type { WebhookReader } from '../subscribers/webhook-reader.ts';
import type { LogProof } from '../subscribers/log-digests.ts';
import type { SubscriberReader } from '../subscribers/subscriber-reader.ts';

/** Parameters and result of a function of the reader. */
type Read<Name extends keyof ArchiveBlockReader> = readonly [
  question: Parameters<ArchiveBlockReader[Name]>,
  answer: ReturnType<ArchiveBlockReader[Name]>,
];

/** Parameters and results of reading subscribers, by the name of the reader's function. */
export type SubscriberReads = {
  readonly [Name in keyof SubscriberReader]: readonly [
    Parameters<SubscriberReader[Name]>,
    ReturnType<SubscriberReader[Name]>,
  ];
} & {
  readonly [Name in keyof OperationReader]: readonly [
    Parameters<OperationReader[Name]>,
    ReturnType<OperationReader[Name]>,
  ];
} & {
  readonly [Name in keyof ViewerTokens]: readonly [Parameters<ViewerTokens[Name]>, ReturnType<ViewerTokens[Name]>];
} & {
  readonly [Name in keyof WebhookReader]: readonly [Parameters<WebhookReader[Name]>, ReturnType<WebhookReader[Name]>];
} & {
  readonly [Name in keyof LogProof]: readonly [Parameters<LogProof[Name]>, ReturnType<LogProof[Name]>];
};
/** One request, by the name of its function. */
export type SubscriberQuestion = {
  readonly [Name in keyof SubscriberReads]: { readonly name: Name; readonly question: SubscriberReads[Name][0] };
}[keyof SubscriberReads];
export type SubscriberAnswer = SubscriberReads[keyof SubscriberReads][1];

/**
 * Messages of the server thread to the database thread. Each is answered in the order of arrival, so that reads see earlier
 * writes.
 */
export interface ToDatabaseThread {
  readonly calls: {
    /** Opens the catalog of archives, by its path; raises the errors of `Database.open`. */
    readonly 'catalog-open': readonly [string, undefined];
    /** Applies changes in one transaction. */
    readonly 'catalog-write': readonly [readonly ArchiveChange[], undefined];
    /** Ranges of blocks. The answer is transferred, not copied. */
    readonly 'catalog-ranges': Read<'storedRanges'>;
    /** Times of blocks. The answer is transferred, not copied. */
    readonly 'catalog-times': Read<'times'>;
    /** Blocks by their numbers, in that order; undefined for each removed one. */
    readonly 'catalog-blocks': readonly [readonly number[], readonly (ArchiveBlock | undefined)[]];
    readonly 'catalog-paths': Read<'paths'>;
    readonly 'catalog-find': Read<'find'>;
    readonly 'catalog-usage': Read<'usage'>;
    readonly 'catalog-extents': readonly [readonly string[], readonly ReturnType<ArchiveBlockReader['extent']>[]];
    /** Opens the database of subscribers, by its path; raises the errors of `Database.open`. */
    readonly 'subscribers-open': readonly [string, undefined];
    /**
     * Executes changes in one transaction, which is on the disk when the answer is sent. A repeated batch changes
     * nothing.
     */
    readonly 'subscribers-write': readonly [
      { readonly batch: string; readonly writes: readonly SubscriberWrite[] },
      readonly WriteResult[],
    ];
    /** Moves some of the oldest operations to files. Returns whether there is more to do. */
    readonly 'subscribers-move': readonly [LogRetention, boolean];
    readonly 'subscribers-read': readonly [SubscriberQuestion, SubscriberAnswer];
    /** Opens the log of advertisements, by its path; raises the errors of `Database.open`. */
    readonly 'as-run-open': readonly [string, undefined];
    /** Writes rows in one transaction. */
    readonly 'as-run-write': readonly [readonly AsRunObject[], undefined];
    readonly 'as-run-rows': readonly [LogQuery<AsRunField>, readonly AsRunObject[]];
    readonly 'as-run-count': readonly [readonly LogCondition<AsRunField>[], number];
    /** Removes some of the rows before a time, in epoch milliseconds. Returns their number. */
    readonly 'as-run-remove': readonly [number, number];
    /** Closes all files; the answer is the last message of the thread. */
    readonly close: readonly [undefined, undefined];
  };
  readonly feeds: Record<never, never>;
  readonly subscriptions: Record<never, never>;
  readonly events: Record<never, never>;
}

/** Messages of the database thread to the server thread. */
export interface FromDatabaseThread {
  readonly calls: Record<never, never>;
  readonly feeds: Record<never, never>;
  readonly subscriptions: Record<never, never>;
  readonly events: {
    /** Line for the log of the server. */
    readonly log: {
      readonly level: 'debug' | 'info' | 'warn' | 'error';
      readonly message: string;
      readonly fields?: LogFields;
    };
    /**
     * Sent when the catalog of archives was created again, because its file was missing, empty or damaged. Its
     * content is lost.
     */
    readonly 'catalog-created': undefined;
  };
}
