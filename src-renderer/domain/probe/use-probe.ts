import { onScopeDispose, ref, shallowRef } from 'vue';
import type { CallInput, CallOutput, Reply } from '../../../src-preload/contract/index.ts';
import { errorSentence } from '../../lib/error-advice.ts';
import { useBridge } from '../../server/bridge.ts';

type Probe = CallOutput<'streams.probe_address'>;

/** Time of a check, in seconds. It ends before the desk stops waiting for the answer. */
const SECONDS = 7;

/** Checks of an address or an input, one at a time, for use inside a component. A check ends with the component. */
export function useProbe() {
  const bridge = useBridge();
  const isRunning = ref(false);
  const result = shallowRef<Probe>();
  /** Reason why the input could not be read, with advice; empty without one. */
  const failure = ref('');
  let running = '';

  async function run(open: (fields: { id: string; seconds: number }) => Promise<Reply<Probe>>): Promise<void> {
    reset();
    // The id need not be secret, because only the login that started a probe can cancel it.
    const id = `${Date.now()}-${Math.random()}`;
    running = id;
    isRunning.value = true;
    const reply = await open({ id, seconds: SECONDS });
    if (running !== id) return;
    running = '';
    isRunning.value = false;
    if (reply.ok) result.value = reply.value;
    else failure.value = errorSentence(reply.error);
  }

  /** Ends the check, and forgets its result. */
  function reset(): void {
    if (running !== '') void bridge.call('streams.cancel_probe', { id: running });
    running = '';
    isRunning.value = false;
    result.value = undefined;
    failure.value = '';
  }
  onScopeDispose(reset);

  return {
    isRunning,
    result,
    failure,
    reset,
    /** Opens an address that is no input yet. */
    address: (request: Pick<CallInput<'streams.probe_address'>, 'input_url' | 'options' | 'name'>) =>
      run((fields) => bridge.call('streams.probe_address', { ...request, ...fields })),
    /** Opens an input of a stream, by its index. */
    input: (name: string, index: number) =>
      run((fields) => bridge.call('streams.probe_input', { name, index, ...fields })),
  };
}
