import { monitorEventLoopDelay, type ELDHistogram } from 'node:perf_hooks';
import { runInTurns } from '../../lib/turns.ts';
import type { ApiContext } from '../endpoints/api-context.ts';
import { limitMetrics, type LimitFigures } from './limit-metrics.ts';
import { counted, metricLines, single, type MetricFamily } from './metrics.ts';
import { sessionTotals } from './session-totals.ts';

/** Resolution of the event loop delay, in milliseconds. */
const LOOP_RESOLUTION_MS = 10;
/** Time after a scrape for which the delay is measured, in milliseconds: more than the usual interval of scrapes. */
const LOOP_MEASURED_MS = 5 * 60_000;
const NS_PER_S = 1e9;
const US_PER_S = 1e6;

const info = (name: string, help: string, version: string): MetricFamily =>
  counted(name, help, 'version', [[version, 1]]);

type RuntimeContext = Pick<ApiContext, 'clock' | 'stats' | 'streams' | 'sessions' | 'describe'>;

/** Metrics of the process, as Prometheus text. Metrics that Node programs have in common have their usual names. */
export class RuntimeMetrics {
  readonly #context: RuntimeContext;
  readonly #limits: (() => LimitFigures) | undefined;
  /** Enabled only while clients scrape, because it wakes the thread a hundred times a second. */
  readonly #loop: ELDHistogram = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  #cancelDisable: (() => void) | undefined;

  /** @param limits returns counts of refusals; not printed if absent */
  constructor(context: RuntimeContext, limits?: () => LimitFigures) {
    this.#context = context;
    this.#limits = limits;
  }

  close(): void {
    this.#cancelDisable?.();
    this.#loop.disable();
  }

  /** Current metrics. Event loop delays are measured since the last call, if it was in the last five minutes. */
  async text(): Promise<string> {
    const { byProto } = await runInTurns(sessionTotals(this.#context.sessions));
    const families = [
      ...this.#process(),
      ...this.#delays(),
      ...this.#server(),
      counted('airdesk_sessions', 'Open sessions by protocol', 'proto', byProto),
      ...(this.#limits ? limitMetrics(this.#limits()) : []),
    ];
    this.#measureDelays();
    return [...metricLines(families)].join('');
  }

  /** Starts a measurement of the event loop delay. */
  #measureDelays(): void {
    this.#loop.reset();
    this.#loop.enable();
    this.#cancelDisable?.();
    this.#cancelDisable = this.#context.clock.after(LOOP_MEASURED_MS, () => {
      this.#loop.disable();
      this.#loop.reset();
    });
  }

  #process(): MetricFamily[] {
    const { user, system } = process.cpuUsage();
    const { rss, heapTotal, heapUsed, external } = process.memoryUsage();
    const startedMs = this.#context.describe().started_at;
    return [
      single('process_cpu_user_seconds_total', 'Processor time of the process in user mode', user / US_PER_S),
      single('process_cpu_system_seconds_total', 'Processor time of the process in system mode', system / US_PER_S),
      single('process_cpu_seconds_total', 'Processor time of the process on all cores', (user + system) / US_PER_S),
      single('process_start_time_seconds', 'Start time of the server in epoch seconds', startedMs / 1000),
      single('process_resident_memory_bytes', 'Memory of the process', rss),
      single('nodejs_heap_size_total_bytes', 'Heap of the server thread', heapTotal),
      single('nodejs_heap_size_used_bytes', 'Used heap of the server thread', heapUsed),
      single('nodejs_external_memory_bytes', 'Memory of the server thread outside its heap', external),
      info('nodejs_version_info', 'Version of Node.js', process.version),
    ];
  }

  #delays(): MetricFamily[] {
    const loop = this.#loop;
    const delay = (nanoseconds: number): number | undefined =>
      loop.count > 0 ? Math.max(0, nanoseconds / NS_PER_S - LOOP_RESOLUTION_MS / 1000) : undefined;
    return [
      single(
        'nodejs_eventloop_lag_mean_seconds',
        'Mean delay of the event loop of the server thread since the last scrape',
        delay(loop.mean),
      ),
      single(
        'nodejs_eventloop_lag_max_seconds',
        'Longest delay of the event loop since the last scrape',
        delay(loop.max),
      ),
      ...[50, 90, 99].map((percentile) =>
        single(
          `nodejs_eventloop_lag_p${percentile}_seconds`,
          `Percentile ${percentile} of the event loop delay`,
          delay(loop.percentile(percentile)),
        ),
      ),
    ];
  }

  #server(): MetricFamily[] {
    const { stats, describe } = this.#context;
    const figures = stats.figures();
    const loads = figures.threads.map(({ index, load }) => [`media-${index}`, load] as const);
    return [
      single(
        'airdesk_event_loop_utilization_ratio',
        'Load of the event loop of the server thread in the last second, 0 to 1',
        figures.schedulerPercent / 100,
      ),
      info('airdesk_build_info', 'Version of Airdesk', describe().version),
      single('airdesk_uptime_seconds', 'Time since the start', figures.uptimeSeconds),
      single('airdesk_streams', 'Streams', figures.totalStreams),
      single('airdesk_streams_alive', 'Streams that receive frames', figures.onlineStreams),
      single('airdesk_clients', 'Viewers', figures.totalClients),
      single('airdesk_received_bytes_total', 'Bytes received', figures.bytesIn),
      single('airdesk_sent_bytes_total', 'Bytes delivered', figures.bytesOut),
      single('airdesk_input_bits_per_second', 'Bit rate received over the last seconds', figures.inputKbit * 1000),
      single('airdesk_output_bits_per_second', 'Bit rate delivered over the last seconds', figures.outputKbit * 1000),
      single(
        'airdesk_machine_cpu_ratio',
        'Load of all cores of the machine by all programs, 0 to 1',
        figures.cpuPercent / 100,
      ),
      single('airdesk_machine_memory_ratio', 'Used memory of the machine, 0 to 1', figures.memoryPercent / 100),
      counted('airdesk_thread_cpu_ratio', 'Load of one core by a thread in the last second, 0 to 1', 'thread', [
        ['server', stats.serverThreadLoad],
        ...loads,
      ]),
      counted(
        'airdesk_thread_publishers',
        'Publishers on a media thread',
        'thread',
        figures.threads.map(({ index, publishers }) => [`media-${index}`, publishers]),
      ),
    ];
  }
}
