import '../src/index.ts';
import type { ElementDescription } from '../build/manifest.ts';
import type { PayButton } from '../src/pay-button.ts';
import { attributeControl, themeControl } from './controls.ts';
import { showEveryState } from './gallery.ts';
import { answers, type Language, texts } from './texts.ts';

const byId = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no #${id}.`);
  return found;
};
const live = byId('live') as PayButton;
const answer = byId('answer') as HTMLSelectElement;

const attributes = new Map([
  ['endpoint', '/shop/checkout/link'],
  ['order-id', '1001'],
  ['amount', '115.00'],
  ['currency', 'SAR'],
  ['methods', 'mada visa mastercard apple-pay'],
]);
const theme = new Map<string, string>();

function set(map: Map<string, string>, name: string, value: string | undefined): void {
  if (value === undefined) map.delete(name);
  else map.set(name, value);
  show();
}

/** Applies attributes and theme to the button and prints them. */
function show(): void {
  for (const name of live.getAttributeNames()) {
    if (name !== 'id' && name !== 'style' && !attributes.has(name)) live.removeAttribute(name);
  }
  for (const [name, value] of attributes) live.setAttribute(name, value);
  live.removeAttribute('style');
  for (const [name, value] of theme) live.style.setProperty(name, value);
  const list = [...attributes].map(([name, value]) => (value ? ` ${name}="${value}"` : ` ${name}`));
  byId('html').textContent = `<pay-button\n ${list.join('\n ')}\n></pay-button>`;
  const rules = [...theme].map(([name, value]) => `  ${name}: ${value};\n`).join('');
  for (const id of ['copied-html', 'copied-css']) byId(id).textContent = '';
  byId('css').textContent = `pay-button {\n${rules}}`;
}

function speak(spoken: Language): void {
  const words = texts[spoken];
  document.documentElement.lang = spoken;
  document.documentElement.dir = spoken === 'ar' ? 'rtl' : 'ltr';
  for (const element of document.querySelectorAll<HTMLElement>('[data-text]')) {
    element.textContent = words[element.dataset['text'] as keyof typeof words];
  }
  const other = spoken === 'ar' ? 'en' : 'ar';
  byId('language').textContent = words.language;
  byId('language').lang = other;
  byId('scheme').textContent = isDark() ? words.light : words.dark;
  const chosen = answer.value || 'link';
  const options = Object.entries(answers).map(([name, text]) => new Option(text[spoken], name));
  answer.replaceChildren(...options);
  answer.value = chosen;
}

function spokenNow(): Language {
  return document.documentElement.lang === 'ar' ? 'ar' : 'en';
}

/** The system's scheme counts until the reader chooses one. */
const prefersDark = matchMedia('(prefers-color-scheme: dark)');

function isDark(): boolean {
  const { colorScheme } = document.documentElement.style;
  return colorScheme ? colorScheme === 'dark' : prefersDark.matches;
}

async function copy(id: 'html' | 'css'): Promise<void> {
  await navigator.clipboard.writeText(byId(id).textContent ?? '');
  byId(`copied-${id}`).textContent = texts[spokenNow()].copied;
}

function log(event: Event): void {
  const fields = Object.fromEntries(
    Object.entries(event).filter(([, value]) => ['string', 'boolean'].includes(typeof value)),
  );
  delete fields['isTrusted'];
  const line = document.createElement('li');
  line.textContent = `${event.type} ${JSON.stringify(fields)}`;
  byId('log').prepend(line);
}

const answered = await fetch('/shop/elements');
const [described] = (await answered.json()) as readonly ElementDescription[];
for (const attribute of described?.attributes ?? []) {
  const value = attributes.get(attribute.name) ?? attribute.default?.match(/^'(.+)'$/)?.[1];
  byId('attributes').append(
    attributeControl(attribute, value, (name, to) => set(attributes, name, to)),
  );
}
for (const property of described?.cssProperties ?? []) {
  byId('theme').append(themeControl(property, (name, to) => set(theme, name, to)));
}
for (const { name } of described?.events ?? []) live.addEventListener(name, log);

answer.addEventListener('change', () => {
  const endpoint = byId('control-endpoint') as HTMLInputElement;
  endpoint.value = `/shop/checkout/${answer.value}`;
  set(attributes, 'endpoint', endpoint.value);
});
byId('cancel').addEventListener('click', () => live.cancel());
byId('focus').addEventListener('click', () => live.focus());
byId('language').addEventListener('click', () => speak(spokenNow() === 'ar' ? 'en' : 'ar'));
byId('scheme').addEventListener('click', () => {
  document.documentElement.style.colorScheme = isDark() ? 'light' : 'dark';
  speak(spokenNow());
});
prefersDark.addEventListener('change', () => speak(spokenNow()));
byId('copy-html').addEventListener('click', () => void copy('html'));
byId('copy-css').addEventListener('click', () => void copy('css'));
for (const form of document.forms) {
  form.addEventListener('submit', (event) => event.preventDefault());
}
speak('en');
show();
showEveryState(byId('gallery'));
document.documentElement.dataset['ready'] = 'yes';
