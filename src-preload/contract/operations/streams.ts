import { z } from 'zod';
import { spliceInsertedSchema, spliceInsertSchema } from '../api/ad-objects.ts';
import { streamNameSchema } from '../api/streams.ts';
import type { OperationTable } from './operation.ts';

const ACTION = { access: 'operate', about: 'stream', isWrite: true } as const;
const name = streamNameSchema.describe('name of the object, percent-encoded');

/** Actions on running streams. */
export const STREAM_OPERATIONS = {
  'streams.restart': {
    ...ACTION,
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
  'ads.splice_insert': {
    ...ACTION,
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
