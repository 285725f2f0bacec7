/** German descriptions of directives of streams, live prefixes and templates, by their English text in the server's tables. */
export const STREAM_DOCS_DE: Readonly<Record<string, string>> = {
  'A stream with its inputs. It is played at `/name/index.m3u8`. A stream `cam1` with `input publish://;` is published at `rtmp://host/static/cam1`.':
    'Stream mit seinen Eingängen. Er wird unter `/name/index.m3u8` abgespielt. Ein Stream `cam1` mit `input publish://;` empfängt unter `rtmp://host/static/cam1`.',
  'A live prefix, under which encoders may publish any name. Publishing to `rtmp://host/prefix/cam1` makes the stream `prefix/cam1`, with the settings of the block.':
    'Live-Präfix: Encoder dürfen darunter beliebige Namen senden. Aus `rtmp://host/prefix/cam1` wird der Stream `prefix/cam1` mit den Einstellungen des Blocks.',
  'Named settings for streams with `template name;`, and for all streams published under its prefixes.':
    'Benannte Einstellungen für Streams mit `template name;` und für alles, was unter den Präfixen der Vorlage gesendet wird.',
  'Settings of plugins, by their name.': 'Einstellungen von Plugins, nach Namen.',
  'Settings of one plugin.': 'Einstellungen eines Plugins.',
  'An input of the stream: the address of a camera, an encoder, a file or another server, or `publish://` to wait for an encoder. With several inputs, the first one that provides frames is used, in the order of `priority` (1 before 2) and then of the file. A better input is retried without interrupting the picture, and used again after ten stable seconds; a publishing encoder is used again at once. `frames_timeout` is the time without a frame after which the stream moves on to another input (seconds; default: its `source_timeout` if it or the stream sets one, otherwise 3). `source_timeout` is the time without a frame after which its connection is closed and reopened (seconds; default: that of the stream). All other options are passed to the reader of the address (see Inputs in the documentation). The API refuses unknown options. In the text, a misspelled option is an error, and any other unknown option is kept with a warning. An address with spaces, `;`, `{` or `}` needs quotation marks.':
    'Eingang des Streams: Adresse einer Kamera, eines Encoders, einer Datei oder eines anderen Servers, oder `publish://`, um auf einen Encoder zu warten. Von mehreren Eingängen läuft der erste, der Bilder liefert, in der Reihenfolge von `priority` (1 vor 2) und dann der Datei. Ein besserer Eingang wird im Hintergrund erneut versucht und übernimmt, wenn er zehn Sekunden stabil war; ein sendender Encoder sofort. `frames_timeout` ist die Zeit ohne Bilder, nach der der Stream zum nächsten Eingang wechselt (Sekunden; Vorgabe ist `source_timeout` des Eingangs oder Streams, sonst 3). `source_timeout` ist die Zeit ohne Bilder, nach der die Verbindung neu aufgebaut wird (Sekunden; Vorgabe ist die des Streams). Alle anderen Optionen gehören zur Art der Adresse (siehe publishing). Unbekannte Optionen weist die API ab, die Konfigurationsdatei nur bei Tippfehlern; sonst bleiben sie mit einer Warnung stehen. Eine Adresse mit Leerzeichen, `;`, `{` oder `}` steht in Anführungszeichen.',
  'Displayed name. A title with spaces needs quotation marks.':
    'Angezeigter Name. Ein Titel mit Leerzeichen steht in Anführungszeichen.',
  'A note for the operators; it is shown and has no effect.':
    'Notiz für das Bedienpersonal; sie wird angezeigt und hat keine Wirkung.',
  'Position of the stream in lists: smaller numbers come first; default 0. Streams with the same position are ordered by name.':
    'Platz des Streams in Listen: Kleinere Zahlen kommen zuerst; Vorgabe ist 0. Streams mit gleichem Platz sind nach Namen sortiert.',
  'The stream stays in the configuration and does not run.': 'Schaltet den Stream ab; er bleibt in der Konfiguration.',
  'Whether the stream always runs. With `static false;` it starts with its first viewer, who waits at most ten seconds for the first segment, and ends `clients_timeout` after the last one. Publishers are always accepted.':
    'Ob der Stream ständig läuft. Mit `static false;` startet er mit dem ersten Zuschauer, der höchstens zehn Sekunden auf das erste Segment wartet, und endet `clients_timeout` nach dem letzten. Encoder werden immer angenommen.',
  'Password that an encoder must send as `?password=` to publish here. It applies to `publish://` only. A new password does not disconnect a publisher.':
    'Passwort, das ein Encoder als `?password=` angeben muss. Es gilt nur für `publish://`. Ein neues Passwort trennt keinen sendenden Encoder.',
  'Minimum length of a segment, which ends with the first key frame after this time.':
    'Mindestlänge eines Segments: Es endet mit dem ersten Schlüsselbild nach dieser Zeit.',
  'Length of a part of a segment. Low-latency players load parts, so a shorter part means less delay and more requests. It may not be longer than `segment_duration`.':
    'Länge der Teile eines Segments. Player mit niedriger Latenz laden einzelne Teile: Kürzere Teile bedeuten weniger Verzögerung und mehr Anfragen. Ein Teil darf nicht länger sein als `segment_duration`.',
  'Number of complete segments in a live playlist.': 'Zahl der vollständigen Segmente in einer Live-Playlist.',
  'Markers of splice points (SCTE-35) in HLS playlists: `rfc8216` as EXT-X-DATERANGE, `aws` as EXT-X-CUE-OUT and EXT-X-CUE-IN, `scte35` as those with the section in EXT-OATCLS-SCTE35. DASH always has them as events.':
    'Kennzeichnung von Splice-Punkten (SCTE-35) in HLS-Playlists: `rfc8216` mit EXT-X-DATERANGE, `aws` mit EXT-X-CUE-OUT und EXT-X-CUE-IN, `scte35` ebenso mit der Nachricht in EXT-OATCLS-SCTE35. DASH enthält sie immer als Ereignisse.',
  'Time without a frame after which an input counts as lost: its connection is closed and reopened. With several inputs, the stream moves on to the next one after `frames_timeout`, whose default is this time if it is set, and 3 seconds otherwise.':
    'Zeit ohne Bilder, nach der ein Eingang als verloren gilt und seine Verbindung neu aufgebaut wird. Bei mehreren Eingängen wechselt der Stream nach `frames_timeout` zum nächsten; Vorgabe dafür ist diese Zeit, falls angegeben, sonst 3 Sekunden.',
  'Time that a stream with `static false;` continues after the last request of its last viewer; at least three segments, because players send requests that rarely.':
    'Wie lange ein Stream mit `static false;` nach der letzten Anfrage seines letzten Zuschauers weiterläuft, mindestens aber drei Segmente, weil Player nur so oft anfragen.',
  'Number of attempts to reconnect a lost input without receiving a frame, before it is given up. It is tried again if an operator selects it or restarts the stream. The delay between attempts grows from 1 to 15 seconds.':
    'Zahl der erfolglosen Versuche, nach denen ein verlorener Eingang aufgegeben wird. Er wird erneut versucht, wenn er am Pult gewählt oder der Stream neu gestartet wird. Die Pausen zwischen Versuchen wachsen von 1 auf 15 Sekunden.',
  'File that plays in a loop while no input provides frames: MPEG-TS or MP4, with an absolute path or one relative to the data folder. It starts after `timeout` seconds without a frame (default 3). The first input with frames takes over at once.':
    'Datei, die in einer Schleife läuft, solange kein Eingang Bilder liefert: MPEG-TS oder MP4, mit absolutem Pfad oder relativ zum Datenordner. `timeout` ist die Zeit ohne Bilder, nach der sie startet (Sekunden; Vorgabe 3). Der erste Eingang mit Bildern übernimmt sofort.',
  'Playback of breaks. `overrun`: for a break by splice points that is shorter than its clips, whether the clip at its end is cut (`cut`, the default) or played to its end (`complete`). `fill`: for a break that is longer, whether the clips start again (`repeat`, the default), the stream returns (`programme`), or a slate plays, which is a file of a VOD location. The answer of the authorization backend may override both. `hls`: whether the HLS playlists contain the clips (`stitched`, the default) or the player inserts them (`interstitials`). `dash`: whether breaks with clips inside the segments (`v` 2) are in the period of the stream (`single`, the default) or in `periods` of their own. A change of `hls` or `dash` applies to new sessions. `archive`: whether the archive shows the programme during a break by splice points (`programme`, the default) or plays the break again with `clips`.':
    'Wiedergabe von Werbeblöcken. `overrun`: bei einem Block durch Splice-Punkte, der kürzer ist als seine Clips, ob der Clip an seinem Ende geschnitten wird (`cut`, Vorgabe) oder bis zum Ende spielt (`complete`). `fill`: bei einem längeren Block, ob die Clips von vorn beginnen (`repeat`, Vorgabe), der Stream zurückkehrt (`programme`) oder ein Standbild spielt, das eine Datei eines VOD-Orts ist. Die Antwort des Backends hat bei beiden Vorrang. `hls`: ob die HLS-Playlists die Clips enthalten (`stitched`, Vorgabe) oder der Player sie einfügt (`interstitials`). `dash`: ob Blöcke mit Clips in den Segmenten (`v` 2) in der Periode des Streams liegen (`single`, Vorgabe) oder in eigenen Perioden (`periods`). Eine Änderung von `hls` oder `dash` gilt für neue Sitzungen. `archive`: ob das Archiv während eines Blocks durch Splice-Punkte das Programm zeigt (`programme`, Vorgabe) oder den Block mit `clips` noch einmal spielt.',
  'Backend that authorizes sessions of this stream: an address, a file with the answer, `auth://name` of an `auth_backend`, or `subscribers://name` of a portal of this server; `false` for none. It takes precedence over `auth`. Other options are passed to it as parameters.':
    'Backend, das über jede neue Wiedergabe dieses Streams entscheidet: Adresse, Datei mit der Antwort, `auth://name` eines `auth_backend` oder `subscribers://name` eines Portals dieses Servers; mit `false` wird keines gefragt. Es hat Vorrang vor `auth`. Hier nicht genannte Optionen gehen als Parameter an das Backend.',
  'The older form of `on_play`; `auth false;` switches the backend of the server off for the stream.':
    'Ältere Form von `on_play`; `auth false;` schaltet das Backend des Servers für den Stream ab.',
  'Backend that authorizes encoders of this stream.':
    'Backend, das über jeden neuen Encoder dieses Streams entscheidet.',
  'Whether the archive has sessions of its own: the backend is asked with `dvr=true`, even if the viewer may already play the stream live.':
    'Ob die Wiedergabe des Archivs eine eigene Sitzung ist: Das Backend wird mit `dvr=true` gefragt, auch wenn der Zuschauer den Stream live sehen darf.',
  'Only signed addresses play this stream: `?expires=…&sig=…`, signed with one of these keys (see Authorization in the documentation). Up to four keys, so that a new one can be introduced before the old one is removed. With `false` the stream needs no signature, whatever its template and the top level configure.':
    'Nur signierte Adressen spielen diesen Stream ab: `?expires=…&sig=…`, signiert mit einem dieser Schlüssel (siehe Authorization in der Dokumentation). Bis zu vier Schlüssel sind möglich, damit ein neuer gelten kann, bevor der alte entfällt. Mit `false` braucht der Stream keine Signatur, unabhängig von Vorlage und oberster Ebene.',
  'An encoder may publish here with a signed address: `?expires=…&sig=…`. With a `password` too, either of them is enough. With `false` no key is valid here, whatever the template and the top level configure.':
    'Encoder dürfen mit einer signierten Adresse senden: `?expires=…&sig=…`. Gibt es auch ein `password`, genügt eines von beiden. Mit `false` gilt hier kein Schlüssel, unabhängig von Vorlage und oberster Ebene.',
  'Conditions for raising and clearing an alarm of the stream, and its severity (see Alarms in the documentation). The directive may repeat; alarms of other kinds are inherited from the top level.':
    'Wann ein Alarm des Streams ausgelöst und aufgehoben wird und wie schwer er ist (siehe Alarms in der Dokumentation). Die Direktive darf mehrmals vorkommen; für andere Arten gilt weiterhin die oberste Ebene.',
  'Whether the loudness of the first audio track (EBU R128) is measured and stored, also without a loudness alarm: momentary and short-term for each 100 ms for 24 hours, figures of each hour for 90 days.':
    'Misst und speichert die Lautheit der ersten Tonspur (EBU R128), auch ohne Lautheitsalarm: momentan und kurzzeitig alle 100 ms für 24 Stunden, Stundenwerte für 90 Tage.',
  'Protocols for playing the stream; a `-` before a name excludes it. `hls`, `dash`, `cmaf` (both of them), `mpegts` (also `tshttp`) and `mp4` have an effect; names of protocols that are not served yet are accepted too. The desk still plays the stream.':
    'Protokolle, mit denen der Stream abgespielt werden darf; ein `-` vor dem Namen schließt ein Protokoll aus. Wirksam sind `hls`, `dash`, `cmaf` (beide), `mpegts` (auch `tshttp`) und `mp4`; Namen noch nicht unterstützter Protokolle sind erlaubt. Das Pult spielt den Stream immer ab.',
  'Whether DASH is switched off for the stream. The desk still plays it.':
    'Schaltet DASH für den Stream ab. Das Pult spielt ihn weiterhin ab.',
  'Whether HLS is switched off for the stream. The desk still plays it.':
    'Schaltet HLS für den Stream ab. Das Pult spielt ihn weiterhin ab.',
  'Whether MPEG-TS over HTTP is switched off for the stream. The desk still plays it.':
    'Schaltet MPEG-TS über HTTP für den Stream ab. Das Pult spielt ihn weiterhin ab.',
  'Records the stream into a folder (absolute, or relative to the data folder) or a named storage. The time limits the age of recordings, the size their total on all disks, and the percentage the use of a disk: the oldest blocks are deleted once a minute, except locked ones. The words may come in any order. `copy` has no effect yet.':
    'Zeichnet den Stream auf: in einen Ordner (absolut oder im Datenordner) oder einen benannten Speicher. Die Zeit legt fest, wie lange Aufzeichnungen bleiben, die Größe, wie viel Platz sie auf allen Datenträgern zusammen belegen dürfen, und der Prozentwert, wie voll ein Datenträger werden darf. Einmal in der Minute werden die ältesten Blöcke darüber hinaus gelöscht, außer gesperrten. Die Reihenfolge der Angaben ist beliebig. `copy` hat noch keine Wirkung.',
  'Like `dvr`, but nothing is recorded until `dvr_enable` of the legacy API switches the stream on. Recordings are kept and deleted as with `dvr`, which takes precedence.':
    'Wie `dvr`, aber der Stream wird erst aufgezeichnet, wenn er mit `dvr_enable` der alten API eingeschaltet wurde. Aufzeichnungen werden ebenso behalten und gelöscht; `dvr` hat Vorrang.',
  'Sends the stream to another server. The directive may repeat.':
    'Sendet den Stream an einen anderen Server. Die Direktive darf mehrmals vorkommen.',
  'Amount of media that a new viewer gets at once.': 'Datenmenge, die ein neuer Zuschauer auf einmal bekommt.',
  'Transcodes the stream: bit rates, sizes, codecs. A key may repeat, for another rendition.':
    'Kodiert den Stream neu: Bitraten, Größen, Codecs. Ein Schlüssel darf wiederholt werden, für weitere Qualitäten.',
  'A picture in a corner of the player; distances are in pixels.':
    'Bild in einer Ecke des Players; Abstände in Pixeln.',
  'Whether thumbnails for seeking are made.': 'Erzeugt Vorschaubilder zum Suchen.',
  'Provider of the programme: shown in the APIs and usable as a filter, and the group of its channels in M3U lists.':
    'Anbieter des Programms: Die APIs zeigen ihn und filtern danach; in M3U-Listen ist er die Gruppe der Sender.',
  'Labels for filters and statistics: at most 64, with names of up to 64 and values of up to 200 characters.':
    'Kennzeichen für Filter und Statistik: höchstens 64, mit Namen bis 64 und Werten bis 200 Zeichen.',
  'Information for other systems, which has no effect here. The directive may repeat.':
    'Zusätzliche Angabe für andere Systeme. Die Direktive darf mehrmals vorkommen.',
  'Secret of the cluster, for this stream only.': 'Das Geheimnis des Clusters, nur für diesen Stream.',
  'One server of the cluster takes the input, the others take it from there.':
    'Ein Server des Clusters empfängt den Eingang; die anderen übernehmen ihn von dort.',
  'Encryption of segments.': 'Verschlüsselung der Segmente.',
  'Raises an alarm for silence: quieter than `noise` for `duration`; repeated after each `interval`.':
    'Löst einen Alarm aus, wenn der Ton fehlt: leiser als `noise` für die Zeit `duration`; erneut nach jedem `interval`.',
  'Detects motion in the video.': 'Erkennt Bewegung im Bild.',
  'Whether HLS offers an audio-only variant.': 'Bietet in HLS eine Variante nur mit Ton an.',
  'Whether CMAF segments are made.': 'Erzeugt CMAF-Segmente.',
  'Interval at which DASH players reload the manifest.': 'Abstand, in dem DASH-Player das Manifest neu laden.',
  'Prefix of segment addresses in manifests, for delivery through a CDN.':
    'Präfix der Segmentadressen in Manifesten, zur Auslieferung über ein CDN.',
  'Choice of the rendition in WebRTC.': 'Auswahl der Qualität bei WebRTC.',
  'The PIDs of the MPEG transport stream.': 'PIDs des MPEG-Transportstroms.',
  'Headers of every reply to players.': 'Kopfzeilen in jeder Antwort an Player.',
  'The cache for the segments of this stream.': 'Cache für die Segmente dieses Streams.',
  'Whether encoders may publish.': 'Erlaubt Encodern zu senden.',
  'Whether HDS is switched off for the stream.': 'Schaltet HDS für den Stream ab.',
  'Whether transfer between servers in M4F is switched off for the stream.':
    'Schaltet die Übertragung zwischen Servern mit M4F für den Stream ab.',
  'Whether transfer between servers in M4S is switched off for the stream.':
    'Schaltet die Übertragung zwischen Servern mit M4S für den Stream ab.',
  'Whether the collection of measurements is switched off for the stream.':
    'Schaltet das Erfassen von Messwerten für den Stream ab.',
  'Whether RTMP is switched off for the stream.': 'Schaltet RTMP für den Stream ab.',
  'Whether RTSP is switched off for the stream.': 'Schaltet RTSP für den Stream ab.',
  'Whether WebRTC is switched off for the stream.': 'Schaltet WebRTC für den Stream ab.',
  'Inherits settings from the template or live prefix of this name, unless the stream sets them itself.':
    'Übernimmt die Einstellungen der Vorlage oder des Live-Präfixes dieses Namens, soweit der Stream sie nicht selbst festlegt.',
  'Encoders may publish under these prefixes: with `prefix cams;`, publishing to `rtmp://host/cams/gate` makes the stream `cams/gate`.':
    'Präfixe, unter denen Encoder senden dürfen: Mit `prefix cams;` wird aus `rtmp://host/cams/gate` der Stream `cams/gate`.',
};
