import '../src/index.ts';
import type { ElementDescription } from '../build/manifest.ts';
import type { PayButton } from '../src/pay-button.ts';
import { control } from './controls.ts';
import { showEveryState } from './gallery.ts';
import { answers, texts } from './texts.ts';

const byId = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no #${id}.`);
  return found;
};
const page = document.documentElement;
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
  byId('css').textContent = `pay-button {\n${rules}}`;
  for (const id of ['copied-html', 'copied-css']) byId(id).textContent = '';
}

const textOf = (name: keyof typeof texts): string => texts[name][page.lang === 'ar' ? 1 : 0];

function speak(spoken: 'en' | 'ar'): void {
  page.lang = spoken;
  page.dir = spoken === 'ar' ? 'rtl' : 'ltr';
  for (const element of document.querySelectorAll<HTMLElement>('[data-text]')) {
    element.textContent = textOf(element.dataset['text'] as keyof typeof texts);
  }
  byId('language').lang = spoken === 'ar' ? 'en' : 'ar';
  const chosen = answer.value || 'link';
  const index = spoken === 'ar' ? 1 : 0;
  const options = Object.entries(answers).map(([name, text]) => new Option(text[index], name));
  answer.replaceChildren(...options);
  answer.value = chosen;
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
  const { name } = attribute;
  const start = attributes.get(name) ?? attribute.default?.match(/^'(.+)'$/)?.[1];
  byId('attributes').append(control(attribute, start, (value) => set(attributes, name, value)));
}
for (const property of described?.cssProperties ?? []) {
  byId('theme').append(control(property, '', (value) => set(theme, property.name, value)));
}
for (const { name } of described?.events ?? []) live.addEventListener(name, log);

answer.addEventListener('change', () => {
  const endpoint = byId('control-endpoint') as HTMLInputElement;
  endpoint.value = `/shop/checkout/${answer.value}`;
  set(attributes, 'endpoint', endpoint.value);
});
const pressed: Readonly<Record<string, () => void>> = {
  cancel: () => live.cancel(),
  focus: () => live.focus(),
  language: () => speak(page.lang === 'ar' ? 'en' : 'ar'),
  'copy-html': () => void copy('html'),
  'copy-css': () => void copy('css'),
};
for (const [id, press] of Object.entries(pressed)) byId(id).addEventListener('click', press);

async function copy(id: 'html' | 'css'): Promise<void> {
  await navigator.clipboard.writeText(byId(id).textContent ?? '');
  byId(`copied-${id}`).textContent = textOf('copied');
}

for (const form of document.forms) {
  form.addEventListener('submit', (event) => event.preventDefault());
}
speak('en');
show();
showEveryState(byId('gallery'));
page.dataset['ready'] = 'yes';
