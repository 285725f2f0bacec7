import type { StreamState } from '../../../src-preload/contract/index.ts';
import type { Config } from '../../config/schema/config.ts';
import { liveJson, serverJson, streamJson, templateJson } from '../../config/config-json.ts';
import type { Configuration } from '../../configuration/configuration.ts';
import type { Caller } from '../../operators/caller.ts';
import { readerView } from '../../operators/reader-view.ts';
import { requireWrite } from '../../operators/require.ts';
import type { AlarmService } from '../alarms/alarm-service.ts';
import type { EventServices } from './event-services.ts';
import { systemState, type SystemPort } from './system-state.ts';

/** Maximum number of streams in a file, of templates and of live prefixes: people read the file. */
const MAX_BLOCKS = 200;
/** Maximum number of events in a file. */
const MAX_EVENTS = 500;

export interface DiagnosticsOptions {
  readonly system: SystemPort;
  readonly configuration: Pick<Configuration, 'config' | 'error' | 'versionId'>;
  readonly events: Pick<EventServices, 'recent' | 'sinks'>;
  readonly alarms: Pick<AlarmService, 'list'>;
  readonly clock: { now(): number };
}

/**
 * Data for troubleshooting, as JSON. It contains only what a read-only login sees, so no secrets. Raises
 * `login_required` or `forbidden` for callers without write access.
 */
export async function diagnostics(
  { system, configuration, events, alarms, clock }: DiagnosticsOptions,
  shown: { names(): string[]; statesOf(names: Iterable<string>): StreamState[] },
  caller: Caller,
): Promise<{ text: string }> {
  requireWrite(caller);
  const streams = shown.names();
  const masked = readerView({
    state: await systemState(system),
    config_error: configuration.error,
    streams: shown.statesOf(streams.slice(0, MAX_BLOCKS)),
    alarms: alarms.list(caller),
    event_sinks: [...events.sinks.states().values()],
    events: events.recent({ limit: MAX_EVENTS }, () => true),
    configuration: configurationJson(configuration.config),
  });
  const about = { taken_at: new Date(clock.now()).toISOString(), stream_count: streams.length };
  return { text: JSON.stringify({ ...about, config_version: configuration.versionId, ...masked }, null, 2) };
}

function configurationJson(config: Config): object {
  const first = <T>(blocks: ReadonlyMap<string, T>): T[] => [...blocks.values()].slice(0, MAX_BLOCKS);
  return {
    ...serverJson(config),
    streams: first(config.streams).map((stream) => streamJson(config, stream, { inputsKey: 'inputs' })),
    templates: first(config.templates).map((template) => templateJson(config, template)),
    lives: first(config.livePrefixes).map((live) => liveJson(config, live)),
  };
}
