/** German descriptions of directives inside blocks, by their English text in the server's tables. */
export const BLOCK_DOCS_DE: Readonly<Record<string, string>> = {
  'The login.': 'Name des Logins.',
  'The password, or its hash.': 'Passwort oder sein Hash.',
  'The SHA-256 of the token, in hexadecimal. Without it the token is refused.':
    'SHA-256 des Tokens, hexadezimal. Ohne ihn wird das Token abgewiesen.',
  '`view` looks; `operate` also restarts streams, chooses inputs and ends sessions; `admin` also changes and reads the configuration.':
    '`view` liest; `operate` startet zusätzlich Streams neu, wählt Eingänge und beendet Sitzungen; `admin` liest und ändert zusätzlich die Konfiguration.',
  'The token is for the streams of these names and those below them only; without it for all.':
    'Beschränkt das Token auf die Streams mit diesen Namen und darunter; ohne Angabe gilt es für alle.',
  'A backend that is asked: an address, a file that holds the answer as JSON, or a portal of this server (`subscribers://name`), which decides about viewers and never about encoders. With several, all are asked at once, and one that allows is enough.':
    'Backend: eine Adresse, eine Datei mit der Antwort als JSON oder ein Portal dieses Servers (`subscribers://name`), das nur über Zuschauer entscheidet, nie über Encoder. Mehrere werden gleichzeitig gefragt; eine Erlaubnis genügt.',
  'What holds for a new session when no backend answers, or when there is none and no list fits.':
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
  'Where the files lie; several places are searched in order.':
    'Speicherort der Dateien; mehrere Orte werden der Reihe nach durchsucht.',
  'The place in lists.': 'Platz in Listen.',
  'Whether the files cannot be played.': 'Sperrt die Wiedergabe der Dateien.',
  'Whether a folder is played as one, with those of its files that begin with its name as its qualities.':
    'Spielt einen Ordner als einen Film ab: Dateien darin, deren Namen mit dem des Ordners beginnen, sind seine Qualitäten.',
  'The backend that is asked before a session may play.': 'Backend, das über jede neue Wiedergabe entscheidet.',
  'The older form of `on_play`.': 'Ältere Form von `on_play`.',
  'The cache for files of a remote place.': 'Cache für Dateien eines entfernten Orts.',
  'How many reads run at once.': 'Zahl der gleichzeitigen Lesevorgänge.',
  'Whether whole files may be loaded as they are, by `/PREFIX/PATH`.':
    'Erlaubt das Herunterladen der unveränderten Dateien unter `/PREFIX/PATH`.',
  'The protocols that files may be played with.': 'Protokolle, mit denen Dateien abgespielt werden dürfen.',
  'How long a segment is at least; 6 s without it.': 'Mindestlänge eines Segments; Vorgabe ist 6 s.',
  'How long a remote place may take to answer.': 'Wartezeit auf die Antwort eines entfernten Orts.',
  'A picture in a corner of the player.': 'Bild in einer Ecke des Players.',
  'The folder that holds the archive or its disks: absolute, or below the data folder.':
    'Ordner des Archivs oder seiner Datenträger: absolut oder im Datenordner.',
  'How many copies of each block there are on other disks: `0` none, `1` one, made when the block is finished.':
    'Zahl der Kopien jedes Blocks auf anderen Datenträgern: `0` keine, `1` eine, die nach dem Ende des Blocks entsteht.',
  'How many disks are written at once; without it all. Another one is begun when one of these is full or fails.':
    'Zahl der gleichzeitig beschriebenen Datenträger; Vorgabe sind alle. Ein weiterer kommt hinzu, wenn einer davon voll ist oder ausfällt.',
  'A disk below `root`, and how it is used: only `normal` ones are written, and each block goes to the one with the most room. `keep` and `readonly` are played. What lies on `migrate` is moved to the normal ones; what lies on `rescue` is copied to them and stays; `abandon` does not count any more, and its files stay.':
    'Datenträger unter `root` mit seiner Verwendung: Nur `normal` wird beschrieben; jeder Block geht auf den Datenträger mit dem meisten freien Platz. `keep` und `readonly` werden nur abgespielt. Blöcke auf `migrate` werden auf normale Datenträger verschoben, Blöcke auf `rescue` dorthin kopiert und bleiben erhalten. `abandon` wird ignoriert; seine Dateien bleiben.',
  'Whether each disk, or `root` where there are none, must be a mount point to be written: where a mount is gone, its folder lies on the disk of the system. A disk that was a mount point since the server started must remain one in any case.':
    'Schreibt nur auf Mountpunkte: Jeder Datenträger, oder `root` ohne Datenträger, muss einer sein. Fehlt ein Mount, liegt sein Ordner auf dem Systemdatenträger. Was seit dem Start des Servers ein Mountpunkt war, muss in jedem Fall einer bleiben.',
  'How long the archive is kept, where a stream says nothing else; of streams that are not configured any more, too.':
    'Aufbewahrungszeit des Archivs, wenn ein Stream nichts anderes festlegt; auch für Streams, die nicht mehr konfiguriert sind.',
  'How long episodes that are made without a time of their own are kept after their end; without it until they are deleted.':
    'Wie lange Episoden ohne eigene Zeit nach ihrem Ende bleiben; ohne Angabe, bis sie gelöscht werden.',
  'Where the list of episodes to keep comes from.': 'Quelle der Liste von Episoden, die behalten werden.',
  'How much may lie on its disks together, of streams too that are not configured any more: once a minute the oldest blocks are deleted.':
    'Höchstmenge auf allen Datenträgern des Speichers, einschließlich nicht mehr konfigurierter Streams: Einmal in der Minute werden die ältesten Blöcke darüber hinaus gelöscht.',
  'How full a disk may become.': 'Höchster Füllstand eines Datenträgers.',
  'When is recorded, in UTC, from one segment to another; without it always. A range may go past midnight.':
    'Uhrzeiten der Aufzeichnung in UTC, auf Segmente gerundet; ohne Angabe immer. Ein Zeitraum darf über Mitternacht gehen.',
  'Where finished hours are copied to.': 'Ziel für Kopien fertiger Stunden.',
  'Whether recording waits until it is switched on for a stream, by `dvr_enable` of the legacy API.':
    'Zeichnet einen Stream erst auf, wenn er mit `dvr_enable` der alten API eingeschaltet wird.',
  'Whether missing parts are taken from the source.': 'Holt fehlende Teile von der Quelle.',
  'How much replication may load in a second.': 'Höchste Datenrate der Replikation je Sekunde.',
  'The port of the source for replication.': 'Port der Quelle für die Replikation.',
  'Whether the catalog is not kept in the database.': 'Führt den Katalog nicht in der Datenbank.',
  'Where events go: `http(s)://` posts them as JSON; `log://` and `jsonlog://` write them into a file, whose path is absolute (`log:///var/log/events.log`) or below the data folder (`log://events.log`). Scripts are understood and not run: such a sink says so.':
    'Ziel der Ereignisse: `http(s)://` sendet sie als JSON; `log://` und `jsonlog://` schreiben sie in eine Datei, deren Pfad absolut ist (`log:///var/log/events.log`) oder im Datenordner liegt (`log://events.log`). Skripte werden erkannt, aber nicht ausgeführt; das Ziel meldet das.',
  'Sends only events that fit: all conditions of one directive, each by one of its values. `*` stands for anything. With several directives one of them is enough.':
    'Sendet nur passende Ereignisse: Alle Bedingungen einer Direktive müssen zutreffen, jede mit einem ihrer Werte. `*` steht für beliebigen Text. Von mehreren Direktiven genügt eine.',
  'Leaves out events that fit. Written as `only`, which it goes before.':
    'Lässt passende Ereignisse aus. Geschrieben wie `only`, mit Vorrang davor.',
  'How long events are gathered before they are sent. A hundred of them are sent at once.':
    'Wie lange Ereignisse vor dem Senden gesammelt werden. Hundert Ereignisse werden sofort gesendet.',
  'How many events are kept for a receiver that does not take them. The oldest beyond go to the dead letters. Without it, or with `unlimited`, as many as fit into 256 MB.':
    'Höchstzahl der Ereignisse, die auf einen gestörten Empfänger warten. Die ältesten darüber hinaus werden beiseitegelegt. Ohne Angabe oder mit `unlimited` gilt nur die Grenze von 256 MB.',
  'How long until events that were not taken are sent again. Without it the waits grow from one second to a minute.':
    'Wartezeit, bis nicht angenommene Ereignisse erneut gesendet werden. Ohne Angabe wächst sie von einer Sekunde auf eine Minute.',
  'How large a log file becomes before the next one is begun.': 'Größe, ab der eine neue Logdatei beginnt.',
  'How many old log files are kept beside the newest, as `name.1`, `name.2` and so on.':
    'Zahl der alten Logdateien neben der neuesten, als `name.1`, `name.2` und so weiter.',
  'The least level of events that are sent; each kind has one (see `events.md`).':
    'Niedrigste Stufe der gesendeten Ereignisse; jede Art hat eine Stufe (siehe `events.md`).',
  'Facts that go with every event. Those of the event itself win.':
    'Zusätzliche Angaben in jedem Ereignis. Felder des Ereignisses selbst haben Vorrang.',
  'Signs what is posted by Standard Webhooks 1.0.0. With several secrets there is a signature by each, so that receivers can change over.':
    'Signiert Sendungen nach Standard Webhooks 1.0.0. Mit mehreren Geheimnissen enthält jede Sendung je eine Signatur, damit Empfänger umstellen können.',
  'The place of the clips: the name of a `vod`, or the folder that it has.':
    'Ort der Clips: Name eines `vod` oder sein Ordner.',
  'How many clips are made at once, 1 to 8; 1 without it. Each takes up to half of the processors, after everything that is live.':
    'Zahl der Clips, die gleichzeitig umgewandelt werden, 1 bis 8; Vorgabe ist 1. Jeder belegt bis zur Hälfte der Prozessoren, nachrangig zu allem, was live läuft.',
  'The secret shared with that server.': 'Gemeinsames Geheimnis mit diesem Server.',
  'Takes only these streams.': 'Übernimmt nur diese Streams.',
  'Leaves out these streams.': 'Lässt diese Streams aus.',
  'Records what is taken.': 'Zeichnet die übernommenen Streams auf.',
  'The cache for what is taken.': 'Cache für die übernommenen Streams.',
  'Where its API is reached.': 'Adresse seiner API.',
  'Where viewers are sent.': 'Adresse, an die Zuschauer weitergeleitet werden.',
  'Where this server takes streams from.': 'Adresse, von der dieser Server Streams holt.',
  'How long an answer may take.': 'Wartezeit auf eine Antwort.',
  'How long its last answer counts.': 'Gültigkeit seiner letzten Antwort.',
  'How many streams it may carry.': 'Höchstzahl seiner Streams.',
  'How busy it may be to be given more.': 'Höchste Auslastung, bei der er weitere Streams bekommt.',
  'The secret of this server towards agents.': 'Geheimnis dieses Servers gegenüber Agenten.',
  'Backend that decides about agents.': 'Backend, das über Agenten entscheidet.',
  'Ports of this server, and the ports of the agent that they lead to.':
    'Ports dieses Servers und die Ports des Agenten, zu denen sie führen.',
  'The file of the picture.': 'Bilddatei.',
  'How far from which edges, in pixels, and whether it is drawn into the picture.':
    'Abstand von den Rändern in Pixeln, und ob das Logo in das Bild gezeichnet wird.',
};
