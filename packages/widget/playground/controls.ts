import { wordsOf } from '../build/editor-data.ts';
import type { Named } from '../build/manifest.ts';

/** Examples for lines of text that start empty, and the colours that colour fields start with. */
const examples: Readonly<Record<string, string>> = {
  locale: 'ar',
  label: 'Buy now',
  'allowed-origins': 'https://pay.example',
  'timeout-ms': '30000',
  methods: 'mada visa mastercard apple-pay',
  '--pay-button-color': '#ffffff',
  '--pay-button-error-color': '#b3261e',
  '--pay-button-focus-ring': '#0a7a55',
  '--pay-button-font': '700 1.125rem/1.2 Georgia, serif',
};

/**
 * A labelled control for an attribute or a custom property: a list of words, a checkbox, a colour, or a
 * line of text. `onChange` receives the new text, or `undefined` where nothing is set.
 */
export function control(
  described: Named,
  start: string | undefined,
  onChange: (value: string | undefined) => void,
): HTMLElement {
  const { name, description = '' } = described;
  const words = wordsOf(described);
  const input = words.length > 0 ? listOf(words, start) : inputOf(described, start);
  input.addEventListener('input', () => {
    const text = input.type === 'checkbox' ? '' : input.value || undefined;
    onChange(input.matches('[type=checkbox]:not(:checked)') ? undefined : text);
  });
  const label = document.createElement('label');
  const code = document.createElement('code');
  label.className = 'field';
  label.title = description.replaceAll('\n', ' ');
  input.id = `control-${name}`;
  code.textContent = name;
  label.append(code, input);
  return label;
}

function listOf(words: readonly string[], start: string | undefined): HTMLSelectElement {
  const list = document.createElement('select');
  list.append(...words.map((word) => new Option(word, word, word === start, word === start)));
  return list;
}

function inputOf({ name, type, default: usual = '' }: Named, start = ''): HTMLInputElement {
  const input = document.createElement('input');
  const example = examples[name];
  input.dir = 'auto';
  if (type?.text === 'boolean') input.type = 'checkbox';
  else if (/^--.*(background|color|ring)$/.test(name)) {
    input.type = 'color';
    input.value = example ?? '#10231c';
  } else {
    input.value = start;
    input.placeholder = example ?? usual;
  }
  return input;
}
