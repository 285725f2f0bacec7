interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: Element[];
}

/** Segment of an MPD: media time and duration in its timescale. */
interface ReadMpdSegment {
  readonly t: number;
  readonly d: number;
}

/** One Representation in its AdaptationSet. */
interface ReadMpdSet {
  readonly id: string;
  readonly trackId: string;
  readonly initialization: string;
  readonly media: string;
  readonly offset: number;
  readonly timescale: number;
  readonly segments: readonly ReadMpdSegment[];
}

/** A Period with its start in milliseconds. */
interface ReadMpdPeriod {
  readonly id: string;
  readonly startMs: number;
  readonly sets: readonly ReadMpdSet[];
}

/** MPD as understood by a strict client. */
export interface ReadMpd {
  readonly attributes: ReadonlyMap<string, string>;
  readonly periods: readonly ReadMpdPeriod[];
}

/** Allowed children of elements, in their order (ISO/IEC 23009-1, the schema). */
const ORDER: Readonly<Record<string, readonly string[]>> = {
  MPD: ['ServiceDescription', 'Period', 'UTCTiming'],
  Period: ['EventStream', 'AdaptationSet'],
  EventStream: ['Event'],
  Event: ['Signal'],
  Signal: ['Binary'],
  AdaptationSet: ['SupplementalProperty', 'Role', 'SegmentTemplate', 'Representation'],
  SegmentTemplate: ['SegmentTimeline'],
};

/** Parses an MPD; throws at the first error that a strict client may refuse. */
export function readStrictMpd(text: string): ReadMpd {
  const root = readXml(text);
  ensure(root.name === 'MPD', 'the root is MPD');
  const periods = root.children.filter(({ name }) => name === 'Period').map(readPeriod);
  ensure(periods.length > 0, 'there is a Period');
  ensure(new Set(periods.map(({ id }) => id)).size === periods.length, `each Period has an id of its own, in\n${text}`);
  for (const [index, { startMs }] of periods.entries())
    ensure(startMs > (periods[index - 1]?.startMs ?? -1), 'Periods start in order');
  return { attributes: root.attributes, periods };
}

/** Checks the invariants between an MPD and the next one (5.4: Periods keep their identity and start). */
export function checkUpdate(before: ReadMpd, after: ReadMpd): void {
  for (const period of after.periods) {
    const old = before.periods.find(({ id }) => id === period.id);
    if (!old) {
      ensure(period.startMs > (before.periods.at(-1)?.startMs ?? 0), `Period ${period.id} is new, so it comes last`);
      continue;
    }
    ensure(old.startMs === period.startMs, `Period ${period.id} keeps its start`);
    for (const set of period.sets) {
      const earlier = old.sets.find(({ id }) => id === set.id);
      if (!earlier) continue;
      ensure(
        earlier.trackId === set.trackId &&
          earlier.initialization === set.initialization &&
          earlier.offset === set.offset,
        `set ${set.id} of ${period.id} keeps its track, its init segment and its time offset`,
      );
      const last = earlier.segments.at(-1)?.t ?? 0;
      for (const { t, d } of earlier.segments) {
        const now = set.segments.find((segment) => segment.t === t);
        if (now && t < last) ensure(now.d === d, `segment ${t} keeps its length`);
        ensure(now !== undefined || t < (set.segments[0]?.t ?? Infinity), `segment ${t} leaves at the start only`);
      }
    }
  }
}

function readPeriod(element: Element): ReadMpdPeriod {
  const elements = element.children.filter(({ name }) => name === 'AdaptationSet');
  const ids = new Set(elements.map((set) => need(set, 'id')));
  ensure(ids.size === elements.length, 'each AdaptationSet has an id of its own');
  const sets = elements.flatMap(readSet);
  return { id: need(element, 'id'), startMs: readDuration(need(element, 'start')), sets };
}

