/** German descriptions of directives inside blocks, by their English text in the server's tables. */
export const BLOCK_DOCS_DE: Readonly<Record<string, string>> = {
  'The login.': 'Name des Logins.',
  'Password or its hash.': 'Passwort oder sein Hash.',
  'The SHA-256 of the token, in hexadecimal. Without it the token is refused.':
    'SHA-256 des Tokens, hexadezimal. Ohne ihn wird das Token abgewiesen.',
  '`view` allows reading; `operate` also allows restarting streams, choosing inputs and ending sessions; `admin` also allows changing and reading the configuration.':
    '`view` liest; `operate` startet zusätzlich Streams neu, wählt Eingänge und beendet Sitzungen; `admin` liest und ändert zusätzlich die Konfiguration.',
  'Limits the token to streams with these names and all names below them; default: all streams.':
    'Beschränkt das Token auf die Streams mit diesen Namen und darunter; ohne Angabe gilt es für alle.',
  'A backend to ask: an address, a file with the answer as JSON, or a portal of this server (`subscribers://name`), which decides about viewers and never about encoders. Several backends are asked at once, and one that allows is enough.':
    'Backend: eine Adresse, eine Datei mit der Antwort als JSON oder ein Portal dieses Servers (`subscribers://name`), das nur über Zuschauer entscheidet, nie über Encoder. Mehrere werden gleichzeitig gefragt; eine Erlaubnis genügt.',
  'Decision for a new session if no backend answers, or if there is no backend and no list matches.':
    'Entscheidung für neue Sitzungen, wenn kein Backend antwortet oder wenn es keines gibt und keine Liste zutrifft.',
  'Tokens that are allowed without asking.': 'Token, die ohne Rückfrage erlaubt sind.',
  'Addresses or networks that are allowed without asking.': 'Adressen oder Netze, die ohne Rückfrage erlaubt sind.',
  'Countries that are allowed without asking.': 'Länder, die ohne Rückfrage erlaubt sind.',
  'Players that are allowed without asking, by the beginning of their name.':
    'Player, die ohne Rückfrage erlaubt sind, nach dem Anfang ihres Namens.',
  'Tokens that are denied without asking.': 'Token, die ohne Rückfrage abgewiesen werden.',
  'Addresses or networks that are denied without asking.': 'Adressen oder Netze, die ohne Rückfrage abgewiesen werden.',
  'Countries that are denied without asking.': 'Länder, die ohne Rückfrage abgewiesen werden.',
  'Players that are denied without asking, by the beginning of their name.':
    'Player, die ohne Rückfrage abgewiesen werden, nach dem Anfang ihres Namens.',
  'Storage of the files; several storages are searched in order.':
    'Speicherort der Dateien; mehrere Orte werden der Reihe nach durchsucht.',
  'Position in lists.': 'Platz in Listen.',
  'Whether the files cannot be played.': 'Sperrt die Wiedergabe der Dateien.',
  'Whether a folder is played as one file, with its files whose names start with the folder’s name as qualities.':
    'Spielt einen Ordner als einen Film ab: Dateien darin, deren Namen mit dem des Ordners beginnen, sind seine Qualitäten.',
  'Backend that authorizes sessions.': 'Backend, das über jede neue Wiedergabe entscheidet.',
  'The older form of `on_play`.': 'Ältere Form von `on_play`.',
  'Cache for files of a remote storage.': 'Cache für Dateien eines entfernten Orts.',
  'Number of parallel reads.': 'Zahl der gleichzeitigen Lesevorgänge.',
  'Whether unchanged files may be downloaded at `/PREFIX/PATH`.':
    'Erlaubt das Herunterladen der unveränderten Dateien unter `/PREFIX/PATH`.',
  'The protocols that files may be played with.': 'Protokolle, mit denen Dateien abgespielt werden dürfen.',
  'Minimum length of a segment; default 6 s.': 'Mindestlänge eines Segments; Vorgabe ist 6 s.',
  'Maximum time for an answer of a remote storage.': 'Wartezeit auf die Antwort eines entfernten Orts.',
  'A picture in a corner of the player.': 'Bild in einer Ecke des Players.',
  'The folder that holds the archive or its disks: absolute, or below the data folder.':
    'Ordner des Archivs oder seiner Datenträger: absolut oder im Datenordner.',
  'Number of copies of each block on other disks: `0` for none, `1` for one, made when the block is finished.':
    'Zahl der Kopien jedes Blocks auf anderen Datenträgern: `0` keine, `1` eine, die nach dem Ende des Blocks entsteht.',
  'Number of disks that are written in parallel; default: all. If one of them is full or fails, another one is used.':
    'Zahl der gleichzeitig beschriebenen Datenträger; Vorgabe sind alle. Ein weiterer kommt hinzu, wenn einer davon voll ist oder ausfällt.',
  'A disk below `root`, and its use. Only `normal` disks are written, and each block goes to the one with the most free space. `keep` and `readonly` disks are only played. Blocks on `migrate` disks are moved to normal ones; blocks on `rescue` disks are copied to them and stay. `abandon` disks are ignored, and their files stay.':
    'Datenträger unter `root` mit seiner Verwendung: Nur `normal` wird beschrieben; jeder Block geht auf den Datenträger mit dem meisten freien Platz. `keep` und `readonly` werden nur abgespielt. Blöcke auf `migrate` werden auf normale Datenträger verschoben, Blöcke auf `rescue` dorthin kopiert und bleiben erhalten. `abandon` wird ignoriert; seine Dateien bleiben.',
  'Whether each disk, or `root` without disks, must be a mount point to be written. If a mount is missing, its folder is on the system disk. A disk that was a mount point since the server started must remain one in any case.':
    'Schreibt nur auf Mountpunkte: Jeder Datenträger, oder `root` ohne Datenträger, muss einer sein. Fehlt ein Mount, liegt sein Ordner auf dem Systemdatenträger. Was seit dem Start des Servers ein Mountpunkt war, muss in jedem Fall einer bleiben.',
  'Time that recordings are kept, also those of streams that are no longer configured; a stream may override it.':
    'Aufbewahrungszeit des Archivs, wenn ein Stream nichts anderes festlegt; auch für Streams, die nicht mehr konfiguriert sind.',
  'Time that episodes without their own expiry are kept after their end; default: until they are deleted.':
    'Wie lange Episoden ohne eigene Zeit nach ihrem Ende bleiben; ohne Angabe, bis sie gelöscht werden.',
  'Source of the list of episodes to keep.': 'Quelle der Liste von Episoden, die behalten werden.',
  'Maximum size of all recordings on its disks, including streams that are no longer configured. The oldest blocks are deleted once a minute.':
    'Höchstmenge auf allen Datenträgern des Speichers, einschließlich nicht mehr konfigurierter Streams: Einmal in der Minute werden die ältesten Blöcke darüber hinaus gelöscht.',
  'Maximum use of a disk.': 'Höchster Füllstand eines Datenträgers.',
  'Times of day at which to record, in UTC; default: always. A range may extend past midnight.':
    'Uhrzeiten der Aufzeichnung in UTC, auf Segmente gerundet; ohne Angabe immer. Ein Zeitraum darf über Mitternacht gehen.',
  'Target for copies of complete hours.': 'Ziel für Kopien fertiger Stunden.',
  'Whether recording of a stream waits until `dvr_enable` of the legacy API switches it on.':
    'Zeichnet einen Stream erst auf, wenn er mit `dvr_enable` der alten API eingeschaltet wird.',
  'Whether missing parts are loaded from the source.': 'Holt fehlende Teile von der Quelle.',
  'Maximum bandwidth of replication.': 'Höchste Datenrate der Replikation je Sekunde.',
  'The port of the source for replication.': 'Port der Quelle für die Replikation.',
  'Whether the database has no catalog.': 'Führt den Katalog nicht in der Datenbank.',
  'Target of events: `http(s)://` posts them as JSON; `log://` and `jsonlog://` write them to a file, whose path is absolute (`log:///var/log/events.log`) or relative to the data folder (`log://events.log`). Scripts are accepted but not run: such a sink reports it.':
    'Ziel der Ereignisse: `http(s)://` sendet sie als JSON; `log://` und `jsonlog://` schreiben sie in eine Datei, deren Pfad absolut ist (`log:///var/log/events.log`) oder im Datenordner liegt (`log://events.log`). Skripte werden erkannt, aber nicht ausgeführt; das Ziel meldet das.',
  'Sends only matching events. An event must match all conditions of one directive, each with one of its values; `*` is a wildcard. With several directives, one match is enough.':
    'Sendet nur passende Ereignisse: Alle Bedingungen einer Direktive müssen zutreffen, jede mit einem ihrer Werte. `*` steht für beliebigen Text. Von mehreren Direktiven genügt eine.',
  'Leaves out matching events. It has the syntax of `only` and takes precedence over it.':
    'Lässt passende Ereignisse aus. Geschrieben wie `only`, mit Vorrang davor.',
  'Time for collecting events before they are sent. A hundred events are sent at once.':
    'Wie lange Ereignisse vor dem Senden gesammelt werden. Hundert Ereignisse werden sofort gesendet.',
  'Maximum number of events that are kept for a receiver that does not accept them. Beyond it, the oldest ones become dead letters. Default, and with `unlimited`: as many as fit into 256 MB.':
    'Höchstzahl der Ereignisse, die auf einen gestörten Empfänger warten. Die ältesten darüber hinaus werden beiseitegelegt. Ohne Angabe oder mit `unlimited` gilt nur die Grenze von 256 MB.',
  'Delay before undelivered events are sent again. By default it grows from one second to a minute.':
    'Wartezeit, bis nicht angenommene Ereignisse erneut gesendet werden. Ohne Angabe wächst sie von einer Sekunde auf eine Minute.',
  'Size of a log file at which the next one is started.': 'Größe, ab der eine neue Logdatei beginnt.',
  'Number of old log files to keep, as `name.1`, `name.2` and so on.':
    'Zahl der alten Logdateien neben der neuesten, als `name.1`, `name.2` und so weiter.',
  'Minimum level of events to send; each kind has a level (see Events in the documentation).':
    'Niedrigste Stufe der gesendeten Ereignisse; jede Art hat eine Stufe (siehe Events in der Dokumentation).',
  'Facts that are added to every event. Facts of the event itself take precedence.':
    'Zusätzliche Angaben in jedem Ereignis. Felder des Ereignisses selbst haben Vorrang.',
  'Signs posted events by Standard Webhooks 1.0.0. Several secrets give one signature each, so that receivers can change to a new one.':
    'Signiert Sendungen nach Standard Webhooks 1.0.0. Mit mehreren Geheimnissen enthält jede Sendung je eine Signatur, damit Empfänger umstellen können.',
  'Storage of the clips: the name of a `vod`, or its folder.': 'Ort der Clips: Name eines `vod` oder sein Ordner.',
  'Number of clips that are made in parallel, 1 to 8; default 1. Each uses up to half of the processors, with lower priority than everything live.':
    'Zahl der Clips, die gleichzeitig umgewandelt werden, 1 bis 8; Vorgabe ist 1. Jeder belegt bis zur Hälfte der Prozessoren, nachrangig zu allem, was live läuft.',
  'The secret shared with that server.': 'Gemeinsames Geheimnis mit diesem Server.',
  'Takes only these streams.': 'Übernimmt nur diese Streams.',
  'Leaves out these streams.': 'Lässt diese Streams aus.',
  'Records the streams taken.': 'Zeichnet die übernommenen Streams auf.',
  'Cache for the streams taken.': 'Cache für die übernommenen Streams.',
  'Address of its API.': 'Adresse seiner API.',
  'Address for viewers.': 'Adresse, an die Zuschauer weitergeleitet werden.',
  'Address from which this server takes streams.': 'Adresse, von der dieser Server Streams holt.',
  'Maximum time for an answer.': 'Wartezeit auf eine Antwort.',
  'Validity of its last answer.': 'Gültigkeit seiner letzten Antwort.',
  'Maximum number of its streams.': 'Höchstzahl seiner Streams.',
  'Maximum load for receiving more streams.': 'Höchste Auslastung, bei der er weitere Streams bekommt.',
  'Secret of this server for agents.': 'Geheimnis dieses Servers gegenüber Agenten.',
  'Backend that decides about agents.': 'Backend, das über Agenten entscheidet.',
  'Ports of this server, and the ports of the agent to which they are forwarded.':
    'Ports dieses Servers und die Ports des Agenten, zu denen sie führen.',
  'The file of the picture.': 'Bilddatei.',
  'Distances from the edges, in pixels, and whether it is drawn into the video.':
    'Abstand von den Rändern in Pixeln, und ob das Logo in das Bild gezeichnet wird.',
};
