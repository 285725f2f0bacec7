import { monitorEventLoopDelay, type ELDHistogram } from 'node:perf_hooks';
import { Counter, Gauge, Registry } from 'prom-client';
import { runInTurns } from '../../lib/turns.ts';
import type { ApiContext } from '../endpoints/api-context.ts';
import type { ServerFigures } from '../../streams/server-stats.ts';
import { addLimitMetrics, type LimitFigures } from './limit-metrics.ts';
import { sessionTotals } from './session-totals.ts';

/** Resolution of the event loop delay, in milliseconds. */
const LOOP_RESOLUTION_MS = 10;
const NS_PER_S = 1e9;
const US_PER_S = 1e6;

/** Metrics of the process, as Prometheus text. Metrics common to Node programs have their usual names. */
export class RuntimeMetrics {
  readonly #context: Pick<ApiContext, 'stats' | 'streams' | 'sessions' | 'describe'>;
  readonly #registry = new Registry();
  readonly #loop: ELDHistogram = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });

  /** @param limits counts of refusals; not printed if absent */
  constructor(context: Pick<ApiContext, 'stats' | 'streams' | 'sessions' | 'describe'>, limits?: () => LimitFigures) {
    this.#context = context;
    this.#loop.enable();
    this.#addProcess();
    this.#addLoop();
    this.#addServer();
    this.#addSessions();
    if (limits) addLimitMetrics(this.#registry, limits);
  }

  close(): void {
    this.#loop.disable();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Current metrics. Event loop delays are those since the last call. */
  async text(): Promise<string> {
    const text = await this.#registry.metrics();
    this.#loop.reset();
    return text;
  }

  #addProcess(): void {
    this.#counter(
      'process_cpu_user_seconds_total',
      'Processor time of the process in user mode',
      () => process.cpuUsage().user / US_PER_S,
    );
    this.#counter(
      'process_cpu_system_seconds_total',
      'Processor time of the process in system mode',
      () => process.cpuUsage().system / US_PER_S,
    );
    this.#counter('process_cpu_seconds_total', 'Processor time of the process on all cores', () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / US_PER_S;
    });
    this.#gauge(
      'process_start_time_seconds',
      'Start time of the server in epoch seconds',
      () => this.#context.describe().started_at / 1000,
    );
    this.#gauge('process_resident_memory_bytes', 'Memory of the process', () => process.memoryUsage.rss());
    this.#gauge('nodejs_heap_size_total_bytes', 'Heap of the server thread', () => process.memoryUsage().heapTotal);
    this.#gauge('nodejs_heap_size_used_bytes', 'Used heap of the server thread', () => process.memoryUsage().heapUsed);
    this.#gauge(
      'nodejs_external_memory_bytes',
      'Memory of the server thread outside its heap',
      () => process.memoryUsage().external,
    );
    this.#info('nodejs_version_info', 'Version of Node.js', { version: process.version });
  }

  #addLoop(): void {
    const delay =
      (read: (loop: ELDHistogram) => number): (() => number) =>
      () =>
        this.#loop.count > 0 ? Math.max(0, read(this.#loop) / NS_PER_S - LOOP_RESOLUTION_MS / 1000) : 0;
    this.#gauge(
      'nodejs_eventloop_lag_mean_seconds',
      'Mean delay of the event loop of the server thread since the last scrape',
      delay((loop) => loop.mean),
    );
    this.#gauge(
      'nodejs_eventloop_lag_max_seconds',
      'Longest delay of the event loop since the last scrape',
      delay((loop) => loop.max),
    );
    for (const percentile of [50, 90, 99])
      this.#gauge(
        `nodejs_eventloop_lag_p${percentile}_seconds`,
        `Percentile ${percentile} of the event loop delay`,
        delay((loop) => loop.percentile(percentile)),
      );
    this.#gauge(
      'airdesk_event_loop_utilization_ratio',
      'Load of the event loop of the server thread in the last second, 0 to 1',
      () => this.#figures().schedulerPercent / 100,
    );
  }

  #addServer(): void {
    this.#info('airdesk_build_info', 'Version of Airdesk', { version: this.#context.describe().version });
    this.#gauge('airdesk_uptime_seconds', 'Time since the start', () => this.#figures().uptimeSeconds);
    this.#gauge('airdesk_streams', 'Streams', () => this.#figures().totalStreams);
    this.#gauge('airdesk_streams_alive', 'Streams that receive frames', () => this.#figures().onlineStreams);
    this.#gauge('airdesk_clients', 'Viewers', () => this.#figures().totalClients);
    this.#counter('airdesk_received_bytes_total', 'Bytes received', () => this.#figures().bytesIn);
    this.#counter('airdesk_sent_bytes_total', 'Bytes delivered', () => this.#figures().bytesOut);
    this.#gauge(
      'airdesk_input_bits_per_second',
      'Bit rate received over the last seconds',
      () => this.#figures().inputKbit * 1000,
    );
    this.#gauge(
      'airdesk_output_bits_per_second',
      'Bit rate delivered over the last seconds',
      () => this.#figures().outputKbit * 1000,
    );
    this.#gauge(
      'airdesk_machine_cpu_ratio',
      'Load of all cores of the machine by all programs, 0 to 1',
      () => this.#figures().cpuPercent / 100,
    );
    this.#gauge(
      'airdesk_machine_memory_ratio',
      'Used memory of the machine, 0 to 1',
      () => this.#figures().memoryPercent / 100,
    );
    const figures = (): ServerFigures => this.#figures();
    const { stats } = this.#context;
    new Gauge({
      name: 'airdesk_thread_cpu_ratio',
      help: 'Load of one core by a thread in the last second, 0 to 1',
      labelNames: ['thread'],
      registers: [this.#registry],
      collect() {
        this.reset();
        this.set({ thread: 'server' }, stats.serverThreadLoad);
        for (const { index, load } of figures().threads) this.set({ thread: `media-${index}` }, load);
      },
    });
    new Gauge({
      name: 'airdesk_thread_publishers',
      help: 'Publishers on a media thread',
      labelNames: ['thread'],
      registers: [this.#registry],
      collect() {
        this.reset();
        for (const { index, publishers } of figures().threads) this.set({ thread: `media-${index}` }, publishers);
      },
    });
  }

  #addSessions(): void {
    const { sessions } = this.#context;
    new Gauge({
      name: 'airdesk_sessions',
      help: 'Open sessions by protocol',
      labelNames: ['proto'],
      registers: [this.#registry],
      async collect() {
        const { byProto } = await runInTurns(sessionTotals(sessions));
        this.reset();
        for (const [proto, count] of byProto) this.set({ proto }, count);
      },
    });
  }

  #figures(): ServerFigures {
    return this.#context.stats.figures();
  }

  #gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.#registry],
      collect() {
        this.set(read());
      },
    });
  }

  #counter(name: string, help: string, read: () => number): void {
    new Counter({
      name,
      help,
      registers: [this.#registry],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }

  #info(name: string, help: string, labels: Readonly<Record<string, string>>): void {
    new Gauge({ name, help, labelNames: Object.keys(labels), registers: [this.#registry] }).set({ ...labels }, 1);
  }
}