/** Reads an AdaptationSet: with one Representation, or with several that have a template each. */
function readSet(element: Element): ReadMpdSet[] {
  const representations = element.children.filter(({ name }) => name === 'Representation');
  ensure(representations.length > 0, 'an AdaptationSet has a Representation');
  const common = element.children.find(({ name }) => name === 'SegmentTemplate');
  return representations.map((one) => {
    const id = need(element, 'id');
    const template = one.children.find(({ name }) => name === 'SegmentTemplate') ?? common;
    if (!template) throw new Error('mpd: a Representation has a template');
    return readRepresentation(representations.length === 1 ? id : `${id} ${need(one, 'id')}`, one, template);
  });
}

function readRepresentation(id: string, representation: Element, template: Element): ReadMpdSet {
  ensure(Number(need(representation, 'bandwidth')) > 0, 'bandwidth is positive');
  const segments: ReadMpdSegment[] = [];
  for (const { name, attributes } of template.children[0]?.children ?? []) {
    ensure(name === 'S', 'a timeline has S');
    const before = segments.at(-1);
    const end = before ? before.t + before.d : Number.NaN;
    const t = attributes.has('t') ? Number(attributes.get('t')) : end;
    const d = Number(attributes.get('d'));
    ensure(Number.isInteger(t) && Number.isInteger(d) && d > 0, `S has whole numbers: ${t} ${d}`);
    ensure(!before || t >= end, `segment ${t} starts after the end ${end} of the one before it`);
    for (let repeat = Number(attributes.get('r') ?? 0); repeat >= 0; repeat--)
      segments.push({
        t: segments.length > 0 && repeat < Number(attributes.get('r') ?? 0) ? (segments.at(-1)?.t ?? 0) + d : t,
        d,
      });
  }
  ensure(segments.length > 0, 'a timeline is not empty');
  return {
    id,
    trackId: need(representation, 'id'),
    initialization: need(template, 'initialization'),
    media: need(template, 'media'),
    offset: Number(need(template, 'presentationTimeOffset')),
    timescale: Number(need(template, 'timescale')),
    segments,
  };
}

function readXml(text: string): Element {
  const root: Element = { name: '', attributes: new Map(), children: [] };
  const path = [root];
  let at = 0;
  for (const match of text.matchAll(/<(\/?)([A-Za-z:]+)((?:\s+[\w:]+="[^"<]*")*)\s*(\/?)>|<\?xml[^?]*\?>/g)) {
    const between = text.slice(at, match.index).trim();
    const isBinary = path.at(-1)?.name === 'Binary' && /^[A-Za-z0-9+/]+=*$/.test(between);
    ensure(between === '' || isBinary, `nothing lies between tags: ${between}`);
    at = match.index + match[0].length;
    const [, isEnd, name, list = '', isEmpty] = match;
    if (name === undefined) continue;
    const parent = path[path.length - 1] as Element;
    if (isEnd) {
      ensure(parent.name === name, `${name} ends what is open`);
      path.pop();
      continue;
    }
    const attributes = new Map(
      [...list.matchAll(/([\w:]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, unescape(value)]),
    );
    const element = { name, attributes, children: [] };
    const order = ORDER[parent.name];
    const last = parent.children.at(-1);
    if (order && last) ensure(order.indexOf(name) >= order.indexOf(last.name), `${name} comes after ${last.name}`);
    parent.children.push(element);
    if (!isEmpty) path.push(element);
  }
  ensure(text.slice(at).trim() === '' && path.length === 1, 'everything is closed');
  const [only] = root.children;
  if (!only) throw new Error('mpd: there is a root');
  return only;
}

function unescape(value: string): string {
  ensure(!/&(?!amp;|lt;|gt;|quot;|apos;)/.test(value), `${value} is escaped`);
  return value.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
}

function readDuration(text: string): number {
  const seconds = /^PT(\d+(?:\.\d+)?)S$/.exec(text)?.[1];
  ensure(seconds !== undefined, `${text} is a duration`);
  return Math.round(Number(seconds) * 1000);
}

function need({ name, attributes }: Element, attribute: string): string {
  const value = attributes.get(attribute);
  if (value === undefined) throw new Error(`mpd: ${name} has ${attribute}`);
  return value;
}

function ensure(isMet: boolean, rule: string): void {
  if (!isMet) throw new Error(`mpd: ${rule}`);
}
