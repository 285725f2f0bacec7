import { z } from 'zod';
import { READ_ONLY, recordingSchema } from './api-parts.ts';

/** Another server of the cluster. */
export const peerObjectSchema = z.object({
  hostname: z.string().meta(READ_ONLY),
  cluster_key: z.string().optional().describe('shown as a mask'),
  api_url: z.string().optional(),
  public_payload_url: z.string().optional(),
  private_payload_url: z.string().optional(),
  fetch_timeout: z.number().optional().describe('seconds'),
  stale_timeout: z.number().optional().describe('seconds'),
  channel_limit: z.number().int().optional(),
  cpu_limit: z.number().int().optional().describe('percent'),
  stats: z.null().meta({ ...READ_ONLY, description: 'what the peer says of itself; null in this version' }),
});

/** A server whose streams are offered here too. */
export const sourceObjectSchema = z.object({
  url: z.string().meta(READ_ONLY),
  cluster_key: z.string().optional().describe('shown as a mask'),
  only: z.array(z.string()).optional(),
  except: z.array(z.string()).optional(),
  dvr: recordingSchema.optional(),
  cache: z.string().optional(),
  stats: z.null().meta({ ...READ_ONLY, description: 'null in this version' }),
});

/** The gateway through which agents at cameras connect. */
export const rproxyObjectSchema = z.object({
  streampoint_key: z.string().optional().describe('shown as a mask'),
  endpoint_auth: z.string().optional(),
  forward_ports: z
    .array(z.string())
    .describe('pairs such as 2001=80: a port of this server and the one of the agent that it leads to'),
  stats: z.null().meta({ ...READ_ONLY, description: 'its agents; null in this version' }),
});
