import { z } from 'zod';
import { asRunObjectSchema } from '../api/as-run/as-run-object.ts';
import { integer, integerOrNull, optionalInteger } from '../api/api-parts.ts';
import { adExplanationSchema, spliceInsertedSchema, spliceInsertSchema } from '../api/ad-objects.ts';
import { newPushSchema, pushChangedSchema, pushChangeSchema, pushStateSchema } from '../api/push-object.ts';
import { signedAddressRequestSchema, signedAddressSchema } from '../api/signed-address.ts';
import { inputProbeSchema } from '../api/input-probe.ts';
import { queryInteger, reads, streamInPath, writes, type OperationTable } from './operation.ts';

const name = streamInPath;
const pushId = z.string().min(1).max(64).describe('id of the push, from the list of pushes');
const version = integerOrNull('number of the new version of the configuration; null if nothing changed');

/** Actions on streams over HTTP. The desk has calls of its own for them. */
export const STREAM_ACTIONS = {
  'streams.select_index': {
    ...writes('operate', 'stream'),
    input: z.object({ name, index: queryInteger(0).describe('index of the input in the stream, from 0') }),
    output: z.object({}),
    http: {
      id: 'stream_input_select',
      at: 'POST /streams/{name}/inputs/{index}/select',
      summary: 'Puts an input of a stream on air',
      description:
        'Inputs are numbered from 0. The chosen input stays preferred until another one is chosen or the stream is restarted.',
      answer: 'Done',
    },
  },
  'streams.sign': {
    ...writes('edit', 'stream'),
    input: signedAddressRequestSchema.extend({ name }),
    output: signedAddressSchema,
    http: {
      id: 'stream_sign',
      at: 'POST /streams/{name}/signed_address',
      summary: 'Creates a signed address of a stream, for playing or publishing',
      description:
        'Signed with the newest `play_key` or `publish_key` of the stream. The stream need not be published yet if it is under a live prefix.',
      answer: 'The address',
      answerSchema: 'signed_address',
      bodySchema: 'signed_address_request',
    },
  },
} as const satisfies OperationTable;

const probeFields = {
  seconds: z
    .number()
    .int()
    .min(1)
    .max(30)
    .optional()
    .describe('time for connecting and measuring, in seconds; default 10'),
  id: z.string().min(1).max(64).optional().describe('id of the caller’s choice, with which the probe can be cancelled'),
};

