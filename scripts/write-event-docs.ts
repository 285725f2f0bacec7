import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { EVENT_GROUPS } from '../src-preload/contract/events/catalogue.ts';
import { COMMON_EVENT_FIELDS, type EventEntry } from '../src-preload/contract/events/event-entry.ts';
import { linkPages, wrapMarkdown } from './wrap-markdown.ts';

/** Path of the reference. */
export const EVENT_DOCS_FILE = fileURLToPath(new URL('../docs/reference/events.md', import.meta.url));

const INTRODUCTION = `# Events

An event is a JSON object with the common fields below and those of its kind. Events go to the sinks of the configuration, and the desk shows the
newest ones. \`scripts/write-event-docs.ts\` writes this page from the catalogue of the server.

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

- **HTTP** (\`http://\`, \`https://\`): a POST with a JSON array of up to 100 events, in order, one request after the other. An answer of 2xx within
  15 seconds confirms all of them. Redirects are not followed. The address may contain a login and password.
- **Files** (\`log://\`, \`jsonlog://\`): one line for each event, as text or JSON. \`max_size\` and \`max_depth\` rotate the files.
- **At least once**: an event stays in the queue of its sink until it is confirmed, over outages, restarts and \`kill -9\`. After a crash or a lost answer,
  events may come again: recognise them by their \`event_id\`. Two servers have different \`server\` names.
- **Retries**: the first after a second, further ones after longer pauses of up to a minute; with \`resend_timeout\`, always after that time. \`Retry-After\` is honoured up to an hour. 413 halves
  the next request. An answer of 410 switches the sink off until its settings change or the server starts again; its events wait.
- **Limits**: a queue holds 256 MB on disk, or \`resend_limit\` events once deliveries fail. The oldest events beyond that go to \`dead-letters.jsonl\` in
  \`events/<sink>/\` of the data folder (two files of 8 MiB, of which the older one is replaced), and are counted.
- **Bursts**: events that come faster than the disk can store them wait in memory, up to 20 000. More are dropped, counted and reported as \`events_dropped\`. A process that is
  killed may lose its last milliseconds, a power failure the last second.
- **Signatures**: with a \`secret\`, requests carry \`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\` of Standard Webhooks 1.0.0 over the whole body.
  Any of its libraries verifies them. A repeated request has the same \`webhook-id\`.
- **Changes of the configuration** affect only the sinks concerned. A sink with new settings keeps its queue. The queue of a removed sink is kept for 7 days.

\`GET /event_sinks/{name}\` and the call \`events.sinks\` show the state of each sink: backlog, last error, delivered, dropped.

## Filters

\`only\` and \`except\` take conditions \`field=value\`. All conditions of one directive must match, each with one of its values (\`event=stream_*,play_opened\`). Of
several directives, one must match. \`*\` matches anything. \`except\` takes precedence over \`only\`. A field that is missing or null matches nothing. \`level\` sets
the lowest level.

## Common fields

[Errors](errors.md) explains the values of fields named \`code\`.
`;

/** The reference of all events, as Markdown. */
export function eventDocs(): string {
  const groups = EVENT_GROUPS.map(({ title, entries }) =>
    [`## ${title}`, ...Object.entries<EventEntry>(entries).map(([kind, entry]) => printEvent(kind, entry))].join(
      '\n\n',
    ),
  );
  const page = `${[INTRODUCTION, printFields({ event: z.string().describe('kind of the event'), ...COMMON_EVENT_FIELDS }), ...groups].join('\n\n').replace(/\n{3,}/g, '\n\n')}\n`;
  return wrapMarkdown(linkPages(page));
}

function printEvent(kind: string, entry: EventEntry): string {
  const facts = [`Level: ${entry.level}.`];
  if (entry.aliases) facts.push(`Also matches filters for ${entry.aliases.map((alias) => `\`${alias}\``).join(', ')}.`);
  if (entry.isPlanned) facts.push('**Planned**: this version does not emit it.');
  return [`### ${kind}`, entry.doc, facts.join(' '), printFields(entry.fields)].join('\n\n');
}

function printFields(fields: z.ZodRawShape): string {
  const rows = Object.entries(fields).map(([name, schema]) => {
    // Raw shapes have a wider type, but all fields are schemas of zod 4.
    const field = schema as z.ZodType;
    return `| \`${name}\` | ${typeOf(field)} | ${field.description ?? ''} |`;
  });
  return ['| field | type | meaning |', '|---|---|---|', ...rows].join('\n');
}

function typeOf(schema: z.ZodType): string {
  if (schema instanceof z.ZodOptional) return typeOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodNullable) {
    const inner = schema.unwrap() as z.ZodType;
    return inner instanceof z.ZodNullable ? typeOf(inner) : `${typeOf(inner)} or null`;
  }
  if (schema instanceof z.ZodUnion) return schema.options.map((option) => typeOf(option as z.ZodType)).join(', ');
  if (schema instanceof z.ZodLiteral) return [...schema.values].map((value) => `\`${String(value)}\``).join(', ');
  if (schema instanceof z.ZodEnum) return schema.options.map((option) => `\`${option}\``).join(', ');
  if (schema instanceof z.ZodNumber) return schema.format === 'safeint' ? 'integer' : 'number';
  if (schema instanceof z.ZodRecord || schema instanceof z.ZodObject) return 'object';
  return schema instanceof z.ZodBoolean ? 'boolean' : 'text';
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(EVENT_DOCS_FILE, eventDocs());
