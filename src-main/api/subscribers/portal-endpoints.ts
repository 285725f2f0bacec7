import {
  issuedPortalKeySchema,
  portalCreateSchema,
  portalKeyCreateSchema,
  portalKeyListSchema,
  portalKeyRotateSchema,
  portalListSchema,
  portalSchema,
  portalWriteSchema,
} from '../../../src-preload/contract/api/subscriber-objects.ts';
import type { PortalService } from '../../control/subscribers/portal-service.ts';
import type { Endpoint, EndpointRequest, ParameterDoc } from '../endpoints/endpoint.ts';
import { bodyOf } from '../legacy/checked.ts';
import { writeBody } from './write-request.ts';

const EDIT = { tag: 'portals', access: 'edit' } as const;
const PORTAL_ID: ParameterDoc = {
  name: 'portalId',
  in: 'path',
  description: 'id of the portal',
  schema: { type: 'string' },
};
const KEY_ID: ParameterDoc = { ...PORTAL_ID, name: 'keyId', description: 'id of the key' };
const PORTAL = { description: 'The portal', schema: portalSchema };
const ISSUED = { description: 'The key with its secret', schema: issuedPortalKeySchema };
const KEYS = '/portals/{portalId}/keys';
/** Default validity of a replaced secret, in seconds. */
const GRACE_SECONDS = 86_400;

/** Portals and their keys, for callers with write access. */
export function portalEndpoints(service: PortalService): Endpoint[] {
  return [
    {
      ...EDIT,
      method: 'GET',
      path: '/portals',
      id: 'portals_list',
      summary: 'All portals',
      replies: { 200: { description: 'The portals', schema: portalListSchema } },
      handle: async () => ({ status: 200, body: { portals: [...(await service.portals())] } }),
    },
    {
      ...EDIT,
      method: 'POST',
      path: '/portals',
      id: 'portal_create',
      summary: 'Makes a portal',
      body: writeBody(portalCreateSchema),
      replies: { 201: { ...PORTAL, description: 'The new portal' } },
      handle: async ({ body }) => {
        const { name, isAutoRegistration = false } = bodyOf(portalCreateSchema, body);
        return { status: 201, body: await service.changePortal({ type: 'createPortal', name, isAutoRegistration }) };
      },
    },
    {
      ...EDIT,
      method: 'GET',
      path: '/portals/{portalId}',
      id: 'portal_get',
      summary: 'One portal',
      parameters: [PORTAL_ID],
      replies: { 200: PORTAL },
      handle: async (request) => ({ status: 200, body: await service.portal(portalIdOf(request)) }),
    },
    {
      ...EDIT,
      method: 'PUT',
      path: '/portals/{portalId}',
      id: 'portal_save',
      summary: 'Changes the given fields of a portal',
      description: 'A portal cannot be removed, because its log is a record; `isDisabled` refuses all of its keys.',
      parameters: [PORTAL_ID],
      body: writeBody(portalWriteSchema),
      replies: { 200: PORTAL },
      handle: async (request) => {
        const { name, isAutoRegistration, isDisabled } = bodyOf(portalWriteSchema, request.body);
        const change = { type: 'updatePortal', name, isAutoRegistration, isDisabled } as const;
        return { status: 200, body: await service.changePortal({ ...change, portalId: portalIdOf(request) }) };
      },
    },
    {
      ...EDIT,
      method: 'GET',
      path: KEYS,
      id: 'portal_keys_list',
      summary: 'The keys of a portal, without their secrets',
      parameters: [PORTAL_ID],
      replies: { 200: { description: 'The keys', schema: portalKeyListSchema } },
      handle: async (request) => ({ status: 200, body: { keys: [...(await service.keys(portalIdOf(request)))] } }),
    },
    {
      ...EDIT,
      method: 'POST',
      path: KEYS,
      id: 'portal_key_create',
      summary: 'Creates a key of a portal',
      description: 'Only this answer contains the secret; the server stores its hash.',
      parameters: [PORTAL_ID],
      body: writeBody(portalKeyCreateSchema),
      replies: { 201: ISSUED },
      handle: async (request) => {
        const { name, scopes = ['write'] } = bodyOf(portalKeyCreateSchema, request.body);
        return { status: 201, body: await service.createKey(portalIdOf(request), name, scopes) };
      },
    },
    {
      ...EDIT,
      method: 'POST',
      path: `${KEYS}/{keyId}/rotate`,
      id: 'portal_key_rotate',
      summary: 'Gives a key another secret',
      description: 'The previous secret stays valid for `graceSeconds`, so that no request is refused meanwhile.',
      parameters: [PORTAL_ID, KEY_ID],
      body: { ...writeBody(portalKeyRotateSchema), isRequired: false },
      replies: { 200: ISSUED },
      handle: async (request) => {
        const { graceSeconds = GRACE_SECONDS } = bodyOf(portalKeyRotateSchema, request.body ?? {});
        const keyId = request.params['keyId'] ?? '';
        return { status: 200, body: await service.rotateKey(portalIdOf(request), keyId, graceSeconds * 1000) };
      },
    },
    {
      ...EDIT,
      method: 'DELETE',
      path: `${KEYS}/{keyId}`,
      id: 'portal_key_remove',
      summary: 'Revokes a key at once',
      parameters: [PORTAL_ID, KEY_ID],
      replies: { 204: { description: 'The key is revoked' } },
      handle: async (request) => {
        await service.removeKey(portalIdOf(request), request.params['keyId'] ?? '');
        return { status: 204 };
      },
    },
  ];
}

function portalIdOf({ params }: EndpointRequest): string {
  return params['portalId'] ?? '';
}
