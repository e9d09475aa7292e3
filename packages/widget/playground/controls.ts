import { wordsOf } from '../build/editor-data.ts';
import type { Attribute, Named } from '../build/manifest.ts';

/** Receives the new text of an attribute or property when its control changes. */
type OnChange = (name: string, value: string | undefined) => void;

/** Examples for fields that start empty. */
const placeholders: Readonly<Record<string, string>> = {
  locale: 'ar',
  label: 'Buy now',
  'allowed-origins': 'https://pay.example',
  'timeout-ms': '30000',
  methods: 'mada visa mastercard apple-pay',
};

/** A labelled control for an attribute: a list of words, a checkbox, or a line of text. */
export function attributeControl(
  attribute: Attribute,
  value: string | undefined,
  onChange: OnChange,
): HTMLElement {
  const { name, description = '', type } = attribute;
  const words = wordsOf(attribute);
  if (type?.text === 'boolean') {
    const box = input('checkbox', (to) => onChange(name, to.checked ? '' : undefined));
    box.checked = value !== undefined;
    return field(name, description, box);
  }
  if (words.length > 0) {
    const select = document.createElement('select');
    select.append(...words.map((word) => new Option(word, word, word === value, word === value)));
    select.addEventListener('change', () => onChange(name, select.value));
    return field(name, description, select);
  }
  const line = input('text', (to) => onChange(name, to.value === '' ? undefined : to.value));
  line.value = value ?? '';
  line.placeholder = placeholders[name] ?? '';
  return field(name, description, line);
}

/** A labelled control for a custom property: a colour or a line of CSS. */
export function themeControl({ name, description = '' }: Named, onChange: OnChange): HTMLElement {
  const isColor = /(background|color|ring)$/.test(name);
  const control = input(isColor ? 'color' : 'text', ({ value }) =>
    onChange(name, value === '' ? undefined : value),
  );
  if (isColor) control.value = startColors[name] ?? '#10231c';
  else control.placeholder = themeExamples[name] ?? '';
  return field(name, description, control);
}

const themeExamples: Readonly<Record<string, string>> = {
  '--pay-button-radius': '999px',
  '--pay-button-height': '4rem',
  '--pay-button-width': '22rem',
  '--pay-button-font': '700 1.125rem/1.2 Georgia, serif',
};

const startColors: Readonly<Record<string, string>> = {
  '--pay-button-color': '#ffffff',
  '--pay-button-error-color': '#b3261e',
  '--pay-button-focus-ring': '#0a7a55',
};

function input(type: string, onInput: (control: HTMLInputElement) => void): HTMLInputElement {
  const control = document.createElement('input');
  control.type = type;
  control.dir = 'auto';
  control.addEventListener('input', () => onInput(control));
  return control;
}

function field(name: string, description: string, control: HTMLElement): HTMLElement {
  const label = document.createElement('label');
  const code = document.createElement('code');
  label.className = 'field';
  label.title = description.replaceAll('\n', ' ');
  control.id = `control-${name}`;
  code.textContent = name;
  label.append(code, control);
  return label;
}
