import { z } from 'zod';
import { adExplanationSchema, spliceInsertedSchema, spliceInsertSchema } from '../api/ad-objects.ts';
import { reads, streamInPath, writes, type OperationTable } from './operation.ts';

const name = streamInPath;

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
