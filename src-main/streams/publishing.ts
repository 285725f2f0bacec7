import { because } from '../../src-preload/contract/explanations/explanations.ts';
import type { Config } from '../config/schema/config.ts';
import type { PublishAnswer, StreamSpec } from '../engine/messages.ts';
import type { InputEnd, PublishRequest, RefusedPublish } from '../ingest/input.ts';
import type { Clock } from '../lib/clock.ts';
import { addressOfPeer } from '../lib/network-address.ts';
import { findPublishTarget, type PublishTarget } from './publish-policy.ts';
import { busyRefusal, limitRefusal } from './publish-refusal.ts';
import type { StreamCommands } from './stream-commands.ts';
import type { StreamEvents } from './stream-events.ts';
import type { StreamQuarantine } from './stream-quarantine.ts';
import type { StreamRegistry } from './stream-registry.ts';
import type { StreamRuns } from './stream-runs.ts';

type AllowedTarget = Extract<PublishTarget, { allowed: true }>;

export interface PublishingOptions {
  readonly clock: Clock;
  /** Current configuration. */
  readonly config: () => Config;
  readonly registry: StreamRegistry;
  readonly commands: StreamCommands;
  readonly runs: StreamRuns;
  readonly quarantine: StreamQuarantine;
  readonly streamEvents: StreamEvents;
}

/** Admission and state of encoders that publish streams. */
export class Publishing {
  readonly #options: PublishingOptions;

  constructor(options: PublishingOptions) {
    this.#options = options;
  }

  /**
   * Decides about a publisher, whichever thread has its connection.
   *
   * @param attach passes an accepted encoder to the engine, before another command of the stream can run
   */
  async decide(request: PublishRequest, attach: (stream: StreamSpec) => void): Promise<PublishAnswer> {
    for (;;) {
      const config = this.#options.config();
      const target = findPublishTarget(config, request, this.#options.clock.now());
      if (!target.allowed) return this.#refuse(request, target.name, target);
      // The configuration may have changed meanwhile, and may refuse the encoder or give it another name.
      const answer = await this.#options.commands.inTurn(target.name, () =>
        this.#options.config() === config ? this.#accept(config, request, target, attach) : undefined,
      );
      if (answer) return answer;
    }
  }

  /**
   * Records a refused publisher.
   *
   * @param request its peer is absent if the protocol does not report it (SRT)
   * @param name requested stream, if it is known
   */
  refused(request: RefusedPublish, name: string | undefined, { code, detail, explanation }: InputEnd): void {
    const { registry, streamEvents, clock } = this.#options;
    const end = { code, detail, explanation };
    streamEvents.publisherRefused(request, name, end);
    const stream = name === undefined ? undefined : registry.get(name);
    if (!stream) return;
    const { peer } = request;
    stream.refusals.add(
      peer === undefined ? end : { code, ...because('from_peer', { explanation: end, peer }) },
      clock.now(),
    );
    registry.changed(stream.name);
  }

  /**
   * Records that a publisher of a run has left.
   *
   * @param publication number of the publisher, because a replaced publisher reports late; undefined for the current
   * one
   */
  ended(runId: number, publication?: number): void {
    const { registry, commands, runs, streamEvents, clock } = this.#options;
    const entry = runs.of(runId);
    if (!entry || (publication !== undefined && publication !== entry.publication)) return;
    entry.publisherLeft(clock.now());
    registry.changed(entry.name);
    streamEvents.publisherLeft(entry);
    if (entry.isChangePending && entry.state.kind !== 'ending') void commands.renew(entry.name);
  }

  /** Admits a publisher that the configuration allows, unless a limit or another publisher forbids it. */
  #accept(
    config: Config,
    request: PublishRequest,
    { name, settings, isConfigured }: AllowedTarget,
    attach: (stream: StreamSpec) => void,
  ): PublishAnswer {
    const { registry, runs, quarantine, streamEvents, clock } = this.#options;
    const now = clock.now();
    const existing = registry.get(name);
    const refusal =
      quarantine.refusal(request.peer) ??
      (existing && !existing.isArchiveOnly
        ? busyRefusal(existing, now)
        : limitRefusal(registry.all(), config, settings.name, request));
    if (refusal) return this.#refuse(request, name, refusal);
    const entry = existing ?? registry.create(name, settings, isConfigured, now);
    // The encoder joins the stream on its thread, also if it replaces a dead publisher.
    const stream = runs.join(entry);
    entry.publisherCame(addressOfPeer(request.peer), now, stream.publication);
    registry.changed(name);
    streamEvents.publisherCame(entry, request);
    attach(stream);
    return { accepted: true, stream };
  }

  #refuse(request: PublishRequest, name: string | undefined, end: InputEnd): PublishAnswer {
    this.refused(request, name, end);
    const { code, detail, explanation } = end;
    return { accepted: false, code, detail, explanation };
  }
}
