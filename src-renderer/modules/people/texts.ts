import { translated } from '../../i18n/translated.ts';
import { DE, REFUSALS_DE, ROLES_DE } from './texts-de.ts';

/** Texts of the people page. */
export const TEXTS = translated(
  'people',
  {
    loading: 'Loading people',
    failed: 'Could not load the people',
    tryAgain: 'Try again',
    notAllowed: 'Only administrators can manage people. Log in as an administrator.',
    none: 'No people yet',
    noneHelp:
      'Give each person a login of their own. Then they see only what they need, and the server records who did what.',
    noLoginToView:
      'Anyone who can reach the server can view everything. To require a login, set view_auth in the configuration.',
    noEditAuth: 'edit_auth is not set. The first person must be an administrator.',
    add: 'Add a person',
    count: (count: number): string => `${count} ${count === 1 ? 'person' : 'people'}`,
    login: 'Login',
    loginHint: 'Letters, digits and . _ - @',
    name: 'Full name',
    role: 'Role',
    streams: 'Streams',
    allStreams: 'All streams',
    streamsHint:
      'To limit this person, enter names of streams or what they start with, such as field/. Separate with commas.',
    limitedHint: 'Sees and controls only these streams and those below them. Pages about the whole server are hidden.',
    limitedClerkHint:
      'Subscribers concern all streams, so a limited person with this role sees only the log of these streams.',
    below: (prefix: string): string => `${prefix}/`,
    state: 'State',
    enabled: 'Active',
    disabled: 'Disabled',
    password: 'Password',
    passwordHint: 'At least 8 characters. A phrase of several words is easy to remember.',
    suggest: 'Suggest',
    created: 'Added',
    createdBy: (day: string, by: string): string => `${day} by ${by}`,
    edit: 'Change',
    editTitle: (login: string): string => `Change ${login}`,
    save: 'Save',
    cancel: 'Cancel',
    newPassword: 'New password',
    newPasswordTitle: (login: string): string => `New password for ${login}`,
    newPasswordBody: 'This person is logged out in all browsers.',
    setPassword: 'Set password',
    passwordSet: (login: string): string => `${login} has a new password.`,
    added: (login: string): string => `${login} was added. Give this person the login and the password.`,
    disable: 'Disable',
    enable: 'Enable',
    disableTitle: (login: string): string => `Disable ${login}?`,
    disableBody: 'This person is logged out in all browsers at once and cannot log in until you enable the login.',
    remove: 'Remove',
    removeTitle: (login: string): string => `Remove ${login}?`,
    removeBody:
      'This person is logged out in all browsers at once. Earlier entries in logs and alarms keep the name. You can give the login to another person later.',
    removed: (login: string): string => `${login} was removed.`,
    sessions: 'Logged-in browsers',
    noSessions: 'No browser is logged in.',
    browser: 'Browser',
    address: 'Address',
    started: 'Since',
    used: 'Last used',
    thisBrowser: 'this browser',
    end: 'Log out',
    endTitle: (login: string): string => `Log out ${login} in this browser?`,
    endBody: 'The browser then asks for a login.',
    actions: 'Actions',
    actionsOf: (login: string): string => `Actions for ${login}`,
  },
  DE,
);

/** Roles with a description of their rights. */
export const ROLE_TEXTS = translated(
  'roles',
  {
    viewer: { label: 'Viewer', hint: 'Wall, alarms and archive, without making changes' },
    operator: { label: 'Operator', hint: 'Streams, inputs, alarms, breaks, viewers and the log' },
    editor: { label: 'Editor', hint: 'Clips, breaks and exports' },
    clerk: { label: 'Clerk', hint: 'Subscribers and the log' },
    administrator: { label: 'Administrator', hint: 'Everything, including the configuration and people' },
  },
  ROLES_DE,
);

/** Reasons why a change of a person was refused, by error code. */
export const REFUSALS = translated(
  'peopleRefusals',
  {
    person_exists: 'This login is already in use. Choose another one.',
    last_administrator:
      'At least one login must be able to administer the server. Make another person an administrator of all streams first, or set edit_auth in the configuration.',
    bad_request:
      'Check the login and the streams. A login has letters, digits and . _ - @, and starts with a letter or digit. Streams are names such as field/van.',
  },
  REFUSALS_DE,
);
