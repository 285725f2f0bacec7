import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { messageOf } from '../../lib/error-message.ts';
import { Channel, type ChannelHandlers, type MessagePipe } from '../../lib/channel/channel.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { AsRunTable } from '../as-run/as-run-table.ts';
import { ArchiveBlockReader } from '../archive-block-reader.ts';
import { ArchiveBlockWriter } from '../archive-block-writer.ts';
import { Database, isDamage, removeDatabase } from '../database.ts';
import { CATALOG_SCHEMA } from '../schemas/catalog.ts';
import { openSubscriberDatabase, type SubscriberDatabase } from '../subscribers/subscriber-database.ts';
import type { FromDatabaseThread, SubscriberAnswer, SubscriberQuestion, ToDatabaseThread } from './messages.ts';

/** Open catalog of archives. */
interface OpenCatalog {
  readonly path: string;
  readonly database: Database;
  readonly reader: ArchiveBlockReader;
  readonly writer: ArchiveBlockWriter;
}

/** Server side of the database thread. It has the connections and answers one request after the other. */
export class DatabaseThread {
  readonly #channel: Channel<FromDatabaseThread, ToDatabaseThread>;
  readonly #pipe: MessagePipe;
  readonly #clock: Clock;
  #catalog: OpenCatalog | undefined;
  #subscribers: SubscriberDatabase | undefined;
  #asRun: AsRunTable | undefined;

  constructor(pipe: MessagePipe, clock: Clock) {
    this.#pipe = pipe;
    this.#clock = clock;
    this.#channel = new Channel<FromDatabaseThread, ToDatabaseThread>(clock, this.#handlers());
  }

  /** Starts to answer. */
  start(): void {
    this.#channel.attach(this.#pipe);
  }

  #handlers(): ChannelHandlers<FromDatabaseThread, ToDatabaseThread> {
    return {
      calls: {
        'catalog-open': (path, call) => {
          this.#openCatalog(path);
          call.answer(undefined);
        },
        'catalog-write': (changes, call) => {
          this.#withCatalog(({ writer }) => {
            writer.write(changes);
          });
          call.answer(undefined);
        },
        'catalog-ranges': (question, call) => {
          const found = this.#withCatalog(({ reader }) => reader.storedRanges(...question));
          call.answer(found, [found.buffer]);
        },
        'catalog-times': (question, call) => {
          const found = this.#withCatalog(({ reader }) => reader.times(...question));
          call.answer(found, [found.times.buffer]);
        },
        'catalog-blocks': (ids, call) => {
          call.answer(this.#withCatalog(({ reader }) => ids.map((id) => reader.block(id))));
        },
        'catalog-paths': (question, call) => {
          call.answer(this.#withCatalog(({ reader }) => reader.paths(...question)));
        },
        'catalog-find': (question, call) => {
          call.answer(this.#withCatalog(({ reader }) => reader.find(...question)));
        },
        'catalog-usage': (question, call) => {
          call.answer(this.#withCatalog(({ reader }) => reader.usage(...question)));
        },
        'catalog-extents': (streams, call) => {
          call.answer(this.#withCatalog(({ reader }) => streams.map((stream) => reader.extent(stream))));
        },
        'subscribers-open': (path, call) => {
          this.#subscribers?.close();
          this.#subscribers = undefined;
          this.#subscribers = openSubscriberDatabase(path, { log: this.#log(), now: () => this.#clock.now() });
          call.answer(undefined);
        },
        'subscribers-write': ({ batch, writes }, call) => {
          call.answer(this.#useSubscribers().writer.write(batch, writes));
        },
        'subscribers-move': (retention, call) => {
          call.answer(this.#useSubscribers().moveLog(retention));
        },
        'subscribers-read': (question, call) => {
          call.answer(readSubscribers(this.#useSubscribers(), question));
        },
        ...this.#asRunCalls(),
        close: (_, call) => {
          this.#asRun?.close();
          this.#asRun = undefined;
          this.#subscribers?.close();
          this.#subscribers = undefined;
          this.#catalog?.database.close();
          this.#catalog = undefined;
          call.answer(undefined);
        },
      },
      feeds: {},
      subscriptions: {},
      events: {},
    };
  }

  #asRunCalls(): Pick<
    ChannelHandlers<FromDatabaseThread, ToDatabaseThread>['calls'],
    'as-run-open' | 'as-run-write' | 'as-run-rows' | 'as-run-count' | 'as-run-remove'
  > {
    const use = (): AsRunTable => {
      if (!this.#asRun) throw new AirdeskError('database_unavailable', 'The log of advertisements is not open');
      return this.#asRun;
    };
    return {
      'as-run-open': (path, call) => {
        this.#asRun?.close();
        this.#asRun = undefined;
        this.#asRun = AsRunTable.open(path, { log: this.#log(), now: () => this.#clock.now() });
        call.answer(undefined);
      },
      'as-run-write': (rows, call) => {
        use().write(rows);
        call.answer(undefined);
      },
      'as-run-rows': (query, call) => {
        call.answer(use().rows(query));
      },
      'as-run-count': (conditions, call) => {
        call.answer(use().count(conditions));
      },
      'as-run-remove': (timeMs, call) => {
        call.answer(use().removeBefore(timeMs));
      },
    };
  }

  #openCatalog(path: string): void {
    this.#catalog?.database.close();
    this.#catalog = undefined;
    const database = Database.open(path, {
      log: this.#log(),
      now: () => this.#clock.now(),
      schema: CATALOG_SCHEMA,
      content: 'rebuildable',
    });
    const { connection } = database;
    this.#catalog = {
      path,
      database,
      reader: new ArchiveBlockReader(connection),
      writer: new ArchiveBlockWriter(connection),
    };
    if (database.isNew) this.#channel.emit('catalog-created', undefined);
  }

  /**
   * Executes work on the catalog. The file is not checked when it is opened, so damage is noticed here. It is then
   * created again, at most once per request.
   */
  #withCatalog<T>(work: (catalog: OpenCatalog) => T): T {
    const catalog = this.#use();
    try {
      return work(catalog);
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#log().error('the catalog of archives is damaged; a new one is created', { error: messageOf(error) });
      this.#catalog = undefined;
      catalog.database.close();
      removeDatabase(catalog.path);
      this.#openCatalog(catalog.path);
      return work(this.#use());
    }
  }

  #use(): OpenCatalog {
    if (!this.#catalog) throw new AirdeskError('database_unavailable', 'The catalog of archives is not open');
    return this.#catalog;
  }

  #useSubscribers(): SubscriberDatabase {
    if (!this.#subscribers) throw new AirdeskError('database_unavailable', 'The database of subscribers is not open');
    return this.#subscribers;
  }

  #log(): Log {
    const line =
      (level: keyof Log): Log['info'] =>
      (message, fields) => {
        this.#channel.emit('log', { level, message, ...(fields ? { fields } : {}) });
      };
    return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
  }
}

function readSubscribers(
  { reader, operations, proof, viewers, webhooks }: SubscriberDatabase,
  { name, question }: SubscriberQuestion,
): SubscriberAnswer {
  const from = [reader, operations, proof, viewers, webhooks].find((one) => name in one);
  // The table of messages assigns the name to the request.
  const read = (
    from as unknown as undefined | Record<string, (...parameters: readonly unknown[]) => SubscriberAnswer>
  )?.[name];
  if (!read) throw new Error(`no reader of subscribers has ${name}`);
  return read.apply(from, question as unknown[]);
}
