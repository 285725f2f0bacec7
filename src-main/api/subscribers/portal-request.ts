import { createHash } from 'node:crypto';
import { AirdeskError, badParameter } from '../../../src-preload/contract/index.ts';
import type { CommandContext, PortalCaller, PortalService } from '../../control/subscribers/portal-service.ts';
import { withoutDiskPaths } from '../../lib/mask-secrets.ts';
import type { PortalScope } from '../../subscribers/subscriber-write.ts';
import type { Answer, Endpoint, EndpointDoc, EndpointRequest, ParameterDoc } from '../endpoints/endpoint.ts';
import { inHeader } from '../endpoints/parameters.ts';

/** Endpoint for callers with a portal's key. */
export interface PortalEndpoint extends Omit<EndpointDoc, 'tag'> {
  readonly scope: PortalScope;
  /**
   * Whether it is a command, which is recorded and may be repeated with an idempotency key. Default: true for all methods
   * except GET.
   */
  readonly isCommand?: boolean;
  readonly readsQuery?: boolean;
  readonly handle: (caller: PortalCaller, request: EndpointRequest) => Answer | Promise<Answer>;
}

/** Maximum size of a body, in bytes. The key is checked after the body is read. */
export const BODY_BYTES = 64 * 1024;

/**
 * Creates an endpoint that checks `X-Auth-Token` itself. Logins of the server are not valid at such endpoints, and portal keys
 * are valid only there.
 */
export function portalEndpoint(service: PortalService, { scope, handle, isCommand, ...doc }: PortalEndpoint): Endpoint {
  const isWrite = isCommand ?? doc.method !== 'GET';
  return {
    ...doc,
    tag: 'subscribers',
    access: 'probe',
    security: 'portal_key',
    parameters: [...(doc.parameters ?? []), ...(isWrite ? WRITE_PARAMETERS : [])],
    errors: [
      ...new Set([400, 401, 403, 429, ...(isWrite ? ([409, 507] as const) : []), ...(doc.errors ?? [])] as const),
    ],
    handle: async (request) => {
      const token = request.headers['x-auth-token'];
      const caller = await service.enter(Array.isArray(token) ? token[0] : token, scope, request.caller.address);
      try {
        return await handle(caller, request);
      } catch (error) {
        throw error instanceof AirdeskError ? withoutPaths(error) : error;
      }
    },
  };
}

/** Error without paths on the disk, which the holder of a key must not see. */
function withoutPaths(error: AirdeskError): AirdeskError {
  const message = withoutDiskPaths(error.message);
  return message === error.message ? error : new AirdeskError(error.code, message, error.details, { cause: error });
}

const WRITE_PARAMETERS: readonly ParameterDoc[] = [
  inHeader('Idempotency-Key', 'a repeated request with the same key is executed once, for 24 hours and over restarts'),
  inHeader('X-Manager-Email', 'author of the change, stored in the operation'),
];

/** Context of a command from the headers of its request. Raises `bad_request`. */
export function commandContext({ headers, url, body }: EndpointRequest, method: string): CommandContext {
  const key = headers['idempotency-key'];
  if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(String(key)))
    throw badParameter('Idempotency-Key', 'An Idempotency-Key must have 1 to 255 visible characters', 'bad_request');
  const email = headers['x-manager-email'];
  if (email !== undefined && !/^[\x20-\x7e]{1,254}$/.test(String(email)))
    throw badParameter('X-Manager-Email', 'X-Manager-Email must have 1 to 254 printable characters', 'bad_request');
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([method, url, body ?? null]))
    .digest('base64url');
  return {
    managerEmail: email === undefined ? undefined : String(email),
    idempotency: key === undefined ? undefined : { key: String(key), fingerprint },
  };
}
