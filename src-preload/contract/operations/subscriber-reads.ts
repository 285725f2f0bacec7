import { z } from 'zod';
import { logReportSchema } from '../api/subscribers/log-report.ts';
import { ANY_ID_PATTERN, operationSchema, type Operation } from '../api/subscribers/operation-object.ts';
import { operationExportSchema } from '../api/subscribers/operation-export-objects.ts';
import {
  packageListSchema,
  packageSchema,
  subscriberListSchema,
  subscriptionListSchema,
} from '../api/subscribers/subscriber-objects.ts';
import type { OperationTable } from './operation.ts';

const READ = { access: 'edit', about: 'server', isWrite: false } as const;
const inPortal = z.object({ portalId: z.string().describe('id of the portal') });
/** Input of a list that is read page by page. */
const paged = inPortal.extend({ afterId: z.string().optional(), limit: z.number().int() });
const filterId = z.string().regex(ANY_ID_PATTERN, 'must be an id').optional();
const packageId = filterId.describe('only of this package');
// The compiler cannot follow the link between the type and the payload of an operation.
const operation = operationSchema as unknown as z.ZodType<Operation>;

/** Reads of a portal and its contents whose form over HTTP differs from the form of the desk. */
export const SUBSCRIBER_READS = {
  'subscribers.page': {
    ...READ,
    input: paged.extend({
      phoneCountryCode: z.string().optional().describe('only of this country; requires phone'),
      phone: z.string().optional().describe('only with this number'),
      packageId: filterId.describe('only with this package'),
    }),
    output: subscriberListSchema,
    http: {
      id: 'subscribers_list',
      at: 'GET /subscribers',
      key: 'read',
      summary: 'Subscribers of the portal',
      answer: 'A page of the subscribers',
      isPaged: true,
    },
  },
  'packages.page': {
    ...READ,
    input: paged,
    output: packageListSchema,
    http: {
      id: 'packages_list',
      at: 'GET /packages',
      key: 'read',
      summary: 'Packages of the portal',
      answer: 'A page of the packages',
      isPaged: true,
    },
  },
  'packages.get': {
    ...READ,
    input: inPortal.extend({ packageId: z.string().describe('id of the package') }),
    output: packageSchema,
    http: {
      id: 'package_get',
      at: 'GET /packages/{packageId}',
      key: 'read',
      summary: 'One package',
      answer: 'The package',
    },
  },
  'subscriptions.page': {
    ...READ,
    input: paged.extend({ subscriberId: filterId.describe('only of this subscriber'), packageId }),
    output: subscriptionListSchema,
    http: {
      id: 'subscriptions_list',
      at: 'GET /subscriptions',
      key: 'read',
      summary: 'Packages that are attached to subscribers',
      answer: 'A page of the subscriptions',
      isPaged: true,
    },
  },
  'operations.get': {
    ...READ,
    input: inPortal.extend({ operationId: z.string().describe('id of the operation; a `/` needs no encoding') }),
    output: operation,
    http: {
      id: 'operation_get',
      at: 'GET /operations/{+operationId}',
      key: 'operations',
      summary: 'One operation',
      answer: 'The operation',
    },
  },
  'portals.get_export': {
    ...READ,
    input: inPortal.extend({ exportId: z.string().describe('id of the export') }),
    output: operationExportSchema,
    http: {
      id: 'operation_export_get',
      at: 'GET /exports/{exportId}',
      key: 'operations',
      summary: 'One export with its progress',
      answer: 'The export',
    },
  },
  'portals.verify_log': {
    ...READ,
    input: inPortal,
    output: logReportSchema,
    http: {
      id: 'log_verify',
      at: 'GET /log/verify',
      key: 'operations',
      summary: 'Verifies the complete log of the portal against its signed digests',
      description:
        'Reports changed, removed, inserted and reordered records. Records after the last digest are only verified by the hash chain.',
      answer: 'The result',
      errors: [409],
    },
  },
  'portals.log_key': {
    ...READ,
    input: inPortal,
    output: z.string(),
    http: {
      id: 'log_public_key',
      at: 'GET /log/public-key',
      key: 'operations',
      summary: 'The key that verifies digests: Ed25519, PEM',
      answer: 'The key',
      type: 'application/x-pem-file',
    },
  },
} as const satisfies OperationTable;
