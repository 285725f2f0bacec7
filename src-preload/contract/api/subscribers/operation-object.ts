import { z } from 'zod';
import { flag, integerOrNull, optionalText, text, textOrNull } from '../api-parts.ts';

/** Ids of portals, subscribers and packages: eight bytes in base64 with `-`, `_` and `.` for `+`, `/` and `=`. */
const SUBSCRIBER_ID_PATTERN = /^[A-Za-z0-9_-]{11}\.$/;
/** Ids of operations: eight bytes in base64. */
const OPERATION_ID_PATTERN = /^[A-Za-z0-9+/]{11}=$/;
/** Accepted ids, in either base64 alphabet. */
export const ANY_ID_PATTERN = /^[A-Za-z0-9+/_-]{11}[=.]$/;

/** Id of an operation, in answers. */
export const operationIdSchema = z
  .string()
  .regex(OPERATION_ID_PATTERN)
  .describe('id of the operation: a Snowflake id in base64; unique, increasing, and based on its time');

/** Id of a portal, a subscriber or a package, in answers. */
export const id = (description: string): z.ZodString => z.string().regex(SUBSCRIBER_ID_PATTERN).describe(description);

/** Origin fields that every payload may have. */
const ORIGIN = {
  keyName: text('name of the API key'),
  managerEmail: optionalText('author of the change, as named by the caller in X-Manager-Email'),
};
const SUBSCRIBER = {
  name: text('name of the subscriber'),
  phoneCountryCode: text('country calling code, digits; may be empty'),
  phone: text('number without the country code, digits; may be empty'),
  customerNumber: optionalText('number in the billing system; absent if empty'),
  note: optionalText('note of the operator; absent if empty'),
};
const PACKAGE = { packageName: text('name of the package') };
const PACKAGE_CONTENT = {
  ...PACKAGE,
  isFree: flag('whether automatically created subscribers get it'),
  streams: z.array(z.string()).describe('names of streams, and prefixes that end with /'),
  maxSessions: integerOrNull('maximum number of concurrent sessions of a subscriber; null: no limit'),
};
const SUBSCRIPTION = { ...PACKAGE, subscriberName: text('name of the subscriber') };
const subscriberPayload = z.strictObject({ ...SUBSCRIBER, ...ORIGIN });
const packagePayload = z.strictObject({ ...PACKAGE_CONTENT, ...ORIGIN });
const endsAt = optionalText('planned end, ISO 8601 in UTC; absent without one');
const PERIOD = { startsAt: optionalText('planned start, ISO 8601 in UTC; absent without one'), endsAt };

/**
 * Payloads by operation type. `updateSubscriber`, `updatePackage` and `planPackageSubscriber` are additions to the
 * specification; without them the log would miss these changes.
 */
const OPERATION_PAYLOADS = {
  autoCreateSubscriber: subscriberPayload,
  createSubscriber: subscriberPayload,
  deleteSubscriber: subscriberPayload,
  disableSubscriber: z.strictObject({
    ...SUBSCRIBER,
    reason: optionalText('reason of the block'),
    ...ORIGIN,
  }),
  enableSubscriber: subscriberPayload,
  updateSubscriber: subscriberPayload,
  createPackageSubscriber: z.strictObject({ ...SUBSCRIPTION, ...PERIOD, ...ORIGIN }),
  deletePackageSubscriber: z.strictObject({ ...SUBSCRIPTION, endsAt, ...ORIGIN }),
  createPackage: packagePayload,
  updatePackage: packagePayload,
  deletePackage: z.strictObject({ ...PACKAGE, ...ORIGIN }),
  planPackageSubscriber: z.strictObject({ ...SUBSCRIPTION, ...PERIOD, ...ORIGIN }),
} as const;

/** A type of operation. */
export type OperationType = keyof typeof OPERATION_PAYLOADS;
/** All operation types. The log stores their indexes, so new types must be added at the end. */
export const OPERATION_TYPES = Object.keys(OPERATION_PAYLOADS) as readonly OperationType[];

const NO_SUBSCRIBER: readonly OperationType[] = ['createPackage', 'updatePackage', 'deletePackage'];
const BOTH: readonly OperationType[] = ['createPackageSubscriber', 'deletePackageSubscriber', 'planPackageSubscriber'];

const operationOf = (type: OperationType) =>
  z.strictObject({
    operationId: operationIdSchema,
    type: z.literal(type).describe('type of the operation'),
    portalId: id('portal of the operation'),
    subscriberId: NO_SUBSCRIBER.includes(type)
      ? z.null().describe('null if it concerns no subscriber')
      : id('subscriber of the operation'),
    packageId:
      NO_SUBSCRIBER.includes(type) || BOTH.includes(type)
        ? id('package of the operation')
        : z.null().describe('null if it concerns no package'),
    createdAt: text('time of the operation, ISO 8601 in UTC with milliseconds'),
    updatedAt: text('same as createdAt: operations never change'),
    payload: OPERATION_PAYLOADS[type].describe('details of the operation'),
  });

/** One record of the operations log. */
export const operationSchema = z.union(OPERATION_TYPES.map(operationOf));
/** Operation of any type. The type of its payload is not linked to `type`, because the compiler cannot follow this link. */
export type Operation = Readonly<
  Record<'operationId' | 'portalId' | 'createdAt' | 'updatedAt', string> &
    Record<'subscriberId' | 'packageId', string | null> & {
      type: OperationType;
      payload: Readonly<Record<string, string | number | boolean | null | readonly string[]>>;
    }
>;
/** Payload of an operation type. */
export type OperationPayload<Type extends OperationType = OperationType> = z.infer<(typeof OPERATION_PAYLOADS)[Type]>;

/** Answer of `GET /operations`. */
export const operationListSchema = z.object({
  operations: z.array(operationSchema).describe('operations in the order of recording'),
  next: textOrNull('cursor of the next page; null on the last page'),
});
