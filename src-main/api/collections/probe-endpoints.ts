import { probeSchema, type Probe } from '../../../src-preload/contract/api/probe.ts';
import { AirdeskError } from '../../../src-preload/contract/index.ts';
import type { Endpoint, EndpointRequest, BodySchema } from '../endpoints/endpoint.ts';
import type { Json } from '../endpoints/json-schema.ts';
import { schemaRef } from '../endpoints/open-api.ts';
import type { CollectionContext } from './collection-context.ts';

export const PROBE_SCHEMAS: Readonly<Record<string, BodySchema>> = { probe: probeSchema };

/** Endpoints for the liveness and readiness probes of orchestrators. */
export function probeEndpoints(context: CollectionContext): readonly Endpoint[] {
  const answer = ({ describe, clock }: CollectionContext): Json => {
    const { version, started_at: startedAt } = describe();
    return {
      server_version: version,
      build: null,
      now: clock.now(),
      started_at: Math.floor(startedAt / 1000),
      status: 'running',
    } satisfies Probe;
  };
  const probe = (name: string, summary: string, handle: (request: EndpointRequest) => Json): Endpoint => ({
    id: `monitoring_${name}`,
    tag: 'monitoring',
    method: 'GET',
    path: `/monitoring/${name}`,
    access: 'probe',
    summary,
    replies: { 200: { description: 'The answer is yes', schema: schemaRef('probe') } },
    handle: (request) => ({ status: 200, body: handle(request) }),
  });
  return [
    probe('liveness', 'Whether the server runs', () => answer(context)),
    probe('readiness', 'Whether the server is ready; 503 while it starts or stops', () => {
      const reason = context.notReady();
      if (reason !== null) throw new AirdeskError('unavailable', reason);
      return answer(context);
    }),
  ];
}
