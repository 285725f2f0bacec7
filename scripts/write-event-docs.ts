import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { EVENT_GROUPS } from '../src-preload/contract/events/catalogue.ts';
import { COMMON_EVENT_FIELDS, type EventEntry } from '../src-preload/contract/events/event-entry.ts';
import { wrapMarkdown } from './wrap-markdown.ts';

/** Where the reference lies. */
export const EVENT_DOCS_FILE = fileURLToPath(new URL('../docs/reference/events.md', import.meta.url));

const INTRODUCTION = `# Events

Whatever happens is an event: a flat JSON object with the common fields below and those of its kind. Events go to the sinks of the configuration, and
the desk shows the newest ones. This page is written by \`scripts/write-event-docs.ts\` from the catalogue that the server itself uses.

\`\`\`
event_sink accounting {
  url https://events.example.org/airdesk;
  secret whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw;
  only event=play_*,ad_inject;
  except media=test_*;
  throttle_delay 5;
}

event_sink journal {
  url jsonlog://logs/events.jsonl;
}
\`\`\`

## Delivery

- **HTTP** (\`http://\`, \`https://\`): a POST with a JSON array of up to 100 events, in the order in which they happened, one request after the other. Any
  answer of 2xx within 15 seconds means that all of them are taken; its body is not read. Redirects are not followed. A login and password may stand in the address.
- **Files** (\`log://\`, \`jsonlog://\`): a line for each event, for people or as JSON. Files are rotated by \`max_size\` and \`max_depth\`.
- **At least once**: an event stays in the queue of its sink until it was taken, over outages, restarts and \`kill -9\`. After a crash, or an answer that got lost,
  events may come again: recognize them by their \`event_id\`. Two servers have different \`server\` names.
- **Retries**: waits grow from a second to a minute, with some chance in them, or are \`resend_timeout\` each. \`Retry-After\` is honoured up to an hour. A 413 halves what
  is sent at once. A 410 switches the sink off until its settings change or the server starts again; its events wait.
- **Limits**: a queue takes 256 MB of disk, or \`resend_limit\` events once deliveries fail. The oldest events beyond go to \`dead-letters.jsonl\` beside the queue (\`events/<sink>/\` in
  the data folder; twice 8 MiB, the oldest lines go first), and are counted. What comes faster than the disk takes it waits in memory, up to 20 000 events; beyond
  that it is dropped, counted and reported as \`events_dropped\`. A process that is killed may lose what was emitted within its last milliseconds, a power cut the last second.
- **Signatures**: with a \`secret\`, requests carry \`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\` of Standard Webhooks 1.0.0 over the whole body, so that any
  of its libraries can verify them. A request that is sent again has the same \`webhook-id\`.
- **Changes of the configuration** touch only the sinks that they concern. A sink with new settings goes on with its queue. The queue of a sink that was removed is kept for
  7 days, and goes on if the sink comes back.

How each sink does (backlog, last error, delivered, dropped …) is shown by \`GET /event_sinks/{name}\` and the call \`events.sinks\`.

## Filters

\`only\` and \`except\` take conditions \`field=value\`. All conditions of one directive must hold, each by one of its values (\`event=stream_*,play_opened\`); of several directives
one is enough. \`*\` stands for anything. \`except\` goes before \`only\`. A field that an event does not have, or that is null, fits nothing. \`level\` sets the least level.

## Common fields
`;

/** The reference of all events, as Markdown. */
export function eventDocs(): string {
  const groups = EVENT_GROUPS.map(({ title, entries }) =>
    [`## ${title}`, ...Object.entries<EventEntry>(entries).map(([kind, entry]) => printEvent(kind, entry))].join(
      '\n\n',
    ),
  );
  return wrapMarkdown(
    `${[INTRODUCTION, printFields({ event: z.string().describe('kind of the event'), ...COMMON_EVENT_FIELDS }), ...groups].join('\n\n').replace(/\n{3,}/g, '\n\n')}\n`,
  );
}

function printEvent(kind: string, entry: EventEntry): string {
  const facts = [`Level: ${entry.level}.`];
  if (entry.aliases) facts.push(`Filters know it as ${entry.aliases.map((alias) => `\`${alias}\``).join(', ')} too.`);
  if (!entry.isEmitted) facts.push('**Planned**: this version does not emit it.');
  return [`### ${kind}`, entry.doc, facts.join(' '), printFields(entry.fields)].join('\n\n');
}

function printFields(fields: z.ZodRawShape): string {
  const rows = Object.entries(fields).map(([name, schema]) => {
    // Fields are made by zod 4, whose raw shapes hide it from the type.
    const field = schema as z.ZodType;
    return `| \`${name}\` | ${typeOf(field)} | ${field.description ?? ''} |`;
  });
  return ['| field | type | what it says |', '|---|---|---|', ...rows].join('\n');
}

function typeOf(schema: z.ZodType): string {
  if (schema instanceof z.ZodNullable) return `${typeOf(schema.unwrap() as z.ZodType)} or null`;
  if (schema instanceof z.ZodEnum) return schema.options.map((option) => `\`${option}\``).join(', ');
  if (schema instanceof z.ZodNumber) return schema.format === 'safeint' ? 'integer' : 'number';
  return schema instanceof z.ZodBoolean ? 'boolean' : 'text';
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(EVENT_DOCS_FILE, eventDocs());
