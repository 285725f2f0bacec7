import { z } from 'zod';
import { flag, integer, integerOrNull, text } from '../api/api-parts.ts';
import { LINE } from '../api/plain-text.ts';
import { streamNameSchema } from '../api/streams.ts';
import { ROLES } from './roles.ts';
import type { OperationTable } from './operation.ts';

/** Maximum length of a login, in characters. */
const LOGIN_MAX = 64;
/** Maximum length of a password, in characters. */
const PASSWORD_MAX = 200;
/** Maximum number of prefixes of a person. */
const PREFIXES_MAX = 50;

const login = z.string().min(1).max(200).describe('login of the person');
const newLogin = z
  .string()
  .max(LOGIN_MAX)
  .refine(
    (given) => /^[\p{L}\p{N}][\p{L}\p{N}._@-]*$/u.test(given),
    'A login has letters, digits and . _ - @, and starts with a letter or digit',
  )
  .describe('login: letters, digits and . _ - @');
const fullName = z
  .string()
  .trim()
  .max(100)
  .refine(...LINE)
  .describe('full name; may be empty');
const role = z.enum(ROLES).describe('role, which decides what the person may do');
const prefixes = z
  .array(
    z
      .string()
      .trim()
      .overwrite((given) => given.replace(/\/+$/, ''))
      .pipe(streamNameSchema),
  )
  .max(PREFIXES_MAX)
  .overwrite((given) => [...new Set(given)])
  .describe(
    'prefixes of stream names: the person sees and controls only these streams and those below them, such as `field/van`; empty for all streams',
  );
// `password_weak` reports the reason of a refusal.
const password = z.string().max(PASSWORD_MAX).describe('password, at least 8 characters');
const nothing = z.object({});

/** Person, as administrators see it. */
const personSchema = z.object({
  login: text('login of the person'),
  full_name: text('full name; may be empty'),
  role,
  prefixes: z
    .array(z.string())
    .describe('prefixes of the names of the streams that the person sees and controls; empty for all streams'),
  is_disabled: flag('whether the person cannot log in'),
  created_at: integer('epoch milliseconds'),
  created_by: text('caller who added the person'),
  password_changed_at: integer('last change of the password, epoch milliseconds'),
  session_count: integer('number of browsers in which the person is logged in'),
});
/** Person, as administrators see it. */
export type PersonObject = z.infer<typeof personSchema>;

const deskSessionSchema = z.object({
  id: text('id of the session'),
  login: text('login that started it'),
  started_at: integerOrNull('start, epoch milliseconds; null if it is unknown'),
  used_at: integer('last use, epoch milliseconds; an open desk counts as use'),
  address: text('address of the browser at its login; may be empty'),
  agent: text('user agent of the browser at its login; may be empty'),
  is_own: flag('whether the caller uses this session'),
});
/** Session of a desk in a browser. */
export type DeskSessionObject = z.infer<typeof deskSessionSchema>;

const READ = { access: 'edit', about: 'server', isWrite: false } as const;
const WRITE = { access: 'edit', about: 'server', isWrite: true } as const;
const PERSON = '/people/{login}';

/** Operations about named logins, for administrators, and the change of one's own password. */
export const PEOPLE_OPERATIONS = {
  'people.list': {
    ...READ,
    input: nothing,
    output: z.object({ people: z.array(personSchema).describe('by login') }),
    http: {
      id: 'people_list',
      at: 'GET /people',
      summary: 'Lists named logins with their roles',
      answer: 'The people',
    },
  },
  'people.create': {
    ...WRITE,
    input: z.object({
      login: newLogin,
      full_name: fullName.default(''),
      role,
      prefixes: prefixes.optional(),
      password,
    }),
    output: personSchema,
    http: {
      id: 'person_create',
      at: 'POST /people',
      summary: 'Adds a person with a login, a role and a password',
      description:
        'A weak password is refused with `password_weak`. Without `edit_auth`, the first person must be an administrator of all streams.',
      status: 201,
      answer: 'The new person',
      answerSchema: 'person',
      errors: [409, 503],
      example: {
        login: 'anna',
        full_name: 'Anna Example',
        role: 'operator',
        prefixes: ['field'],
        password: 'a long phrase',
      },
    },
  },
  'people.update': {
    ...WRITE,
    input: z.object({
      login,
      full_name: fullName.optional(),
      role: role.optional(),
      prefixes: prefixes.optional(),
      is_disabled: z.boolean().optional().describe('true: ends all sessions, and refuses the login'),
    }),
    output: personSchema,
    http: {
      id: 'person_save',
      at: `PUT ${PERSON}`,
      summary: 'Changes name, role or streams of a person, or disables the login',
      description:
        'Fields that are not given stay unchanged. At least one login must be able to administer the server: `last_administrator`.',
      answer: 'The person',
      answerSchema: 'person',
      errors: [404, 409, 503],
    },
  },
  'people.set_password': {
    ...WRITE,
    input: z.object({ login, password }),
    output: personSchema,
    http: {
      id: 'person_password',
      at: `POST ${PERSON}/password`,
      summary: 'Sets a new password, and ends all sessions of the person',
      answer: 'The person',
      answerSchema: 'person',
      errors: [404, 503],
    },
  },
  'people.change_own_password': {
    access: 'operate',
    about: 'visible',
    isWrite: true,
    input: z.object({
      current_password: z.string().max(PASSWORD_MAX).describe('present password of the caller'),
      password,
    }),
    output: nothing,
    http: {
      id: 'own_password',
      at: 'POST /own_password',
      summary: "Changes the caller's own password, and ends the other sessions of the person",
      description:
        'For people only. A wrong current password is refused with `password_wrong` and counts as a wrong login of the address.',
      answer: 'The password is changed',
      errors: [503],
    },
  },
  'people.remove': {
    ...WRITE,
    input: z.object({ login }),
    output: nothing,
    http: {
      id: 'person_delete',
      at: `DELETE ${PERSON}`,
      summary: 'Removes a person, and ends all sessions',
      answer: 'The person is removed',
      errors: [404, 409, 503],
    },
  },
  'people.sessions': {
    ...READ,
    input: nothing,
    output: z.object({ sessions: z.array(deskSessionSchema).describe('last used first') }),
    http: {
      id: 'desk_session_list',
      at: 'GET /desk_sessions',
      summary: 'Lists browsers that are logged in to the desk',
      answer: 'The sessions',
    },
  },
  'people.end_session': {
    ...WRITE,
    input: z.object({ id: z.string().min(1).max(100).describe('id of the session') }),
    output: nothing,
    http: {
      id: 'desk_session_delete',
      at: 'DELETE /desk_sessions/{id}',
      summary: 'Logs a browser out of the desk',
      answer: 'The session has ended',
      errors: [404],
    },
  },
} as const satisfies OperationTable;
