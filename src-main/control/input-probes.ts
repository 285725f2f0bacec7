import { AirdeskError, because, type CallInput } from '../../src-preload/contract/index.ts';
import type { InputProbe } from '../../src-preload/contract/api/input-probe.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { Engine } from '../engine/engine.ts';
import { ownPort } from '../engine/inputs/make-input.ts';
import type { OperationContext } from '../operators/handlers.ts';
import { isInScope } from '../operators/require.ts';
import type { Streams } from '../streams/streams.ts';
import type { Pictures } from './archive/pictures.ts';
import { probeAnswer, probeFailure } from './probe-answer.ts';
import { addableInput, unmaskedInput, type ProbedAddress } from './probe-request.ts';

export interface InputProbesOptions {
  readonly configuration: Configuration;
  readonly streams: Pick<Streams, 'get' | 'list'>;
  readonly engine: Pick<Engine, 'probe'>;
  readonly pictures: Pick<Pictures, 'get' | 'of'>;
}

type Caller = Pick<OperationContext, 'caller' | 'by' | 'left'>;
type ProbeFields = Pick<CallInput<'streams.probe_input'>, 'id' | 'seconds'>;

/** Maximum number of probes at the same time, of all callers. A desk may have one more running call, so that it can cancel one. */
const MAX_PROBES = 3;
/** Default time of a probe, in seconds. */
const SECONDS = 10;

/** Probes of addresses before they become inputs, and of inputs before they are put on air. */
export class InputProbes {
  readonly #options: InputProbesOptions;
  readonly #running = new Set<{ readonly id: string; readonly who: string; readonly abort: AbortController }>();

  constructor(options: InputProbesOptions) {
    this.#options = options;
  }

  /** Probes an address, if the caller could add a stream with it. */
  async address(request: CallInput<'streams.probe_address'>, caller: Caller): Promise<InputProbe> {
    const { configuration, streams } = this.#options;
    const { name = '', seconds } = request;
    const existing = isInScope(caller.caller, name) ? (streams.get(name)?.inputs ?? []) : [];
    return this.#run(request, caller, async (signal) => {
      const input = await addableInput(configuration, unmaskedInput(request, existing), caller.by);
      return this.#open(input, seconds, signal);
    });
  }

  /** Probes an input of a stream. The content of the input on air is known; other inputs are opened. */
  async input(request: CallInput<'streams.probe_input'>, caller: Caller): Promise<InputProbe> {
    const { name, index, seconds } = request;
    const entry = this.#options.streams.get(name);
    if (!entry) throw new AirdeskError('stream_not_found', `There is no stream ${name}`);
    const input = entry.inputs[index];
    if (!input) throw new AirdeskError('input_not_found', `The stream ${name} has ${entry.inputs.length} inputs`);
    const { activeInput, isBackupOnAir = false, inputs } = entry.status ?? {};
    const isOnAir = activeInput === index && !isBackupOnAir && inputs?.[index]?.phase === 'running';
    return this.#run(request, caller, async (signal) => {
      if (!isOnAir || !entry.status) return this.#open(input, seconds, signal);
      return probeAnswer(input.url, entry.status, async () => (await this.#options.pictures.get(entry.output))?.jpeg);
    });
  }

  /** Cancels the probe of a caller. Its call is then answered with `probe_cancelled`. */
  cancel(id: string, { caller: { who } }: Pick<Caller, 'caller'>): void {
    for (const probe of this.#running) if (probe.id === id && probe.who === who) probe.abort.abort();
  }

  async #run<T>(
    { id = '' }: ProbeFields,
    { caller: { who }, left }: Caller,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (this.#running.size >= MAX_PROBES)
      throw new AirdeskError('unavailable', `${MAX_PROBES} other inputs are being checked`);
    const abort = new AbortController();
    const signal = left ? AbortSignal.any([abort.signal, left()]) : abort.signal;
    const probe = { id, who, abort };
    this.#running.add(probe);
    try {
      const result = await work(signal);
      if (signal.aborted) throw new AirdeskError('probe_cancelled');
      return result;
    } catch (error) {
      if (signal.aborted) throw new AirdeskError('probe_cancelled');
      throw error;
    } finally {
      this.#running.delete(probe);
    }
  }

  async #open(input: ProbedAddress, seconds: number | undefined, signal: AbortSignal): Promise<InputProbe> {
    const { url, options } = input;
    if (url.startsWith('publish://')) throw new AirdeskError('probe_not_possible', because('probe_waits_for_encoder'));
    const port = ownPort(input);
    if (port !== undefined && this.#isPortUsed(port))
      throw new AirdeskError('probe_not_possible', because('probe_port_in_use', { port }));
    const found = await this.#options.engine
      .probe({ spec: { url, options }, limitMs: (seconds ?? SECONDS) * 1000 }, signal)
      .catch((error: unknown) => {
        throw probeFailure(error);
      });
    if ('code' in found) throw probeFailure(found);
    const { picture } = found;
    return probeAnswer(
      url,
      found,
      async () => picture && this.#options.pictures.of({ ...picture, data: () => Promise.resolve(picture.data) }),
    );
  }

  /** Whether an input of a stream receives on this port, or will when it is needed. */
  #isPortUsed(port: number): boolean {
    return this.#options.streams
      .list()
      .some(({ inputs, settings }) => !settings.isDisabled && inputs.some((input) => ownPort(input) === port));
  }
}
