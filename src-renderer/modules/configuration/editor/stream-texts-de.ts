/** German descriptions of directives of streams, live prefixes and templates, by their English text in the server's tables. */
export const STREAM_DOCS_DE: Readonly<Record<string, string>> = {
  'A stream with its inputs. It is played at `/name/index.m3u8`. A stream `cam1` with `input publish://;` is published at `rtmp://host/static/cam1`.':
    'Ein Stream mit seinen Eingängen. Abgespielt wird er unter `/name/index.m3u8`. An einen Stream `cam1` mit `input publish://;` wird unter `rtmp://host/static/cam1` gesendet.',
  'A live prefix: encoders may publish anything under it. What is published at `rtmp://host/prefix/cam1` becomes the stream `prefix/cam1`, with the settings of the block.':
    'Ein Live-Präfix: Encoder dürfen alles darunter senden. Was unter `rtmp://host/prefix/cam1` gesendet wird, wird der Stream `prefix/cam1` mit den Einstellungen des Blocks.',
  'Settings under a name: for streams that say `template name;`, and for everything that is published under its prefixes.':
    'Einstellungen unter einem Namen: für Streams, die `template name;` sagen, und für alles, was unter ihren Präfixen gesendet wird.',
  'Settings of plugins, by their name.': 'Einstellungen von Plugins, nach deren Namen.',
  'Settings of one plugin.': 'Einstellungen eines Plugins.',
  'An input of the stream: the address of a camera, an encoder, a file or another server, or `publish://` to wait for an encoder. With several inputs the first one that gives frames is used, in the order of `priority` (1 before 2) and then of the file. A better one is tried again without interrupting the picture, and comes back when it was steady for ten seconds; an encoder that publishes comes back at once. `frames_timeout` is how long this input may be silent before the stream moves on to another one (seconds; the default is its `source_timeout` where it or the stream sets one, and 3 otherwise). `source_timeout` is how long it may be silent before its connection is closed and made again (seconds; the default is that of the stream). All other options go to the reader of the address (see publishing); one that no reader has is refused by the API, and in the text where it nearly has the name of another; otherwise it is kept with a warning. An address with spaces, `;`, `{` or `}` stands in quotation marks.':
    'Ein Eingang des Streams: die Adresse einer Kamera, eines Encoders, einer Datei oder eines anderen Servers, oder `publish://`, um auf einen Encoder zu warten. Von mehreren wird der erste benutzt, der Bilder gibt, in der Reihenfolge von `priority` (1 vor 2) und dann der Datei. Ein besserer wird wieder versucht, ohne das Bild zu unterbrechen, und kehrt zurück, wenn er zehn Sekunden stetig war; ein Encoder, der sendet, sofort. `frames_timeout` ist, wie lange dieser Eingang stumm sein darf, bevor der Stream zum nächsten geht (Sekunden; ohne Angabe sein `source_timeout`, wo er oder der Stream eines setzt, sonst 3). `source_timeout` ist, wie lange er stumm sein darf, bevor seine Verbindung geschlossen und neu gemacht wird (Sekunden; ohne Angabe die des Streams). Alle anderen Optionen gehen an den Leser der Adresse (siehe publishing); eine, die kein Leser kennt, weist die API ab, und der Text dort, wo sie fast wie eine andere heißt; sonst bleibt sie mit einer Warnung stehen. Eine Adresse mit Leerzeichen, `;`, `{` oder `}` steht in Anführungszeichen.',
  'The name that people see. A title with spaces stands in quotation marks.':
    'Der Name, den Menschen sehen. Ein Titel mit Leerzeichen steht in Anführungszeichen.',
  'A note for the operators; it is shown and has no effect.':
    'Eine Notiz für die am Pult; sie wird gezeigt und hat keine Wirkung.',
  'The place of the stream in lists: smaller numbers come first, 0 without one. Streams of one place are in the order of their names.':
    'Der Platz des Streams in Listen: kleinere Zahlen kommen zuerst, ohne Angabe 0. Streams mit gleichem Platz stehen in der Reihenfolge ihrer Namen.',
  'The stream stays in the configuration and does not run.': 'Der Stream bleibt in der Konfiguration und läuft nicht.',
  'Whether the stream runs all the time. With `static false;` it starts with its first viewer, who waits at most ten seconds for the first segment, and ends `clients_timeout` after the last. Publishers are taken in any case.':
    'Ob der Stream immer läuft. Mit `static false;` beginnt er mit seinem ersten Zuschauer, der höchstens zehn Sekunden auf das erste Segment wartet, und endet `clients_timeout` nach dem letzten. Encoder werden in jedem Fall angenommen.',
  'What an encoder must give as `?password=` to publish here. It concerns `publish://` only. A new password does not disconnect a publisher.':
    'Was ein Encoder als `?password=` angeben muss, um hierher zu senden. Es betrifft nur `publish://`. Ein neues Passwort trennt keinen Encoder.',
  'How long a segment is at least: it ends with the first key frame after this time.':
    'Wie lang ein Segment mindestens ist: es endet mit dem ersten Schlüsselbild nach dieser Zeit.',
  'How long a part of a segment is. Players for low latency load parts, so a shorter part means less delay and more requests. It may not be longer than `segment_duration`.':
    'Wie lang ein Teil eines Segments ist. Player für kurze Verzögerung laden Teile, ein kürzerer Teil heißt also weniger Verzögerung und mehr Anfragen. Er darf nicht länger sein als `segment_duration`.',
  'How many complete segments a live playlist holds.': 'Wie viele ganze Segmente eine Live-Playlist hält.',
  'How splice points (SCTE-35) are marked in HLS playlists: `rfc8216` as EXT-X-DATERANGE, `aws` as EXT-X-CUE-OUT and EXT-X-CUE-IN, `scte35` as those with the section in EXT-OATCLS-SCTE35. DASH always has them as events.':
    'Wie Splice-Punkte (SCTE-35) in HLS-Playlists stehen: `rfc8216` als EXT-X-DATERANGE, `aws` als EXT-X-CUE-OUT und EXT-X-CUE-IN, `scte35` ebenso mit dem Abschnitt in EXT-OATCLS-SCTE35. DASH hat sie immer als Ereignisse.',
  'How long an input may give no frame before it counts as lost: its connection is closed and made again. With several inputs the stream moves on to the next one after `frames_timeout`, which is this time where it is set, and 3 seconds otherwise.':
    'Wie lange ein Eingang keine Bilder geben darf, bevor er als verloren gilt: seine Verbindung wird geschlossen und neu gemacht. Mit mehreren Eingängen geht der Stream nach `frames_timeout` zum nächsten; das ist diese Zeit, wo sie gesetzt ist, sonst 3 Sekunden.',
  'How long a stream with `static false;` goes on after the last request of its last viewer, but at least three segments, because players ask that rarely.':
    'Wie lange ein Stream mit `static false;` nach der letzten Anfrage seines letzten Zuschauers weiterläuft, mindestens aber drei Segmente, weil Player so selten fragen.',
  'How often a lost input is tried again, without a frame between the attempts, before it is given up. It is tried again when an operator selects it, or when the stream is restarted. The waits between attempts grow from 1 to 15 seconds.':
    'Wie oft ein verlorener Eingang erneut versucht wird, ohne ein Bild zwischen den Versuchen, bevor er aufgegeben wird. Wieder versucht wird er, wenn ihn jemand am Pult wählt oder der Stream neu gestartet wird. Die Pausen zwischen den Versuchen wachsen von 1 auf 15 Sekunden.',
  'A file that plays, again and again, while no input gives frames: MPEG-TS or MP4, with an absolute path or one under the data folder. `timeout` is how long nothing may have given a frame before it plays (seconds; the default is 3). The first input that gives frames takes over at once.':
    'Eine Datei, die immer wieder spielt, solange kein Eingang Bilder gibt: MPEG-TS oder MP4, mit absolutem Pfad oder einem unter dem Datenordner. `timeout` ist, wie lange nichts Bilder gegeben haben muss, bevor sie spielt (Sekunden; ohne Angabe 3). Der erste Eingang, der Bilder gibt, übernimmt sofort.',
  'How breaks play. `overrun`, for a break by splice points that is shorter than its clips: whether the clip that its end comes in is cut (the default) or shown `complete`. `fill`, for one that is longer: what follows the last clip: the clips from the first one on (`repeat`, the default), the stream (`programme`), or a slate, a file of a VOD location that plays until the end. The answer of the authorization backend may say otherwise in both. `hls`: whether clips stand in the playlists of HLS (`stitched`, the default) or the player inserts them (`interstitials`); it counts for sessions that begin later. `dash`: whether breaks with clips inside the segments (`v` 2) lie in the period of the stream (`single`, the default) or are `periods` of their own; it counts for sessions that begin later, too. `archive`: whether breaks by splice points show what was on air when a viewer comes to them in the archive (`programme`, the default), or are played again with `clips`.':
    'Wie Werbeblöcke spielen. `overrun`, für einen Block durch Splice-Punkte, der kürzer ist als seine Clips: ob der Clip, in den sein Ende fällt, geschnitten wird (ohne Angabe) oder ganz gezeigt wird (`complete`). `fill`, für einen, der länger ist: was auf den letzten Clip folgt: die Clips vom ersten an (`repeat`, ohne Angabe), der Stream (`programme`), oder ein Standbild, eine Datei eines VOD-Orts, die bis zum Ende spielt. Die Antwort des Backends darf beides anders sagen. `hls`: ob Clips in den Playlists von HLS stehen (`stitched`, ohne Angabe) oder der Player sie einfügt (`interstitials`); es gilt für Sitzungen, die später beginnen. `dash`: ob Blöcke mit Clips in den Segmenten (`v` 2) in der Periode des Streams liegen (`single`, ohne Angabe) oder eigene Perioden sind (`periods`); auch das gilt für Sitzungen, die später beginnen. `archive`: ob Blöcke durch Splice-Punkte zeigen, was auf Sendung war, wenn ein Zuschauer im Archiv zu ihnen kommt (`programme`, ohne Angabe), oder mit `clips` noch einmal gespielt werden.',
  'The backend that is asked before a session may play this stream: an address, a file with the answer, `auth://name` of an `auth_backend`, or `subscribers://name` of a portal of this server; with `false` none is asked. It comes before `auth`. Options that are not named here go to it as parameters.':
    'Das Backend, das gefragt wird, bevor eine Sitzung diesen Stream abspielen darf: eine Adresse, eine Datei mit der Antwort, `auth://name` eines `auth_backend`, oder `subscribers://name` eines Portals dieses Servers; mit `false` wird keines gefragt. Es kommt vor `auth`. Optionen, die hier nicht genannt sind, gehen als Parameter an es.',
  'The older form of `on_play`; `auth false;` switches the backend of the server off for the stream.':
    'Die ältere Form von `on_play`; `auth false;` schaltet das Backend des Servers für den Stream ab.',
  'The backend that is asked before an encoder may publish this stream.':
    'Das Backend, das gefragt wird, bevor ein Encoder diesen Stream senden darf.',
  'Whether the archive is a session of its own: the backend is asked about it with `dvr=true`, also where the viewer may see the stream live.':
    'Ob das Archiv eine eigene Sitzung ist: das Backend wird mit `dvr=true` danach gefragt, auch wo der Zuschauer den Stream live sehen darf.',
  'Only signed addresses play this stream: `?expires=…&sig=…`, signed with one of these keys (see `authorization.md`). Up to four keys, so that a new one can come into use before the old one goes. With `false` the stream needs none, whatever its template and the top level say.':
    'Nur signierte Adressen spielen diesen Stream ab: `?expires=…&sig=…`, signiert mit einem dieser Schlüssel (siehe `authorization.md`). Bis zu vier Schlüssel, damit ein neuer gelten kann, bevor der alte geht. Mit `false` braucht der Stream keine, was auch die Vorlage und die oberste Ebene sagen.',
  'An encoder may publish here with a signed address: `?expires=…&sig=…`. Where there is a `password` too, either lets it in. With `false` no key holds here, whatever the template and the top level say.':
    'Ein Encoder darf hierher mit einer signierten Adresse senden: `?expires=…&sig=…`. Wo es auch ein `password` gibt, lässt jedes von beiden ein. Mit `false` gilt hier kein Schlüssel, was auch die Vorlage und die oberste Ebene sagen.',
  'When an alarm of the stream is raised and cleared, and how bad it is (see `alarms.md`). The directive may come several times; what the top level says of other kinds holds too.':
    'Wann ein Alarm des Streams gemeldet und aufgehoben wird, und wie schwer er ist (siehe `alarms.md`). Die Direktive darf mehrmals stehen; was die oberste Ebene von anderen Arten sagt, gilt auch.',
  'Whether the loudness of the first sound (EBU R128) is measured and kept, also without an alarm of it: momentary and short-term each 100 ms for 24 hours, figures of each hour for 90 days.':
    'Ob die Lautheit des ersten Tons (EBU R128) gemessen und aufgehoben wird, auch ohne einen Alarm darauf: momentan und kurzzeitig alle 100 ms für 24 Stunden, Zahlen je Stunde für 90 Tage.',
  'The protocols that the stream may be played with; a `-` before a name excludes it. `hls`, `dash`, `cmaf` (both of them), `mpegts` (also `tshttp`) and `mp4` have an effect; names of protocols that are not served yet are taken, too. The desk plays the stream all the same.':
    'Die Protokolle, mit denen der Stream abgespielt werden darf; ein `-` vor einem Namen schließt es aus. `hls`, `dash`, `cmaf` (beide), `mpegts` (auch `tshttp`) und `mp4` wirken; Namen von Protokollen, die es noch nicht gibt, werden auch genommen. Das Pult spielt den Stream trotzdem.',
  'Whether DASH is switched off for the stream. The desk plays it all the same.':
    'Ob DASH für den Stream abgeschaltet ist. Das Pult spielt ihn trotzdem.',
  'Whether HLS is switched off for the stream. The desk plays it all the same.':
    'Ob HLS für den Stream abgeschaltet ist. Das Pult spielt ihn trotzdem.',
  'Whether MPEG-TS over HTTP is switched off for the stream. The desk plays it all the same.':
    'Ob MPEG-TS über HTTP für den Stream abgeschaltet ist. Das Pult spielt ihn trotzdem.',
  'Records the stream, into a folder (absolute, or below the data folder) or a named storage. The time is how long it is kept, the size how much it may have on all disks together, and the percentage how full a disk may become: once a minute the oldest blocks are deleted, but for those that are locked. The words come in any order. `copy` has no effect yet.':
    'Zeichnet den Stream auf, in einen Ordner (absolut oder unter dem Datenordner) oder einen benannten Speicher. Die Zeit ist, wie lange es behalten wird, die Größe, wie viel es auf allen Datenträgern zusammen haben darf, und der Anteil, wie voll ein Datenträger werden darf: einmal in der Minute werden die ältesten Blöcke gelöscht, außer gesperrten. Die Wörter stehen in beliebiger Reihenfolge. `copy` hat noch keine Wirkung.',
  'As `dvr`, but nothing is recorded until the stream is switched on by `dvr_enable` of the legacy API. What was recorded is kept and cleaned as with `dvr`, which goes before it.':
    'Wie `dvr`, aber aufgezeichnet wird erst, wenn der Stream mit `dvr_enable` der alten API eingeschaltet ist. Was aufgezeichnet wurde, wird wie mit `dvr` behalten und gelöscht; jenes geht vor.',
  'Sends the stream to another server. The directive may come several times.':
    'Sendet den Stream an einen anderen Server. Die Direktive darf mehrmals stehen.',
  'How much a new viewer is sent at once.': 'Wie viel ein neuer Zuschauer auf einmal bekommt.',
  'Encodes the stream again: bit rates, sizes, codecs. A key may come again, for a further rendition.':
    'Kodiert den Stream neu: Bitraten, Größen, Codecs. Ein Schlüssel darf noch einmal kommen, für eine weitere Fassung.',
  'A picture in a corner of the player; distances are in pixels.':
    'Ein Bild in einer Ecke des Players; Abstände in Pixeln.',
  'Whether small pictures for seeking are made.': 'Ob kleine Bilder zum Suchen gemacht werden.',
  'Provider of the programme: shown and filtered by in the APIs, and the group of its channels in M3U lists.':
    'Anbieter des Programms: in den APIs gezeigt und als Filter, und die Gruppe seiner Sender in M3U-Listen.',
  'Labels for filters and statistics.': 'Kennzeichen für Filter und Statistik.',
  'A fact for other systems. The directive may come several times.':
    'Eine Angabe für andere Systeme. Die Direktive darf mehrmals stehen.',
  'The secret of the cluster, for this stream alone.': 'Das Geheimnis des Clusters, nur für diesen Stream.',
  'One server of the cluster takes the input, the others take it from there.':
    'Ein Server des Clusters holt den Eingang, die anderen holen ihn von dort.',
  'How segments are encrypted.': 'Wie Segmente verschlüsselt werden.',
  'Raises an alarm when the sound is missing: quieter than `noise` for `duration`; again after each `interval`.':
    'Meldet einen Alarm, wenn der Ton fehlt: leiser als `noise` für `duration`; erneut nach jedem `interval`.',
  'Marks movement in the picture.': 'Markiert Bewegung im Bild.',
  'Whether HLS offers a variant with sound alone.': 'Ob HLS eine Variante nur mit Ton anbietet.',
  'Whether CMAF segments are made.': 'Ob CMAF-Segmente gemacht werden.',
  'How often DASH players load the manifest again.': 'Wie oft DASH-Player das Manifest neu laden.',
  'What stands before segment addresses in manifests, for delivery through a CDN.':
    'Was vor Adressen von Segmenten in Manifesten steht, für die Auslieferung über ein CDN.',
  'How WebRTC chooses between renditions.': 'Wie WebRTC zwischen Fassungen wählt.',
  'The PIDs of the MPEG transport stream.': 'Die PIDs des MPEG-Transportstroms.',
  'Headers that go with every reply to players.': 'Kopfzeilen, die mit jeder Antwort an Player gehen.',
  'The cache for the segments of this stream.': 'Der Cache für die Segmente dieses Streams.',
  'Whether encoders may publish.': 'Ob Encoder senden dürfen.',
  'Whether HDS is switched off for the stream.': 'Ob HDS für den Stream abgeschaltet ist.',
  'Whether transfer between servers in M4F is switched off for the stream.':
    'Ob die Übertragung zwischen Servern in M4F für den Stream abgeschaltet ist.',
  'Whether transfer between servers in M4S is switched off for the stream.':
    'Ob die Übertragung zwischen Servern in M4S für den Stream abgeschaltet ist.',
  'Whether the collection of measurements is switched off for the stream.':
    'Ob das Sammeln von Messwerten für den Stream abgeschaltet ist.',
  'Whether RTMP is switched off for the stream.': 'Ob RTMP für den Stream abgeschaltet ist.',
  'Whether RTSP is switched off for the stream.': 'Ob RTSP für den Stream abgeschaltet ist.',
  'Whether WebRTC is switched off for the stream.': 'Ob WebRTC für den Stream abgeschaltet ist.',
  'Takes over what the template or live prefix of this name sets, where the stream does not set it itself.':
    'Übernimmt, was die Vorlage oder das Live-Präfix dieses Namens setzt, wo der Stream es nicht selbst setzt.',
  'Encoders may publish under these prefixes: `prefix cams;` makes the stream `cams/gate` of what is published at `rtmp://host/cams/gate`.':
    'Encoder dürfen unter diesen Präfixen senden: `prefix cams;` macht den Stream `cams/gate` aus dem, was unter `rtmp://host/cams/gate` gesendet wird.',
};
