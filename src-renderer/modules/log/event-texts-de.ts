import type { EventKind } from '../../../src-preload/contract/events/catalogue.ts';

/** When events of a kind happen, in German. */
export const MEANINGS_DE: Readonly<Record<EventKind, string>> = {
  server_starting: 'Der Server wurde gestartet und liest seine Konfiguration.',
  server_started: 'Der Server ist bereit.',
  server_stopping:
    'Der Server soll anhalten. Ziele, die das Ereignis nicht rechtzeitig annehmen, bekommen es nach dem nächsten Start.',
  open_files_exhausted:
    'Dem Server bleibt kaum ein Datei-Handle: das System trennt Verbindungen. Erhöhen Sie die Grenze (`ulimit -n`, `LimitNOFILE`).',
  open_files_restored: 'Es gibt wieder Datei-Handles für Verbindungen.',
  stream_opened: 'Ein Stream wurde geöffnet: seine Eingänge werden ab jetzt abgefragt.',
  stream_updated:
    'Die Tracks eines Streams kamen oder änderten sich, oder seine Einstellungen wurden ohne Neustart geändert.',
  stream_closed: 'Ein Stream wurde geschlossen: für ihn wird nichts mehr abgefragt.',
  stream_idle: 'Niemand gibt dem Stream Bilder; was Zuschauer haben, endet hier, bis wieder Bilder kommen.',
  splice_point:
    'Eine Schnittmarke (SCTE-35) wurde angekündigt, verschoben oder zurückgenommen; jede einmal, wie oft ihr Eingang sie auch wiederholt. Von einem Stream 16 auf einmal, dann eine in fünf Sekunden.',
  media_thread_failed: 'Der Media-Thread eines Streams starb; der Stream wird wieder geöffnet.',
  input_switched: 'Die Ausgabe geht mit einem anderen Eingang weiter.',
  input_selected: 'Eine Person am Pult wählte den Eingang eines Streams oder überließ die Wahl wieder dem Server.',
  input_lost:
    'Die Verbindung eines Eingangs endete oder kam nicht zustande; gemeldet wird es einmal, bis wieder Bilder kommen.',
  input_restored: 'Ein verlorener Eingang gibt wieder Bilder.',
  input_problem:
    'Was ein Eingang gibt, hat einen Fehler, zum Beispiel verlorene Pakete oder eine Uhr, die sprang. Jeder Code wird höchstens einmal in der Minute gemeldet.',
  input_given_up: 'Ein Eingang wurde so oft versucht, wie `retry_limit` erlaubt.',
  input_quarantined:
    'Ein Eingang beendete seinen Media-Thread zweimal, durch Stillstand oder weil der Speicher erschöpft war, und wird eine Zeit lang nicht geöffnet; `detail` sagt, bis wann.',
  input_released:
    'Eine Person am Pult hob die Quarantäne eines Eingangs auf, indem sie ihn wählte oder den Stream neu startete.',
  frames_timed_out: 'Ein Eingang, der Bilder gab, gibt seit seinem `frames_timeout` keine.',
  frames_restored: 'Die Bilder eines stummen Eingangs kamen wieder, über dieselbe Verbindung.',
  backup_started: 'Kein Eingang gibt Bilder: die Ersatzdatei spielt.',
  backup_stopped: 'Ein Eingang löste die Ersatzdatei ab.',
  publish_opened: 'Ein Encoder sendet einen Stream.',
  publish_closed: 'Ein Encoder, der sendete, ist fort.',
  publish_refused: 'Ein Encoder wurde abgewiesen.',
  play_opened: 'Ein Zuschauer fragte nach einem Stream, und eine Sitzung wurde geöffnet.',
  play_started: 'Die ersten Medien gingen an den Zuschauer.',
  play_updated: 'Die Autorisierung einer Sitzung wurde erneuert.',
  play_closed: 'Die Sitzung eines Zuschauers endete.',
  play_denied: 'Ein Zuschauer wurde abgewiesen oder hinausgeworfen.',
  ad_inject: 'Einem Zuschauer wurde eine Werbung gezeigt: ihr erstes Segment wurde gesendet.',
  ad_progress: 'Ein Viertel, die Hälfte, drei Viertel oder alles einer Werbung wurde an einen Zuschauer gesendet.',
  ad_answer:
    'Was ein Autorisierungs-Backend über Werbung antwortete, hat Fehler oder wird anders gelesen, als es dasteht.',
  ad_skipped:
    'Ein Clip oder eine ganze Unterbrechung wurde für einen Zuschauer ausgelassen; er sieht den Stream oder die anderen Clips.',
  push_opened: 'Ein Stream soll an einen anderen Server gesendet werden.',
  push_connected: 'Der andere Server nahm die Verbindung an.',
  push_started: 'Das erste Bild wurde gesendet.',
  push_updated: 'Was gesendet wird, änderte sich.',
  push_blocked: 'Der andere Server nimmt nichts mehr an.',
  push_restored: 'Der andere Server nimmt wieder Bilder an.',
  push_reconfigured: 'Die Einstellungen einer Weitergabe änderten sich.',
  push_closed: 'Ein Stream wird nicht mehr an einen anderen Server gesendet.',
  config_applied: 'Eine andere Konfiguration gilt.',
  config_confirmed: 'Eine Konfiguration, die auf Zeit galt, bleibt.',
  config_rolled_back:
    'Eine Konfiguration wurde nicht rechtzeitig bestätigt oder zurückgenommen: die vorherige gilt wieder.',
  config_refused: 'Die Konfigurationsdatei hat einen Fehler und wurde nicht übernommen; was lief, läuft weiter.',
  dvr_new_fragment: 'Ein Block des Archivs wurde abgeschlossen.',
  dvr_deleted_fragments:
    'Blöcke des Archivs wurden gelöscht: ihre Zeit war um, es fehlte Platz, oder eine Person am Pult wollte es.',
  dvr_locked: 'Eine Strecke eines Archivs wurde gesperrt: keine Grenze löscht sie.',
  dvr_unlocked: 'Eine Strecke eines Archivs ist nicht mehr gesperrt.',
  dvr_collapsed_write:
    'Ein Datenträger war so langsam, dass länger als zwei Sekunden gesammelt wurde; höchstens einmal in der Minute.',
  dvr_drop_write:
    'Ein Datenträger war zu langsam, zu voll oder fort: die Aufzeichnung brach ab. Es kommt noch einmal, wenn die Aufzeichnung von selbst weitergeht, und sagt, wie viel fehlt.',
  dvr_deletion_held:
    'Aus Archiven wird nichts gelöscht, bis es jemand bestätigt oder bis die Uhr nach einem Sprung einen Tag lang richtig ging.',
  dvr_deletion_allowed: 'Jemand hat bestätigt, dass aus Archiven wieder gelöscht wird.',
  dvr_clean: 'Ein verlangtes Aufräumen der Archive ist zu Ende.',
  dvr_copies_finished:
    'Blöcke des Archivs wurden auf andere Datenträger ihres Speichers kopiert oder dorthin verschoben, oder es ging nicht: ein Durchgang ist zu Ende. Durchgänge ohne Arbeit schweigen.',
  dvr_export_finished: 'Ein Teil des Archivs wurde exportiert, oder es ging nicht.',
  clip_job_finished: 'Ein Clip wurde zum Einfügen bereit gemacht, oder es ging nicht.',
  dvr_consistency_check_finished:
    'Der Katalog der Archive wurde mit den Datenträgern verglichen oder aus ihnen neu gemacht.',
  alarm_raised: 'Ein Zustand begann, um den sich jemand kümmern muss.',
  alarm_acknowledged: 'Ein Alarm wurde bestätigt.',
  alarm_cleared: 'Der Zustand eines Alarms endete.',
  audio_silence_detected: 'Der Ton eines Streams ist still.',
  api_call: 'Über eine HTTP-API oder das Pult wurde etwas geändert.',
  login_accepted:
    'Ein Login wurde von einer Adresse benutzt, zum ersten Mal seit dem Start oder seit einer halben Stunde.',
  auth_failed: 'Login oder Passwort einer HTTP-API waren falsch.',
  portal_key_refused:
    'Eine Anfrage nach Teilnehmern oder ihrem Protokoll hatte einen falschen Schlüssel; gemeldet wird es je Adresse und Portal höchstens einmal in der Minute.',
  events_dropped:
    'Ereignisse ließen sich für ein Ziel nicht aufheben; gemeldet wird es je Ziel höchstens einmal in der Minute.',
  event_sink_test: 'Eine Person am Pult prüft ein Ziel: dieses Ereignis geht nur an dieses Ziel.',
  event_sink_disabled:
    'Ein Ziel sagte, dass es für immer fort ist (410): nichts wird gesendet, bis seine Einstellungen sich ändern oder der Server neu startet. Seine Ereignisse warten.',
};

/** Values of fields, in German. */
export const VALUES_DE = {
  configured: 'er steht in der Konfiguration',
  viewer: 'ein Zuschauer fragte danach',
  publisher: 'ein Encoder kam',
  restart: 'er wurde neu gestartet',
  tracks: 'seine Tracks',
  settings: 'seine Einstellungen',
  removed: 'er wurde entfernt',
  no_viewers: 'niemand sah zu',
  publisher_moved: 'sein Encoder ging zu einem anderen Stream',
  thread_failed: 'sein Media-Thread starb',
  done: 'alles wurde getan',
  stopped: 'es wurde angehalten',
  error: 'es ging nicht',
  preroll: 'vor dem Stream',
  midroll: 'während des Streams',
  splicing: 'eine Schnittmarke',
  interval: 'sein Abstand',
};
