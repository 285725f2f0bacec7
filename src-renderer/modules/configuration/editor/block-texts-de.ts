/** German descriptions of directives inside blocks, by their English text in the server's tables. */
export const BLOCK_DOCS_DE: Readonly<Record<string, string>> = {
  'The login.': 'Der Login.',
  'The password, or its hash.': 'Das Passwort oder sein Hash.',
  'The SHA-256 of the token, in hexadecimal. Without it the token is refused.':
    'Der SHA-256 des Tokens, hexadezimal. Ohne ihn wird das Token abgewiesen.',
  '`view` looks; `operate` also restarts streams, chooses inputs and ends sessions; `admin` also changes and reads the configuration.':
    '`view` sieht; `operate` startet auch Streams neu, wählt Eingänge und beendet Sitzungen; `admin` ändert und liest auch die Konfiguration.',
  'The token is for the streams of these names and those below them only; without it for all.':
    'Das Token gilt nur für die Streams dieser Namen und die darunter; ohne das für alle.',
  'A backend that is asked: an address, a file that holds the answer as JSON, or a portal of this server (`subscribers://name`), which decides about viewers and never about encoders. With several, all are asked at once, and one that allows is enough.':
    'Ein Backend, das gefragt wird: eine Adresse, eine Datei mit der Antwort als JSON, oder ein Portal dieses Servers (`subscribers://name`), das über Zuschauer entscheidet und nie über Encoder. Mehrere werden zugleich gefragt, und eines, das erlaubt, genügt.',
  'What holds for a new session when no backend answers, or when there is none and no list fits.':
    'Was für eine neue Sitzung gilt, wenn kein Backend antwortet, oder wenn es keines gibt und keine Liste passt.',
  'Tokens that are allowed without asking.': 'Token, die ohne Frage erlaubt sind.',
  'Addresses or networks that are allowed without asking.': 'Adressen oder Netze, die ohne Frage erlaubt sind.',
  'Countries that are allowed without asking.': 'Länder, die ohne Frage erlaubt sind.',
  'Players that are allowed without asking, by the beginning of their name.':
    'Player, die ohne Frage erlaubt sind, nach dem Anfang ihres Namens.',
  'Tokens that are denied without asking.': 'Token, die ohne Frage verboten sind.',
  'Addresses or networks that are denied without asking.': 'Adressen oder Netze, die ohne Frage verboten sind.',
  'Countries that are denied without asking.': 'Länder, die ohne Frage verboten sind.',
  'Players that are denied without asking, by the beginning of their name.':
    'Player, die ohne Frage verboten sind, nach dem Anfang ihres Namens.',
  'Where the files lie; several places are searched in order.':
    'Wo die Dateien liegen; mehrere Orte werden der Reihe nach durchsucht.',
  'The place in lists.': 'Der Platz in Listen.',
  'Whether the files cannot be played.': 'Ob die Dateien nicht abgespielt werden können.',
  'Whether a folder is played as one, with those of its files that begin with its name as its qualities.':
    'Ob ein Ordner als eines gespielt wird, mit den Dateien darin, die mit seinem Namen beginnen, als seinen Qualitäten.',
  'The backend that is asked before a session may play.':
    'Das Backend, das gefragt wird, bevor eine Sitzung abspielen darf.',
  'The older form of `on_play`.': 'Die ältere Form von `on_play`.',
  'The cache for files of a remote place.': 'Der Cache für Dateien eines entfernten Orts.',
  'How many reads run at once.': 'Wie viele Lesevorgänge zugleich laufen.',
  'Whether whole files may be loaded as they are, by `/PREFIX/PATH`.':
    'Ob ganze Dateien geladen werden dürfen, wie sie sind, unter `/PREFIX/PATH`.',
  'The protocols that files may be played with.': 'Die Protokolle, mit denen Dateien abgespielt werden dürfen.',
  'How long a segment is at least; 6 s without it.': 'Wie lang ein Segment mindestens ist; ohne Angabe 6 s.',
  'How long a remote place may take to answer.': 'Wie lange ein entfernter Ort für eine Antwort brauchen darf.',
  'A picture in a corner of the player.': 'Ein Bild in einer Ecke des Players.',
  'The folder that holds the archive or its disks: absolute, or below the data folder.':
    'Der Ordner, der das Archiv oder dessen Datenträger hält: absolut oder unter dem Datenordner.',
  'How many copies of each block there are on other disks: `0` none, `1` one, made when the block is finished.':
    'Wie viele Kopien jedes Blocks es auf anderen Datenträgern gibt: `0` keine, `1` eine, gemacht, wenn der Block fertig ist.',
  'How many disks are written at once; without it all. Another one is begun when one of these is full or fails.':
    'Wie viele Datenträger zugleich beschrieben werden; ohne Angabe alle. Ein anderer wird begonnen, wenn einer davon voll ist oder ausfällt.',
  'A disk below `root`, and how it is used: only `normal` ones are written, and each block goes to the one with the most room. `keep` and `readonly` are played. What lies on `migrate` is moved to the normal ones; what lies on `rescue` is copied to them and stays; `abandon` does not count any more, and its files stay.':
    'Ein Datenträger unter `root`, und wie er benutzt wird: nur `normal` wird beschrieben, und jeder Block geht auf den mit dem meisten Platz. `keep` und `readonly` werden abgespielt. Was auf `migrate` liegt, wird auf die normalen verschoben; was auf `rescue` liegt, wird dorthin kopiert und bleibt; `abandon` zählt nicht mehr, und seine Dateien bleiben.',
  'Whether each disk, or `root` where there are none, must be a mount point to be written: where a mount is gone, its folder lies on the disk of the system. A disk that was a mount point since the server started must remain one in any case.':
    'Ob jeder Datenträger, oder `root`, wo es keine gibt, ein Mountpunkt sein muss, um beschrieben zu werden: wo ein Mount fort ist, liegt sein Ordner auf dem Datenträger des Systems. Was seit dem Start des Servers ein Mountpunkt war, muss in jedem Fall einer bleiben.',
  'How long the archive is kept, where a stream says nothing else; of streams that are not configured any more, too.':
    'Wie lange das Archiv behalten wird, wo ein Stream nichts anderes sagt; auch von Streams, die nicht mehr konfiguriert sind.',
  'How long episodes that are made without a time of their own are kept after their end; without it until they are deleted.':
    'Wie lange Episoden ohne eigene Zeit nach ihrem Ende behalten werden; ohne Angabe, bis sie gelöscht werden.',
  'Where the list of episodes to keep comes from.': 'Woher die Liste der Episoden kommt, die behalten werden.',
  'How much may lie on its disks together, of streams too that are not configured any more: once a minute the oldest blocks are deleted.':
    'Wie viel auf seinen Datenträgern zusammen liegen darf, auch von Streams, die nicht mehr konfiguriert sind: einmal in der Minute werden die ältesten Blöcke gelöscht.',
  'How full a disk may become.': 'Wie voll ein Datenträger werden darf.',
  'When is recorded, in UTC, from one segment to another; without it always. A range may go past midnight.':
    'Wann aufgezeichnet wird, in UTC, von einem Segment zum anderen; ohne Angabe immer. Eine Strecke darf über Mitternacht gehen.',
  'Where finished hours are copied to.': 'Wohin fertige Stunden kopiert werden.',
  'Whether recording waits until it is switched on for a stream, by `dvr_enable` of the legacy API.':
    'Ob die Aufzeichnung wartet, bis sie für einen Stream eingeschaltet wird, mit `dvr_enable` der alten API.',
  'Whether missing parts are taken from the source.': 'Ob fehlende Teile von der Quelle geholt werden.',
  'How much replication may load in a second.': 'Wie viel die Replikation in einer Sekunde laden darf.',
  'The port of the source for replication.': 'Der Port der Quelle für die Replikation.',
  'Whether the catalog is not kept in the database.': 'Ob der Katalog nicht in der Datenbank geführt wird.',
  'Where events go: `http(s)://` posts them as JSON; `log://` and `jsonlog://` write them into a file, whose path is absolute (`log:///var/log/events.log`) or below the data folder (`log://events.log`). Scripts are understood and not run: such a sink says so.':
    'Wohin Ereignisse gehen: `http(s)://` sendet sie als JSON; `log://` und `jsonlog://` schreiben sie in eine Datei, deren Pfad absolut ist (`log:///var/log/events.log`) oder unter dem Datenordner liegt (`log://events.log`). Skripte werden verstanden und nicht ausgeführt: ein solches Ziel sagt es.',
  'Sends only events that fit: all conditions of one directive, each by one of its values. `*` stands for anything. With several directives one of them is enough.':
    'Sendet nur Ereignisse, die passen: alle Bedingungen einer Direktive, jede mit einem ihrer Werte. `*` steht für alles. Von mehreren Direktiven genügt eine.',
  'Leaves out events that fit. Written as `only`, which it goes before.':
    'Lässt Ereignisse aus, die passen. Geschrieben wie `only`, dem es vorgeht.',
  'How long events are gathered before they are sent. A hundred of them are sent at once.':
    'Wie lange Ereignisse gesammelt werden, bevor sie gesendet werden. Hundert davon werden sofort gesendet.',
  'How many events are kept for a receiver that does not take them. The oldest beyond go to the dead letters. Without it, or with `unlimited`, as many as fit into 256 MB.':
    'Wie viele Ereignisse für einen Empfänger aufgehoben werden, der sie nicht nimmt. Die ältesten darüber werden beiseitegelegt. Ohne Angabe, oder mit `unlimited`, so viele, wie in 256 MB passen.',
  'How long until events that were not taken are sent again. Without it the waits grow from one second to a minute.':
    'Wie lange es dauert, bis Ereignisse, die nicht genommen wurden, noch einmal gesendet werden. Ohne Angabe wachsen die Pausen von einer Sekunde auf eine Minute.',
  'How large a log file becomes before the next one is begun.':
    'Wie groß eine Logdatei wird, bevor die nächste begonnen wird.',
  'How many old log files are kept beside the newest, as `name.1`, `name.2` and so on.':
    'Wie viele alte Logdateien neben der neuesten behalten werden, als `name.1`, `name.2` und so weiter.',
  'The least level of events that are sent; each kind has one (see `events.md`).':
    'Die geringste Stufe von Ereignissen, die gesendet werden; jede Art hat eine (siehe `events.md`).',
  'Facts that go with every event. Those of the event itself win.':
    'Angaben, die mit jedem Ereignis gehen. Die des Ereignisses selbst gehen vor.',
  'Signs what is posted by Standard Webhooks 1.0.0. With several secrets there is a signature by each, so that receivers can change over.':
    'Signiert nach Standard Webhooks 1.0.0, was gesendet wird. Mit mehreren Geheimnissen gibt es eine Signatur mit jedem, damit Empfänger wechseln können.',
  'The place of the clips: the name of a `vod`, or the folder that it has.':
    'Der Ort der Clips: der Name eines `vod` oder der Ordner, den es hat.',
  'How many clips are made at once, 1 to 8; 1 without it. Each takes up to half of the processors, after everything that is live.':
    'Wie viele Clips zugleich gemacht werden, 1 bis 8; ohne Angabe 1. Jeder nimmt bis zur Hälfte der Prozessoren, nach allem, was live ist.',
  'The secret shared with that server.': 'Das gemeinsame Geheimnis mit diesem Server.',
  'Takes only these streams.': 'Nimmt nur diese Streams.',
  'Leaves out these streams.': 'Lässt diese Streams aus.',
  'Records what is taken.': 'Zeichnet auf, was geholt wird.',
  'The cache for what is taken.': 'Der Cache für das, was geholt wird.',
  'Where its API is reached.': 'Wo seine API erreicht wird.',
  'Where viewers are sent.': 'Wohin Zuschauer geschickt werden.',
  'Where this server takes streams from.': 'Von wo dieser Server Streams holt.',
  'How long an answer may take.': 'Wie lange eine Antwort dauern darf.',
  'How long its last answer counts.': 'Wie lange seine letzte Antwort gilt.',
  'How many streams it may carry.': 'Wie viele Streams er tragen darf.',
  'How busy it may be to be given more.': 'Wie beschäftigt er sein darf, um mehr zu bekommen.',
  'The secret of this server towards agents.': 'Das Geheimnis dieses Servers gegenüber Agenten.',
  'Backend that decides about agents.': 'Backend, das über Agenten entscheidet.',
  'Ports of this server, and the ports of the agent that they lead to.':
    'Ports dieses Servers, und die Ports des Agenten, zu denen sie führen.',
  'The file of the picture.': 'Die Datei des Bildes.',
  'How far from which edges, in pixels, and whether it is drawn into the picture.':
    'Wie weit von welchen Rändern, in Pixeln, und ob es in das Bild gezeichnet wird.',
};
