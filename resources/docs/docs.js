'use strict';

/** Texts around the pages, which are English, in the languages of the desk. */
const TEXTS = {
  en: {
    search: 'Search the documentation',
    key: 'Search ( / )',
    none: 'No page has all these words.',
    failed: 'The search index cannot be loaded.',
    pages: 'Pages',
    desk: 'Desk',
    skip: 'Skip to the text',
  },
  de: {
    search: 'Dokumentation durchsuchen',
    key: 'Suchen ( / )',
    none: 'Keine Seite enthält alle diese Wörter.',
    failed: 'Der Suchindex lässt sich nicht laden.',
    pages: 'Seiten',
    desk: 'Desk',
    skip: 'Zum Text',
  },
};

/** Maximum number of results. */
const MAX_RESULTS = 30;
/** Characters of a result before and after the first word found. */
const EXCERPT = 70;

const root = document.body.dataset.root ?? '';
const input = document.getElementById('search');
const list = document.getElementById('results');
const texts = TEXTS[languageOfDesk()];
let index;
let selected = -1;

/** Language of the desk in this browser, else of the browser; English where it is neither. */
function languageOfDesk() {
  const chosen = localStorage.getItem('airdesk-language');
  const language = chosen === 'en' || chosen === 'de' ? chosen : navigator.language.slice(0, 2).toLowerCase();
  return language === 'de' ? 'de' : 'en';
}

/** Sections that have all words: those with the whole query in the heading first, then those with a word in the heading, then the others. */
function find(sections, query) {
  const search = query.trim().toLowerCase();
  const words = search.split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const ranks = [[], [], []];
  for (const section of sections) {
    const heading = section.heading.toLowerCase();
    const all = `${section.page}\n${heading}\n${section.text}`.toLowerCase();
    if (!words.every((word) => all.includes(word))) continue;
    ranks[heading.includes(search) ? 0 : words.some((word) => heading.includes(word)) ? 1 : 2].push(section);
  }
  return ranks.flat().slice(0, MAX_RESULTS);
}

/** Text around the first word that is found. */
function excerpt(text, query) {
  const word = query.trim().split(/\s+/)[0].toLowerCase();
  const at = Math.max(0, text.toLowerCase().indexOf(word));
  const start = Math.max(0, at - EXCERPT);
  return `${start > 0 ? '… ' : ''}${text.slice(start, at + EXCERPT)}${at + EXCERPT < text.length ? ' …' : ''}`;
}

function element(tag, className, text) {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

/** Marks the n-th result for the keyboard. */
function select(n) {
  const options = [...list.querySelectorAll('a')];
  selected = options.length === 0 ? -1 : (n + options.length) % options.length;
  options.forEach((option, place) => option.setAttribute('aria-selected', String(place === selected)));
  if (selected < 0) return input.removeAttribute('aria-activedescendant');
  input.setAttribute('aria-activedescendant', options[selected].id);
  options[selected].scrollIntoView({ block: 'nearest' });
}

function close() {
  list.hidden = true;
  input.setAttribute('aria-expanded', 'false');
}

async function search() {
  const query = input.value;
  if (query.trim() === '') return close();
  try {
    index ??= fetch(`${root}search.json`).then((answer) => {
      if (!answer.ok) throw new Error(answer.statusText);
      return answer.json();
    });
    show(find(await index, query), query);
  } catch {
    index = undefined;
    list.replaceChildren(element('p', 'none', texts.failed));
  }
  list.hidden = false;
  input.setAttribute('aria-expanded', 'true');
}

function show(found, query) {
  const options = found.map((section, place) => {
    const option = document.createElement('a');
    option.href = root + section.address;
    option.id = `result-${place}`;
    option.tabIndex = -1;
    option.setAttribute('role', 'option');
    const title = section.heading === section.page ? section.page : `${section.page} › ${section.heading}`;
    option.append(element('b', '', title), element('span', '', excerpt(section.text, query)));
    return option;
  });
  list.replaceChildren(...(options.length > 0 ? options : [element('p', 'none', texts.none)]));
  select(0);
}

input.placeholder = texts.key;
input.setAttribute('aria-label', texts.search);
for (const place of document.querySelectorAll('[data-text]')) place.textContent = texts[place.dataset.text];
if (matchMedia('(min-width: 900px)').matches) document.querySelector('.pages').open = true;
const theme = localStorage.getItem('airdesk-theme');
if (theme === 'light' || theme === 'dark') document.documentElement.style.colorScheme = theme;

input.addEventListener('input', search);
input.addEventListener('focus', search);
input.addEventListener('keydown', (event) => {
  const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (move) {
    event.preventDefault();
    select(selected + move);
  } else if (event.key === 'Enter') {
    list.querySelectorAll('a')[selected]?.click();
    close();
  } else if (event.key === 'Escape') {
    close();
  }
});
document.addEventListener('click', (event) => {
  if (!event.target.closest('.search') || event.target.closest('#results a')) close();
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.altKey || event.metaKey || event.target === input) return;
  event.preventDefault();
  input.select();
  input.focus();
});
