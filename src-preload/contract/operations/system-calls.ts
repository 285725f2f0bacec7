import { alarmObjectSchema } from '../api/alarm-object.ts';
import { FAULT_TEXTS, type AlarmFault } from '../api/alarm-faults.ts';
import { explanationSchema } from '../explanations/explanation-schema.ts';
import { z } from 'zod';
import { reads, writes, type OperationTable } from './operation.ts';
import { flag, integer, text, textOrNull } from '../api/api-parts.ts';

const percent = z.number().min(0).max(100);
const count = z.number().int().min(0);
const usedOf = (what: string) =>
  z.object({ open: count.describe('current number'), limit: count.describe('limit') }).describe(what);

/** State of a disk of the archive. */
const systemDiskSchema = z.object({
  storage: textOrNull('null for folders that streams configure themselves'),
  folder: text('absolute path, or the path of the configuration if it does not exist'),
  is_written: flag('whether recordings are written to it'),
  total_bytes: count.nullable().describe('size of the whole disk; null while unknown'),
  free_bytes: count.nullable(),
  archive_bytes: count.describe('archives on the disk'),
  waiting_bytes: count.describe('data waiting to be written'),
  written_bytes_per_second: z.number().min(0).describe('mean of the last ten seconds'),
  slowest_write_ms: z.number().min(0).describe('maximum of the last minute or two'),
  fault: z
    .object({
      code: text('error code of the system or of the catalogue'),
      message: z.string(),
      explanation: explanationSchema.nullable(),
    })
    .nullable()
    .describe('reason why nothing can be written; null if writing works'),
});

/** Hardware and software of the server, and their present load. */
export const systemStateSchema = z.object({
  versions: z.array(z.object({ name: z.string(), version: z.string() })).describe('Airdesk first, then its components'),
  platform: text('operating system and processor'),
  pid: integer('process id'),
  started_at: integer('epoch milliseconds'),
  machine: z.object({
    cores: count,
    cpu_percent: percent.describe('all programs together'),
    memory_bytes: count.describe('installed memory'),
    memory_percent: percent.describe('all programs together'),
  }),
  process: z.object({
    memory_bytes: count.describe('resident memory'),
    server_thread_percent: percent.describe('load of the thread that serves viewers and APIs'),
    threads: z
      .array(
        z.object({ index: count, load_percent: z.number().min(0).describe('percent of one core'), publishers: count }),
      )
      .describe('threads of inputs'),
  }),
  traffic: z.object({
    streams: count,
    online_streams: count,
    viewers: count,
    input_kbit: z.number().min(0).describe('kbit/s received'),
    output_kbit: z.number().min(0).describe('kbit/s sent'),
  }),
  listeners: z.array(
    z.object({
      protocol: z.enum(['http', 'https', 'rtmp', 'rtmps']),
      host: textOrNull('null: all addresses of the machine'),
      port: z.number().int(),
    }),
  ),
  limits: z.object({
    http: usedOf('connections by HTTP'),
    rtmp: usedOf('connections by RTMP'),
    files: usedOf('files and connections of the process').nullable().describe('null if the system does not report it'),
  }),
  quarantined_inputs: count.describe('inputs in quarantine, because they crashed a thread'),
  disks: z.array(systemDiskSchema),
  alerts: z
    .array(
      z.object({
        about: z.string(),
        message: z.string(),
        ...alarmObjectSchema.pick({ facts: true }).shape,
        fault: z.enum(Object.keys(FAULT_TEXTS) as [AlarmFault, ...AlarmFault[]]),
      }),
    )
    .describe('condition that needs an operator'),
});
/** Hardware, software and load of the server. */
export type SystemState = z.infer<typeof systemStateSchema>;

/** Bridge calls for the server itself. */
export const SYSTEM_CALLS = {
  'system.state': { ...reads('view', 'server'), input: z.object({}), output: systemStateSchema },
  'system.diagnostics': {
    ...reads('edit', 'server'),
    input: z.object({}),
    output: z.object({
      text: text(
        'diagnostics as JSON: state, first streams, newest events, alarms, sinks and the configuration, without secrets',
      ),
    }),
  },
  'system.confirm_keys': {
    ...writes('edit', 'server'),
    sameAs: ['native_keys_hold_end'],
    input: z.object({}).describe('accepts new keys in place of lost key files'),
    output: z.object({}),
  },
} as const satisfies OperationTable;
