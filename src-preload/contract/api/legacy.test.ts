import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import {
  legacyClusterServerSchema,
  legacyDvrBlockSchema,
  legacyDvrDeleteSchema,
  legacyFileSchema,
  legacyMediaSchema,
  legacyOptionsSchema,
  legacyPlaylistSchema,
  legacyServerSchema,
  legacySessionSchema,
  legacyStatsSchema,
  legacyVodEntrySchema,
} from './legacy.ts';

const SWITCHES =
  'add_audio_only dash_off dvr_protected hds_off hls_off m4f_off m4s_off mpegts_off pulse_off rtmp_off rtsp_off webrtc_off';

/** Fields of each object, as listed in the specification. */
const SPECIFIED: readonly (readonly [
  name: string,
  schema: { readonly shape: Readonly<Record<string, z.ZodType>> },
  fields: string,
])[] = [
  [
    'server',
    legacyServerSchema,
    'version hostname uptime total_clients total_streams online_streams input_kbit output_kbit',
  ],
  ['media', legacyMediaSchema, 'entry value'],
  ['value of media', legacyMediaSchema.shape.value, 'name urls stats options'],
  ['address of media', legacyMediaSchema.shape.value.shape.urls.element, 'value options'],
  [
    'stats of media',
    legacyStatsSchema,
    'alive bitrate bufferings client_count dash hds hls input_error_rate last_access_at media_info out_bandwidth push_stats remote retry_count running start_running_at ts_delay url',
  ],
  ['options of media', legacyOptionsSchema, `static retry_limit clients_timeout source_timeout pushes ${SWITCHES}`],
  ['open file', legacyFileSchema, 'name worker_count client_count url bytes_out bytes_in prefix'],
  ['session', legacySessionSchema, 'id session_id ip name created_at duration type bytes_sent country'],
  ['playlist', legacyPlaylistSchema, 'current_entry current_type duration position'],
  ['block of an archive', legacyDvrBlockSchema, 'timestamp path bitrate segments'],
  ['segment of an archive', legacyDvrBlockSchema.shape.segments.element, 'second utc duration size bitrate jpeg'],
  // The note is only in the event and is not part of the specification.
  ['range to delete', legacyDvrDeleteSchema.omit({ note: true }), 'stream from duration'],
  ['file of a folder', legacyVodEntrySchema, 'name type prefix'],
  [
    'server of the cluster',
    legacyClusterServerSchema,
    'client_count config2 cpu_usage fetch_delay id is_peer is_source key memory_usage output_bitrate persistent ports stream_count uptime version',
  ],
];

describe('the legacy API', () => {
  it.each(SPECIFIED)('has exactly the specified fields of %s', (_name, schema, fields) => {
    expect(Object.keys(schema.shape).sort()).toEqual(fields.split(' ').sort());
  });
});
