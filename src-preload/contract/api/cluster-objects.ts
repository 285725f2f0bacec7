import { z } from 'zod';
import { READ_ONLY, optionalInteger, optionalNumber, optionalText, recordingSchema } from './api-parts.ts';

/** Another server of the cluster. */
export const peerObjectSchema = z.object({
  hostname: z.string().meta(READ_ONLY).describe('host name of the peer, its key'),
  cluster_key: optionalText('shared secret of both servers; masked'),
  api_url: optionalText('URL of its API'),
  public_payload_url: optionalText('URL to which viewers are redirected'),
  private_payload_url: optionalText('URL from which this server pulls streams'),
  fetch_timeout: optionalNumber('timeout of a request, in seconds'),
  stale_timeout: optionalNumber('validity of its last answer, in seconds'),
  channel_limit: optionalInteger('maximum number of streams; default: no limit'),
  cpu_limit: optionalInteger('load in percent above which it gets no more requests'),
  stats: z.null().meta({ ...READ_ONLY, description: 'state reported by the peer; null in this version' }),
});

/** A server whose streams are also available here. */
export const sourceObjectSchema = z.object({
  url: z.string().meta(READ_ONLY).describe('URL of the server, its key'),
  cluster_key: optionalText('shared secret of both servers; masked'),
  only: z.array(z.string()).optional().describe('names of the streams to take; default: all'),
  except: z.array(z.string()).optional().describe('names of the streams to leave out'),
  dvr: recordingSchema.optional().describe('recording of the streams taken from it'),
  cache: optionalText('name of the cache for the streams taken from it'),
  stats: z.null().meta({ ...READ_ONLY, description: 'null in this version' }),
});

/** The gateway through which agents at cameras connect. */
export const rproxyObjectSchema = z.object({
  streampoint_key: optionalText('secret of the agents; masked'),
  endpoint_auth: optionalText('URL of the backend that authorizes agents'),
  forward_ports: z
    .array(z.string())
    .describe('pairs such as 2001=80: a port of this server and the port of the agent to which it is forwarded'),
  stats: z.null().meta({ ...READ_ONLY, description: 'its agents; null in this version' }),
});
