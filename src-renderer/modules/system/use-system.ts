import { ref, shallowRef, type Ref } from 'vue';
import type { ErrorValue } from '../../../src-preload/contract/index.ts';
import type { EventSinkState } from '../../../src-preload/contract/api/sink-state.ts';
import type { SystemState } from '../../../src-preload/contract/operations/system-calls.ts';
import { useBridge } from '../../server/bridge.ts';
import { useWhileLive } from '../../server/use-while-live.ts';
import { useCall } from '../../server/use-call.ts';
import { saveFile } from '../../ui/save-file.ts';

/** State of the system page. */
export interface ShownSystem {
  /** Undefined before the first answer. */
  readonly state: Readonly<Ref<SystemState | undefined>>;
  readonly sinks: Readonly<Ref<readonly EventSinkState[]>>;
  readonly failure: Readonly<Ref<ErrorValue | null>>;
  /** Whether a diagnostics file is being created. */
  readonly isSaving: Readonly<Ref<boolean>>;
  save(): Promise<void>;
}

const POLL_MS = 2_000;

/** State of the server, for use inside a component; polled every two seconds. */
export function useSystem(): ShownSystem {
  const bridge = useBridge();
  const call = useCall();
  const state = shallowRef<SystemState>();
  const sinks = shallowRef<readonly EventSinkState[]>([]);
  const failure = shallowRef<ErrorValue | null>(null);
  const isSaving = ref(false);

  async function load(): Promise<void> {
    const [answer, sinkReply] = await Promise.all([bridge.call('system.state', {}), bridge.call('events.sinks', {})]);
    if (answer.ok) [state.value, failure.value] = [answer.value, null];
    else if (answer.error.code !== 'unavailable') failure.value = answer.error;
    if (sinkReply.ok) sinks.value = sinkReply.value.sinks;
  }
  useWhileLive(() => void load(), POLL_MS);

  async function save(): Promise<void> {
    if (isSaving.value) return;
    isSaving.value = true;
    const created = await call('system.diagnostics', {});
    isSaving.value = false;
    const day = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
    if (created) saveFile([created.text], `airdesk-diagnostics-${day}Z.json`, 'application/json');
  }

  return { state, sinks, failure, isSaving, save };
}
