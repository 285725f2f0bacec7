import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import {
  olderClusterServerSchema,
  olderDvrBlockSchema,
  olderDvrDeleteSchema,
  olderFileSchema,
  olderMediaSchema,
  olderOptionsSchema,
  olderPlaylistSchema,
  olderServerSchema,
  olderSessionSchema,
  olderStatsSchema,
  olderVodEntrySchema,
} from './older.ts';

const SWITCHES =
  'add_audio_only dash_off dvr_protected hds_off hls_off m4f_off m4s_off mpegts_off pulse_off rtmp_off rtsp_off webrtc_off';

/** The fields of each object as the specification lists them. */
const SPECIFIED: readonly (readonly [
  name: string,
  schema: { readonly shape: Readonly<Record<string, z.ZodType>> },
  fields: string,
])[] = [
  [
    'server',
    olderServerSchema,
    'version hostname uptime total_clients total_streams online_streams input_kbit output_kbit',
  ],
  ['media', olderMediaSchema, 'entry value'],
  ['value of media', olderMediaSchema.shape.value, 'name urls stats options'],
  ['address of media', olderMediaSchema.shape.value.shape.urls.element, 'value options'],
  [
    'stats of media',
    olderStatsSchema,
    'alive bitrate bufferings client_count dash hds hls input_error_rate last_access_at media_info out_bandwidth push_stats remote retry_count running start_running_at ts_delay url',
  ],
  ['options of media', olderOptionsSchema, `static retry_limit clients_timeout source_timeout pushes ${SWITCHES}`],
  ['open file', olderFileSchema, 'name worker_count client_count url bytes_out bytes_in prefix'],
  ['session', olderSessionSchema, 'id session_id ip name created_at duration type bytes_sent country'],
  ['playlist', olderPlaylistSchema, 'current_entry current_type duration position'],
  ['block of an archive', olderDvrBlockSchema, 'timestamp path bitrate segments'],
  ['segment of an archive', olderDvrBlockSchema.shape.segments.element, 'second utc duration size bitrate jpeg'],
  ['stretch to delete', olderDvrDeleteSchema, 'stream from duration'],
  ['file of a folder', olderVodEntrySchema, 'name type prefix'],
  [
    'server of the cluster',
    olderClusterServerSchema,
    'client_count config2 cpu_usage fetch_delay id is_peer is_source key memory_usage output_bitrate persistent ports stream_count uptime version',
  ],
];

describe('the older API', () => {
  it.each(SPECIFIED)('has the fields of the %s, and no others', (_name, schema, fields) => {
    expect(Object.keys(schema.shape).sort()).toEqual(fields.split(' ').sort());
  });
});
