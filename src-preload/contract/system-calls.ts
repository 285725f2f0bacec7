import { alarmObjectSchema } from './api/alarm-object.ts';
import { FAULT_WORDS, type AlarmFault } from './api/alarm-words.ts';
import { z } from 'zod';

const percent = z.number().min(0).max(100);
const count = z.number().int().min(0);
const usedOf = (what: string) =>
  z
    .object({ open: count.describe('at the moment'), limit: count.describe('the most that there may be') })
    .describe(what);

/** State of a disk of the archive. */
const systemDiskSchema = z.object({
  storage: z.string().nullable().describe('null for folders that streams name themselves'),
  folder: z.string().describe('of this machine, or the path of the configuration where it is none'),
  is_written: z.boolean().describe('whether recordings go to it'),
  total_bytes: count.nullable().describe('of the whole disk; null while it cannot be measured'),
  free_bytes: count.nullable(),
  archive_bytes: count.describe('what of archives lies on it'),
  waiting_bytes: count.describe('what waits to be written'),
  written_bytes_per_second: z.number().min(0).describe('of the last ten seconds'),
  slowest_write_ms: z.number().min(0).describe('of the last minute or two'),
  fault: z
    .object({ code: z.string().describe('of the system, or of the catalogue of errors'), message: z.string() })
    .nullable()
    .describe('why nothing can be written to it; null where it can'),
});

/** Hardware and software of the server, and their present load. */
export const systemStateSchema = z.object({
  versions: z
    .array(z.object({ name: z.string(), version: z.string() }))
    .describe('of Airdesk, which is the first, and of what it runs on'),
  platform: z.string().describe('operating system and processor'),
  pid: z.number().int().describe('of the process'),
  started_at: z.number().int().describe('epoch milliseconds'),
  machine: z.object({
    cores: count,
    cpu_percent: percent.describe('all programs together'),
    memory_bytes: count.describe('of the machine'),
    memory_percent: percent.describe('all programs together'),
  }),
  process: z.object({
    memory_bytes: count.describe('in the memory of the machine'),
    server_thread_percent: percent.describe('how busy the thread is that serves viewers and APIs'),
    threads: z
      .array(z.object({ index: count, load_percent: z.number().min(0).describe('of one core'), publishers: count }))
      .describe('threads that take media in'),
  }),
  traffic: z.object({
    streams: count,
    online_streams: count,
    viewers: count,
    input_kbit: z.number().min(0).describe('kilobits in a second'),
    output_kbit: z.number().min(0).describe('kilobits in a second'),
  }),
  listeners: z.array(
    z.object({
      protocol: z.enum(['http', 'https', 'rtmp', 'rtmps']),
      host: z.string().nullable().describe('null: all addresses of the machine'),
      port: z.number().int(),
    }),
  ),
  limits: z.object({
    http: usedOf('connections by HTTP'),
    rtmp: usedOf('connections by RTMP'),
    files: usedOf('files and connections of the process').nullable().describe('null where the system does not say'),
  }),
  quarantined_inputs: count.describe('inputs that are kept away, because a thread died at them'),
  disks: z.array(systemDiskSchema),
  alerts: z
    .array(
      z.object({
        about: z.string(),
        message: z.string(),
        ...alarmObjectSchema.pick({ facts: true }).shape,
        fault: z.enum(Object.keys(FAULT_WORDS) as [AlarmFault, ...AlarmFault[]]),
      }),
    )
    .describe('what needs an operator'),
});
/** Hardware, software and load of the server. */
export type SystemState = z.infer<typeof systemStateSchema>;

/** Bridge calls for the server itself. */
export const SYSTEM_CALLS = {
  'system.state': { input: z.object({}), output: systemStateSchema, isWrite: false },
  'system.diagnostics': {
    input: z.object({}),
    output: z.object({
      text: z
        .string()
        .describe(
          'what is needed to find a fault, as JSON: state, first streams, newest events, alarms, sinks and the configuration, without secrets',
        ),
    }),
    isWrite: false,
  },
  'system.confirm_keys': {
    input: z.object({}).describe('confirms new keys in place of those whose files are lost'),
    output: z.object({}),
    isWrite: true,
  },
} as const;
