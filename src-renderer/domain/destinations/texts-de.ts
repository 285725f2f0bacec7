/** German texts. */
export const SERVICES_DE = {
  youtube: 'YouTube',
  twitch: 'Twitch',
  facebook: 'Facebook',
  kick: 'Kick',
  other: 'Anderer Server',
};

export const LIGHTS_DE = {
  sent: 'Sendet, vom Server bestätigt',
  unacknowledged: 'Sendet',
  unconfirmed: 'Sendet, nicht bestätigt',
  slow: 'Zu langsam',
  working: 'Verbindet',
  waiting: 'Wartet auf den Stream',
  retrying: 'Fehlgeschlagen, versucht es erneut',
  failed: 'Fehlgeschlagen, aufgegeben',
  planned: 'Geplant',
  ended: 'Beendet wie geplant',
  off: 'Gestoppt',
};

export const DE = {
  startsAt: (time: string): string => `Startet ${time}`,
  line: (name: string, state: string): string => `${name}: ${state}`,
};
