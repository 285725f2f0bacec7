import { z } from 'zod';
import { READ_ONLY, recordingSchema } from './api-parts.ts';

/** Another server of the cluster. */
export const peerObjectSchema = z.object({
  hostname: z.string().meta(READ_ONLY).describe('host name of the peer; it is its key'),
  cluster_key: z.string().optional().describe('the secret that both servers share; shown as a mask'),
  api_url: z.string().optional().describe('address of its API'),
  public_payload_url: z.string().optional().describe('address that viewers are sent to'),
  private_payload_url: z.string().optional().describe('address that this server takes streams from'),
  fetch_timeout: z.number().optional().describe('how long its answer may take, in seconds'),
  stale_timeout: z.number().optional().describe('how long its last answer counts, in seconds'),
  channel_limit: z.number().int().optional().describe('how many streams it may carry; no limit without it'),
  cpu_limit: z.number().int().optional().describe('load above which it is sent nothing more, in percent'),
  stats: z.null().meta({ ...READ_ONLY, description: 'what the peer says of itself; null in this version' }),
});

/** A server whose streams are also available here. */
export const sourceObjectSchema = z.object({
  url: z.string().meta(READ_ONLY).describe('address of the server; it is its key'),
  cluster_key: z.string().optional().describe('the secret that both servers share; shown as a mask'),
  only: z.array(z.string()).optional().describe('names of the streams that are taken; all without it'),
  except: z.array(z.string()).optional().describe('names of streams that are left out'),
  dvr: recordingSchema.optional().describe('how what is taken is recorded'),
  cache: z.string().optional().describe('name of the cache for what is taken'),
  stats: z.null().meta({ ...READ_ONLY, description: 'null in this version' }),
});

/** The gateway through which agents at cameras connect. */
export const rproxyObjectSchema = z.object({
  streampoint_key: z.string().optional().describe('the secret that agents connect with; shown as a mask'),
  endpoint_auth: z.string().optional().describe('address of the backend that decides about agents'),
  forward_ports: z
    .array(z.string())
    .describe('pairs such as 2001=80: a port of this server and the one of the agent that it leads to'),
  stats: z.null().meta({ ...READ_ONLY, description: 'its agents; null in this version' }),
});
