import {
  AirdeskError,
  CALLS,
  ERRORS,
  TOPICS,
  type CallInput,
  type CallName,
  type CallOutput,
  type ErrorValue,
  type Reply,
  type ServerInfo,
  type TopicName,
  type TopicPayload,
} from '../../src-preload/contract/index.ts';
import type { Clock } from '../lib/clock.ts';
import { stackOf } from '../lib/error-message.ts';
import type { Log } from '../lib/log.ts';
import { readerView } from '../operators/reader-view.ts';
import { isInScope, requireOperate, requireWrite } from '../operators/require.ts';
import { changedBy, type Caller } from '../operators/caller.ts';
import { configCalls } from '../configuration/configuration-calls.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { emitApiCall } from './api-call.ts';
import type { EventServices } from './event-services.ts';
import { isEventInScope, requireCallInScope, streamsInScope } from './desk-scope.ts';
import { EventTail } from './event-tail.ts';
import { selectInput } from '../streams/select-input.ts';
import { streamState, type StreamStateContext } from '../streams/stream-state.ts';
import { addStream, removeStream } from './stream-edits.ts';
import type { Streams } from '../streams/streams.ts';

/** What the desk's calls work with. */
export interface DeskOptions {
  readonly configuration: Configuration;
  readonly streams: Streams;
  readonly events: EventServices;
  readonly clock: Clock;
  readonly log: Log;
  /** False where a window runs without the sandbox of Chromium. */
  readonly hasSandbox: boolean;
  /** Facts of the server that only its root knows. */
  readonly describe: () => Pick<
    ServerInfo,
    'version' | 'hostname' | 'started_at' | 'base_url' | 'rtmp_url' | 'has_edit_login'
  >;
  /** Query that lets the desk play streams which backends decide about. */
  readonly viewQuery: () => string;
}

/** Shortest time between two messages of a topic. */
const TOPIC_MS = 250;

/** Calls that act on what runs and change no configuration. */
const OPERATING: ReadonlySet<CallName> = new Set(['streams.select_input', 'streams.restart']);

/** A receiver of the messages of a topic. */
type Subscriber = Pick<Caller, 'mayWrite' | 'prefixes'>;
type Listener = (payload: object) => void;
type StreamsListener = (payload: TopicPayload<'streams'>) => void;

/** The use cases behind the bridge, called by IPC and by WebSocket. */
export class Desk {
  readonly #options: DeskOptions;
  readonly #listeners = new Set<StreamsListener>();
  readonly #tail: EventTail;
  readonly #readerViews = new WeakMap<object, object>();
  #cancelTimer: (() => void) | undefined;

  constructor(options: DeskOptions) {
    this.#options = options;
    this.#tail = new EventTail(options.events.bus, options.clock);
  }

  /** Answers a call. Never rejects: errors are values. */
  async call(name: string, input: unknown, caller: Caller): Promise<Reply<unknown>> {
    if (!isCallName(name) || !CALLS[name].isWrite) return this.#answer(name, input, caller);
    const { clock, events } = this.#options;
    const startMs = clock.now();
    const reply = await this.#answer(name, input, caller);
    emitApiCall(events.bus, caller, {
      method: 'CALL',
      path: name,
      status: reply.ok ? 200 : ERRORS[reply.error.code].status,
      durationMs: clock.now() - startMs,
    });
    return reply;
  }

  async #answer(name: string, input: unknown, caller: Caller): Promise<Reply<unknown>> {
    try {
      if (!isCallName(name)) throw new AirdeskError('not_found', `There is no call ${name}`);
      const call = CALLS[name];
      if (OPERATING.has(name)) requireOperate(caller);
      else if (call.isWrite) requireWrite(caller);
      const parsed = call.input.safeParse(input);
      if (!parsed.success)
        throw new AirdeskError(
          'bad_request',
          parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '),
        );
      requireCallInScope(caller, name, parsed.data);
      const value = await this.#run(name, parsed.data, caller);
      return { ok: true, value: caller.mayWrite ? value : readerView(value) };
    } catch (error) {
      return { ok: false, error: this.#errorValue(name, error) };
    }
  }

  /** Subscribes to a topic, as far as the caller may see it; the listener gets a snapshot at once. Returns the end of the subscription, undefined where there is no such topic. */
  subscribe(topic: string, wanted: Listener, caller: Subscriber): (() => void) | undefined {
    if (!Object.hasOwn(TOPICS, topic)) return undefined;
    const listener: Listener = caller.mayWrite
      ? wanted
      : (payload) => {
          wanted(this.#readersPayload(payload));
        };
    // Own keys of TOPICS are its key type.
    const name = topic as TopicName;
    if (name === 'streams') return this.#subscribeStreams(listener, caller);
    return this.#tailFor(caller).subscribe(listener);
  }

  #tailFor(caller: Subscriber): EventTail {
    const { events, clock } = this.#options;
    if (!caller.prefixes) return this.#tail;
    return new EventTail(events.bus, clock, (event) => isEventInScope(event, caller));
  }