/** Actions on running streams, and the advertisements of their viewers. */
export const STREAM_OPERATIONS = {
  'streams.restart': {
    ...writes('operate', 'stream'),
    sameAs: ['legacy_stream_restart'],
    input: z.object({ name }),
    output: z.object({}),
    http: {
      id: 'stream_stop',
      at: 'POST /streams/{name}/stop',
      summary: 'Closes a stream; a static one is opened again at once',
      answer: 'Done',
    },
  },
  'streams.pushes': {
    ...reads('view', 'stream'),
    input: z.object({ name }),
    output: z.object({
      pushes: z.array(pushStateSchema).describe('in the order of the configuration; empty without pushes'),
    }),
    http: {
      id: 'stream_pushes_list',
      at: 'GET /streams/{name}/pushes',
      summary: 'Lists the servers that a stream is sent to, with their states',
      description:
        'Keys of the targets are masked. A push is identified by its id, so that two callers who change the list at the same time never change another push.',
      answer: 'The pushes',
      errors: [404],
    },
  },
  'streams.add_push': {
    ...writes('edit', 'stream'),
    input: newPushSchema({ name }),
    output: pushChangedSchema,
    http: {
      id: 'stream_push_create',
      at: 'POST /streams/{name}/pushes',
      summary: 'Sends a stream to another server',
      description:
        'The push starts at once. The stream and its other pushes continue without an interruption. A stream that an encoder publishes under a live prefix is added to the configuration.',
      status: 201,
      answer: 'The push was added',
      answerSchema: 'push_changed',
      location: '/streams/{name}/pushes/{id}',
      errors: [404, 409],
      isIdempotent: true,
      example: { url: 'rtmps://a.rtmps.youtube.com/live2/KEY', retry_timeout: 5 },
    },
  },
  'streams.change_push': {
    ...writes('edit', 'stream'),
    input: pushChangeSchema({ name, id: pushId }),
    output: pushChangedSchema,
    http: {
      id: 'stream_push_save',
      at: 'PUT /streams/{name}/pushes/{id}',
      summary: 'Changes a push of a stream, or switches it on or off',
      description:
        'Fields that are absent stay, and null restores a default. Another address or other tracks start a new push with another id; other changes do not interrupt it.',
      answer: 'The push was changed',
      answerSchema: 'push_changed',
      errors: [404, 409],
      example: { disabled: true },
    },
  },
  'streams.switch_pushes': {
    ...writes('edit', 'stream'),
    sameAs: ['stream_push_save'],
    input: z.object({
      name,
      ids: z.array(pushId).min(1).max(1000).describe('ids of the pushes, which are changed together or not at all'),
      is_disabled: z.boolean(),
    }),
    output: z.object({ version }),
  },
  'streams.remove_push': {
    ...writes('edit', 'stream'),
    input: z.object({ name, id: pushId }),
    output: z.object({ version }),
    http: {
      id: 'stream_push_delete',
      at: 'DELETE /streams/{name}/pushes/{id}',
      summary: 'Ends a push of a stream, and removes it',
      answer: 'The push was removed',
      errors: [404, 409],
    },
  },
  'streams.probe_address': {
    ...writes('edit', 'visible'),
    input: z.object({
      input_url: z.string().min(1).max(2000).describe('address of the input'),
      options: z.record(z.string().max(100), z.string().max(4096)).optional().describe('options of the input'),
      name: streamInPath
        .optional()
        .describe('stream with this input, from which masked secrets of the address are taken'),
      ...probeFields,
    }),
    output: inputProbeSchema,
    http: {
      id: 'input_probe',
      at: 'POST /inputs/probe',
      summary: 'Opens an address for some seconds, and describes what it carries',
      description:
        'The address is checked and read like the input of a stream, on a thread of its own. The probe ends as soon as tracks and picture are known, at the latest after `seconds`, and when the caller closes the connection.',
      answer: 'The content of the address',
      answerSchema: 'input_probe',
      errors: [409, 502, 504],
      example: { input_url: 'rtsp://192.0.2.9/main' },
    },
  },
  'streams.probe_input': {
    ...writes('operate', 'stream'),
    input: z.object({ name, index: queryInteger(0, 999_999).describe('number of the input, from 0'), ...probeFields }),
    output: inputProbeSchema,
    http: {
      id: 'stream_input_probe',
      at: 'POST /streams/{name}/inputs/{index}/probe',
      summary: 'Shows what an input of a stream carries',
      description:
        'For the input on air, the answer describes what the stream receives; any other input is opened like an address of `input_probe`. The input that is on air stays on air.',
      answer: 'The content of the input',
      answerSchema: 'input_probe',
      isBodyOptional: true,
      errors: [404, 409, 502, 504],
    },
  },
  'streams.cancel_probe': {
    ...reads('operate', 'visible'),
    input: z.object({ id: z.string().min(1).max(64) }),
    output: z.object({}),
  },
  'ads.explain': {
    ...reads('view', 'stream'),
    input: z.object({
      name,
      session: z
        .string()
        .refine((id) => id !== '', 'must name a session')
        .describe('id of the viewer’s session'),
    }),
    output: adExplanationSchema,
    http: {
      id: 'stream_ads_explain',
      at: 'GET /streams/{name}/ads/explain',
      summary: 'Explains the advertisements of a viewer',
      description:
        'The answer of the authorization backend, whether each clip can be inserted into the stream, the content of the viewer’s window, and the skipped clips and breaks with the reasons.',
      answer: 'The explanation',
      answerSchema: 'ad_explanation',
      errors: [404],
    },
  },
  'ads.as_run': {
    ...reads('operate', 'visible'),
    sameAs: ['as_run_list'],
    input: z.object({
      limit: z.number().int().min(1).max(500),
      before: z
        .object({ sent_at: z.number().int(), id: z.string().max(200) })
        .optional()
        .describe('only rows before this row'),
      from: optionalInteger('only sent at or after this time, epoch milliseconds'),
      to: optionalInteger('only sent before this time, epoch milliseconds'),
      stream: z.string().max(200).optional().describe('only of this stream'),
      path: z.string().max(1000).optional().describe('only clips whose path starts with this text'),
      session_id: z.string().max(200).optional().describe('only sessions whose id starts with this text'),
      user_id: z.string().max(200).optional().describe('only users whose id starts with this text'),
    }),
    output: z.object({
      rows: z.array(asRunObjectSchema).describe('newest first'),
      count: integer('number of matching rows, counted up to 100 000'),
    }),
  },
  'ads.splice_insert': {
    ...writes('operate', 'stream'),
    input: spliceInsertSchema.extend({ name }),
    output: spliceInsertedSchema,
    http: {
      id: 'stream_splice_insert',
      at: 'POST /streams/{name}/ads/splice_insert',
      summary: 'Marks a splice point in a stream: starts, ends or cancels a break',
      description:
        'Viewers whose clips are inserted by splice points get their break, and playlists, manifests and transport streams have the mark (SCTE-35), as if it had come with the input.',
      status: 202,
      answer: 'The splice point is accepted',
      answerSchema: 'splice_inserted',
      bodySchema: 'splice_insert',
      isBodyOptional: true,
      errors: [404, 409],
    },
  },
} as const satisfies OperationTable;
