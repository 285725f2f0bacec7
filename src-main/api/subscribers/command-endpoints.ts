import type { z } from 'zod';
import {
  packageCreateSchema,
  packageSchema,
  packageWriteSchema,
  subscriberCreateSchema,
  subscriberDisableSchema,
  subscriberLoginSchema,
  subscriberSchema,
  subscriberWriteSchema,
  subscriptionSchema,
  subscriptionWriteSchema,
} from '../../../src-preload/contract/api/subscribers/subscriber-objects.ts';
import type { PortalService } from '../../control/subscribers/portal-service.ts';
import { commandOf } from '../../control/subscribers/subscriber-operations.ts';
import { bodyOf } from '../endpoints/checked.ts';
import type { Endpoint, EndpointDoc, ParameterDoc, ReplyDoc } from '../endpoints/endpoint.ts';
import { BODY_BYTES, commandContext, portalEndpoint } from './portal-request.ts';
import { inPath } from '../endpoints/parameters.ts';

const SUBSCRIBER = { description: 'The subscriber', schema: subscriberSchema };
const NEW_SUBSCRIBER = { ...SUBSCRIBER, description: 'The new subscriber' };
const PACKAGE = { description: 'The package', schema: packageSchema };
const SUBSCRIPTION = { description: 'The subscription', schema: subscriptionSchema };
const ONE_SUBSCRIBER = '/subscribers/{subscriberId}';
const ONE_PACKAGE = '/packages/{packageId}';
const LINK = `${ONE_SUBSCRIBER}${ONE_PACKAGE}` as const;

const PATH_PARAMETERS = {
  subscriberId: inPath('subscriberId', 'id of the subscriber'),
  packageId: inPath('packageId', 'id of the package'),
} as const satisfies Readonly<Record<string, ParameterDoc>>;

type CommandInput = Parameters<typeof commandOf>[0];

/** Command in the HTTP API. Path and body have the fields of the command. */
interface HttpCommand extends Pick<EndpointDoc, 'id' | 'summary' | 'description' | 'errors'> {
  readonly at: `${'PUT' | 'POST' | 'DELETE'} /${string}`;
  readonly body?: z.ZodObject;
  readonly isBodyOptional?: true;
  /** Description of the only reply, if that is 204. */
  readonly removed?: string;
  readonly replies?: Readonly<Record<number, ReplyDoc>>;
}

const COMMANDS: Readonly<Record<CommandInput['type'], HttpCommand>> = {
  createSubscriber: {
    id: 'subscriber_create',
    at: 'POST /subscribers',
    summary: 'Creates a subscriber',
    body: subscriberCreateSchema,
    replies: { 201: NEW_SUBSCRIBER },
  },
  login: {
    id: 'subscriber_login',
    at: 'POST /subscribers/login',
    summary: 'The subscriber of a verified phone number',
    description:
      'If there is none and the portal registers automatically, the subscriber is created with all free packages: `autoCreateSubscriber`, and `createPackageSubscriber` for each. A disabled subscriber is returned with `isDisabled`.',
    body: subscriberLoginSchema,
    errors: [404],
    replies: { 200: SUBSCRIBER, 201: NEW_SUBSCRIBER },
  },
  updateSubscriber: {
    id: 'subscriber_save',
    at: `PUT ${ONE_SUBSCRIBER}`,
    summary: 'Changes the given fields of a subscriber',
    body: subscriberWriteSchema,
    replies: { 200: SUBSCRIBER },
  },
  deleteSubscriber: {
    id: 'subscriber_delete',
    at: `DELETE ${ONE_SUBSCRIBER}`,
    summary: 'Removes a subscriber permanently, with all subscriptions',
    description: 'Each subscription that ends has an operation of its own before that of the subscriber.',
    removed: 'The subscriber is removed',
  },
  disableSubscriber: {
    id: 'subscriber_disable',
    at: `POST ${ONE_SUBSCRIBER}/disable`,
    summary: 'Blocks viewing; subscriptions remain',
    body: subscriberDisableSchema,
    isBodyOptional: true,
    replies: { 200: SUBSCRIBER },
  },
  enableSubscriber: {
    id: 'subscriber_enable',
    at: `POST ${ONE_SUBSCRIBER}/enable`,
    summary: 'Allows viewing again',
    replies: { 200: SUBSCRIBER },
  },
  createPackage: {
    id: 'package_create',
    at: 'POST /packages',
    summary: 'Creates a package',
    body: packageCreateSchema,
    replies: { 201: { ...PACKAGE, description: 'The new package' } },
  },
  updatePackage: {
    id: 'package_save',
    at: `PUT ${ONE_PACKAGE}`,
    summary: 'Changes the given fields of a package',
    body: packageWriteSchema,
    replies: { 200: PACKAGE },
  },
  deletePackage: {
    id: 'package_delete',
    at: `DELETE ${ONE_PACKAGE}`,
    summary: 'Removes a package that has no subscription',
    removed: 'The package is removed',
  },
  attach: {
    id: 'subscription_attach',
    at: `PUT ${LINK}`,
    summary: 'Attaches a package to a subscriber',
    description:
      'The paid period starts with the operation `createPackageSubscriber`, and ends with `deletePackageSubscriber`. The server records them at the planned times. If the package is already attached, only its end can change.',
    body: subscriptionWriteSchema,
    isBodyOptional: true,
    replies: { 200: SUBSCRIPTION, 201: { ...SUBSCRIPTION, description: 'The new subscription' } },
  },
  detach: {
    id: 'subscription_detach',
    at: `DELETE ${LINK}`,
    summary: 'Detaches a package from a subscriber',
    description: 'The paid period ends with the operation. A planned subscription is cancelled.',
    removed: 'The package is detached',
  },
};

/**
 * Endpoints for changes of subscribers, packages and subscriptions. The answer is 201 if the object is new, 204 if it is
 * removed.
 */
export function commandEndpoints(service: PortalService): Endpoint[] {
  return Object.entries(COMMANDS).map(([type, { at, body, isBodyOptional = false, removed, replies = {}, ...doc }]) => {
    // The type of `at` has exactly one space.
    const [method, path] = at.split(' ') as ['PUT' | 'POST' | 'DELETE', string];
    return portalEndpoint(service, {
      ...doc,
      method,
      path,
      scope: 'write',
      parameters: Object.values(PATH_PARAMETERS).filter(({ name }) => path.includes(`{${name}}`)),
      ...(body ? { body: { schema: body, limitBytes: BODY_BYTES, isRequired: !isBodyOptional } } : {}),
      replies: removed === undefined ? replies : { 204: { description: removed } },
      handle: async (caller, request) => {
        const fields = body ? bodyOf(body, isBodyOptional ? (request.body ?? {}) : request.body) : {};
        // Path and schema of a command have exactly its fields.
        const command = commandOf({ type, ...fields, ...request.params } as CommandInput);
        const { object, isNew, isReplayed } = await service.command(caller, command, commandContext(request, method));
        const headers: Record<string, string> = isReplayed ? { 'idempotent-replayed': 'true' } : {};
        return object === null || method === 'DELETE'
          ? { status: 204, headers }
          : { status: isNew ? 201 : 200, body: object, headers };
      },
    });
  });
}
