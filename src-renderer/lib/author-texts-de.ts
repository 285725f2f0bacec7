/** Authors of changes without a login, in German. */
export const AUTHORS_DE = {
  server: 'Server',
  desk: 'jemand am Pult des Servers',
  local: 'jemand am Server',
  anyone: 'jemand ohne Login',
  retention: 'Aufbewahrungsregel',
  alarms: 'Alarmsystem',
  token: 'API-Token',
};