  #subscribeStreams(wanted: Listener, caller: Subscriber): () => void {
    const listener: StreamsListener = (payload) => {
      const seen = caller.prefixes ? streamsInScope(payload, caller) : payload;
      if (seen) wanted(seen);
    };
    this.#listeners.add(listener);
    listener({ is_snapshot: true, changed: this.#states(), removed: [] });
    this.#schedule();
    return () => {
      this.#listeners.delete(listener);
    };
  }

  close(): void {
    this.#cancelTimer?.();
    this.#tail.close();
    this.#listeners.clear();
  }

  async #run(name: CallName, input: unknown, caller: Caller): Promise<unknown> {
    // The schema of the call has checked the input, which TypeScript cannot follow through the table.
    const handlers: { [N in CallName]: (input: CallInput<N>) => Promise<CallOutput<N>> } = {
      'server.info': () => Promise.resolve(this.#info(caller)),
      'streams.list': () =>
        Promise.resolve({ streams: this.#states().filter(({ name: stream }) => isInScope(caller, stream)) }),
      'streams.add': async (wanted) => {
        const { configuration, streams } = this.#options;
        await addStream(configuration, streams, wanted, changedBy(caller, 'desk'));
        const entry = streams.get(wanted.name);
        return { name: wanted.name, publish_urls: entry ? streamState(entry, this.#context()).publish_urls : [] };
      },
      'streams.remove': async ({ name: stream }) => ({
        version: await removeStream(
          this.#options.configuration,
          this.#options.streams,
          stream,
          changedBy(caller, 'desk'),
        ),
      }),
      'streams.select_input': ({ name: stream, input: wanted }) =>
        Promise.resolve({ selected_input: selectInput(this.#options.streams, stream, wanted) }),
      'streams.restart': async ({ name: stream }) => {
        await this.#options.streams.restart(stream);
        return {};
      },
      ...configCalls(this.#options.configuration, caller),
      'events.recent': (wanted) =>
        Promise.resolve({ events: this.#options.events.recent(wanted, (event) => isEventInScope(event, caller)) }),
      'events.sinks': () => Promise.resolve({ sinks: [...this.#options.events.states().values()] }),
    };
    return (handlers[name] as (value: unknown) => Promise<unknown>)(input);
  }

  #info(caller: Caller): ServerInfo {
    const { configuration, clock } = this.#options;
    return {
      ...this.#options.describe(),
      now: clock.now(),
      live_prefixes: [...configuration.config.lives.values()]
        .filter((live) => live.isPublishAllowed)
        .flatMap((live) => live.prefixes)
        .filter((prefix) => isInScope(caller, prefix)),
      is_demo: configuration.isDemo,
      config_error: caller.prefixes ? null : configuration.error,
      may_write: caller.mayWrite,
      ...(caller.prefixes ? { prefixes: [...caller.prefixes] } : {}),
      ...(this.#options.hasSandbox ? {} : { no_sandbox: true as const }),
      // It plays every stream.
      ...(caller.mayWrite && !caller.prefixes ? { view_query: this.#options.viewQuery() } : {}),
    };
  }

  #context(): StreamStateContext {
    const { base_url: baseUrl, rtmp_url: rtmpUrl } = this.#options.describe();
    return { nowMs: this.#options.clock.now(), baseUrl, rtmpUrl };
  }

  #states(): TopicPayload<'streams'>['changed'] {
    const context = this.#context();
    // As in the file: a stream that was removed and came back stands where it stood. What encoders made follows.
    const { configuration, streams } = this.#options;
    const order = new Map([...configuration.config.streams.keys()].map((name, index) => [name, index]));
    const placeOf = ({ name }: { readonly name: string }): number => order.get(name) ?? order.size;
    return streams
      .list()
      .sort((a, b) => placeOf(a) - placeOf(b))
      .map((entry) => streamState(entry, context));
  }

  /** All readers get the same one, which is made once. */
  #readersPayload(payload: object): object {
    const view = this.#readerViews.get(payload) ?? readerView(payload);
    this.#readerViews.set(payload, view);
    return view;
  }

  #schedule(): void {
    this.#cancelTimer ??= this.#options.clock.after(TOPIC_MS, () => {
      this.#cancelTimer = undefined;
      this.#publish();
    });
  }

  #publish(): void {
    const { changed, removed } = this.#options.streams.takeChanges();
    if (this.#listeners.size === 0) return;
    this.#schedule();
    if (changed.size === 0 && removed.size === 0) return;
    const context = this.#context();
    const states = [...changed].flatMap((name) => {
      const entry = this.#options.streams.get(name);
      return entry ? [streamState(entry, context)] : [];
    });
    const payload: TopicPayload<'streams'> = { is_snapshot: false, changed: states, removed: [...removed] };
    for (const listener of this.#listeners) listener(payload);
  }

  #errorValue(name: string, error: unknown): ErrorValue {
    if (error instanceof AirdeskError) return error.toValue();
    this.#options.log.error('a call failed', {
      call: name,
      error: stackOf(error),
    });
    return { code: 'internal', message: 'An error inside the server; see its log' };
  }
}

function isCallName(name: string): name is CallName {
  return Object.hasOwn(CALLS, name);
}
