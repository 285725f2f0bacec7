/** German descriptions of directives inside blocks, by code. */
export const BLOCK_DOCS_DE: Readonly<Record<string, string>> = {
  login: 'Name des Logins.',
  'api_auth.password': 'Passwort oder sein Hash.',
  hash: 'SHA-256 des Tokens, hexadezimal. Ohne ihn wird das Token abgewiesen.',
  scope:
    '`view` liest; `operate` startet zusätzlich Streams neu, wählt Eingänge und beendet Sitzungen; `admin` liest und ändert zusätzlich die Konfiguration.',
  'api_token.prefix':
    'Beschränkt das Token auf die Streams mit diesen Namen und darunter; ohne Angabe gilt es für alle.',
  backend:
    'Backend: eine Adresse, eine Datei mit der Antwort als JSON oder ein Portal dieses Servers (`subscribers://name`), das nur über Zuschauer entscheidet, nie über Encoder. Mehrere werden gleichzeitig gefragt; eine Erlaubnis genügt.',
  allow_default:
    'Entscheidung für neue Sitzungen, wenn kein Backend antwortet oder wenn es keines gibt und keine Liste zutrifft.',
  allow_tokens: 'Token, die ohne Rückfrage erlaubt sind.',
  allow_ips: 'Adressen oder Netze, die ohne Rückfrage erlaubt sind.',
  allow_countries: 'Länder, die ohne Rückfrage erlaubt sind.',
  allow_uas: 'Player, die ohne Rückfrage erlaubt sind, nach dem Anfang ihres Namens.',
  deny_tokens: 'Token, die ohne Rückfrage abgewiesen werden.',
  deny_ips: 'Adressen oder Netze, die ohne Rückfrage abgewiesen werden.',
  deny_countries: 'Länder, die ohne Rückfrage abgewiesen werden.',
  deny_uas: 'Player, die ohne Rückfrage abgewiesen werden, nach dem Anfang ihres Namens.',
  storage: 'Speicherort der Dateien; mehrere Orte werden der Reihe nach durchsucht.',
  'vod.position': 'Platz in Listen.',
  'vod.disabled': 'Sperrt die Wiedergabe der Dateien.',
  auto_mbr:
    'Spielt einen Ordner als einen Film ab. Seine Qualitäten sind die Dateien im Ordner, deren Namen mit dem Namen des Ordners beginnen.',
  'vod.on_play': 'Backend, das über jede neue Wiedergabe entscheidet.',
  'vod.auth': 'Ältere Form von `on_play`.',
  'vod.cache': 'Cache für Dateien eines entfernten Orts.',
  read_queue: 'Zahl der gleichzeitigen Lesevorgänge.',
  download: 'Erlaubt das Herunterladen der unveränderten Dateien unter `/PREFIX/PATH`.',
  'vod.protocols': 'Protokolle, mit denen Dateien abgespielt werden dürfen.',
  'vod.segment_duration': 'Mindestlänge eines Segments; Vorgabe ist 6 s.',
  timeout: 'Wartezeit auf die Antwort eines entfernten Orts.',
  'vod.logo': 'Bild in einer Ecke des Players.',
  'dvr.root': 'Ordner des Archivs oder seiner Datenträger: absolut oder im Datenordner.',
  raid: 'Zahl der Kopien jedes Blocks auf anderen Datenträgern: `0` keine, `1` eine, die nach dem Ende des Blocks entsteht.',
  active:
    'Zahl der gleichzeitig beschriebenen Datenträger; Vorgabe sind alle. Ein weiterer kommt hinzu, wenn einer davon voll ist oder ausfällt.',
  disk: 'Datenträger unter `root` mit seiner Verwendung: Nur `normal` wird beschrieben; jeder Block geht auf den Datenträger mit dem meisten freien Platz. `keep` und `readonly` werden nur abgespielt. Blöcke auf `migrate` werden auf normale Datenträger verschoben, Blöcke auf `rescue` dorthin kopiert und bleiben erhalten. `abandon` wird ignoriert; seine Dateien bleiben.',
  check_mount:
    'Schreibt auf einen Datenträger (oder auf `root`, wenn es keine Datenträger gibt) nur, solange er ein Mountpunkt ist. Fehlt ein Mount, liegt sein Ordner auf dem Systemdatenträger. Ohne diese Einstellung prüft der Server nur Datenträger, die seit seinem Start ein Mountpunkt waren.',
  expiration:
    'Aufbewahrungszeit des Archivs, wenn ein Stream nichts anderes festlegt; auch für Streams, die nicht mehr konfiguriert sind.',
  episodes_expiration:
    'Wie lange Episoden ohne eigene Zeit nach ihrem Ende bleiben; ohne Angabe, bis sie gelöscht werden.',
  episodes_url: 'Quelle der Liste von Episoden, die behalten werden.',
  storage_limit:
    'Höchstmenge auf allen Datenträgern des Speichers, einschließlich nicht mehr konfigurierter Streams: Einmal in der Minute werden die ältesten Blöcke darüber hinaus gelöscht.',
  disk_usage_limit: 'Höchster Füllstand eines Datenträgers.',
  schedule:
    'Uhrzeiten der Aufzeichnung in UTC, auf Segmente gerundet; ohne Angabe immer. Ein Zeitraum darf über Mitternacht gehen.',
  copy: 'Ziel für Kopien fertiger Stunden.',
  'dvr.dvr_offline': 'Zeichnet einen Stream erst auf, wenn er mit `dvr_enable` der alten API eingeschaltet wird.',
  dvr_replicate: 'Holt fehlende Teile von der Quelle.',
  replication_speed: 'Höchste Datenrate der Replikation je Sekunde.',
  replication_port: 'Port der Quelle für die Replikation.',
  no_index: 'Führt den Katalog nicht in der Datenbank.',
  url: 'Ziel der Ereignisse: `http(s)://` sendet sie als JSON; `log://` und `jsonlog://` schreiben sie in eine Datei, deren Pfad absolut ist (`log:///var/log/events.log`) oder im Datenordner liegt (`log://events.log`). Skripte werden erkannt, aber nicht ausgeführt; das Ziel meldet das.',
  'event_sink.only':
    'Sendet nur passende Ereignisse: Alle Bedingungen einer Direktive müssen zutreffen, jede mit einem ihrer Werte. `*` steht für beliebigen Text. Von mehreren Direktiven genügt eine.',
  'event_sink.except': 'Lässt passende Ereignisse aus. Geschrieben wie `only`, mit Vorrang davor.',
  throttle_delay: 'Wie lange Ereignisse vor dem Senden gesammelt werden. Hundert Ereignisse werden sofort gesendet.',
  resend_limit:
    'Höchstzahl der Ereignisse, die auf einen gestörten Empfänger warten. Die ältesten darüber hinaus werden beiseitegelegt. Ohne Angabe oder mit `unlimited` gilt nur die Grenze von 256 MB.',
  resend_timeout:
    'Wartezeit, bis nicht angenommene Ereignisse erneut gesendet werden. Ohne Angabe wächst sie von einer Sekunde auf eine Minute.',
  max_size: 'Größe, ab der eine neue Protokolldatei beginnt.',
  max_depth: 'Zahl der alten Protokolldateien neben der neuesten, als `name.1`, `name.2` und so weiter.',
  level: 'Niedrigste Stufe der gesendeten Ereignisse; jede Art hat eine Stufe (siehe Events in der Dokumentation).',
  extra: 'Zusätzliche Angaben in jedem Ereignis. Felder des Ereignisses selbst haben Vorrang.',
  secret:
    'Signiert Sendungen nach Standard Webhooks 1.0.0. Mit mehreren Geheimnissen enthält jede Sendung je eine Signatur, damit Empfänger umstellen können.',
  'file_processor.path': 'Ort der Clips: Name eines `vod` oder sein Ordner.',
  jobs: 'Zahl der Clips, die gleichzeitig konvertiert werden, 1 bis 8; Vorgabe ist 1. Jeder belegt bis zur Hälfte der Prozessoren, nachrangig zu allem, was live läuft.',
  'source.cluster_key': 'Gemeinsames Geheimnis mit diesem Server.',
  'source.only': 'Übernimmt nur diese Streams.',
  'source.except': 'Lässt diese Streams aus.',
  'source.dvr': 'Zeichnet die übernommenen Streams auf.',
  'source.cache': 'Cache für die übernommenen Streams.',
  api_url: 'Adresse seiner API.',
  public_payload_url: 'Adresse, an die Zuschauer umgeleitet werden.',
  private_payload_url: 'Adresse, von der dieser Server Streams holt.',
  fetch_timeout: 'Wartezeit auf eine Antwort.',
  stale_timeout: 'Gültigkeit seiner letzten Antwort.',
  channel_limit: 'Höchstzahl seiner Streams.',
  cpu_limit: 'Höchste Auslastung, bei der er weitere Streams bekommt.',
  streampoint_key: 'Geheimnis dieses Servers gegenüber Agenten.',
  endpoint_auth: 'Backend, das über Agenten entscheidet.',
  forward_ports: 'Ports dieses Servers und die Ports des Agenten, zu denen sie führen.',
  'logo.path': 'Bilddatei.',
  place: 'Abstand von den Rändern in Pixeln, und ob das Logo in das Bild gezeichnet wird.',
};
