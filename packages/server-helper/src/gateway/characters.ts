/** A text in one of the ways to read it. */
export interface Reading {
  readonly text: string;
  /** For each UTF-16 unit of `text`, where the part of the original begins that it was read from. */
  readonly starts: readonly number[];
  /** The same for where that part ends. */
  readonly ends: readonly number[];
}

/** Bytes of percent-escapes that do not make a character yet are numbered above all characters. */
const BYTE = 0x11_00_00;

const PERCENT = 0x25;
const SEMICOLON = 0x3b;
const BACKSLASH = 0x5c;

/** Collects the characters of a reading. */
class Characters {
  readonly #codes: number[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  push(code: number, start: number, end: number): void {
    this.#codes.push(code);
    this.#starts.push(start);
    this.#ends.push(end);
  }

  /** The character at a place counted from the end, which is 1; -1 before the first. */
  last(place: number): number {
    return this.#codes[this.#codes.length - place] ?? -1;
  }

  /** Replaces the last characters by one. */
  join(count: number, code: number): void {
    const from = this.#codes.length - count;
    const [start = 0] = this.#starts.splice(from);
    const end = this.#ends.splice(from).at(-1) ?? 0;
    this.#codes.splice(from);
    this.push(code, start, end);
  }

  reading(): Reading {
    const starts: number[] = [];
    const ends: number[] = [];
    const characters = this.#codes.map((code, at) => {
      const character = String.fromCodePoint(code >= BYTE ? code - BYTE : code);
      for (let unit = 0; unit < character.length; unit += 1) {
        starts.push(this.#starts[at] ?? 0);
        ends.push(this.#ends[at] ?? 0);
      }
      return character;
    });
    return { text: characters.join(''), starts, ends };
  }
}

/** Reads a text as written. */
export function asWritten(text: string): Reading {
  const characters = new Characters();
  eachOf(text, (code, start, end) => characters.push(code, start, end));
  return characters.reading();
}

/**
 * Reads a text with the escapes of addresses, JSON and HTML undone, however often one was put into
 * the other. Each undoing shortens the reading, so the work is in proportion to the text.
 */
export function unescaped(text: string): Reading {
  const characters = new Characters();
  eachOf(text, (code, start, end) => {
    characters.push(code, start, end);
    while (joinsLast(characters));
  });
  return characters.reading();
}

/** A reading in lower case and one width, without the signs that may be left out or added. */
export function dense({ text, starts, ends }: Reading): Reading {
  const characters = new Characters();
  eachOf(text, (code, at) => {
    for (const one of foldedOf(code)) characters.push(one, starts[at] ?? 0, ends[at] ?? 0);
  });
  return characters.reading();
}

function eachOf(text: string, visit: (code: number, start: number, end: number) => void): void {
  for (let at = 0; at < text.length;) {
    const code = text.codePointAt(at) ?? 0;
    const end = at + (code > 0xff_ff ? 2 : 1);
    visit(code, at, end);
    at = end;
  }
}

const BETWEEN = /[\s.+\\\p{Cc}\p{Cf}\p{Pd}]/u;

/** The folded form of each ASCII character, since nearly all characters are ASCII. */
const ascii: readonly (readonly number[])[] = Array.from({ length: 0x80 }, (_, code) => {
  const text = String.fromCharCode(code);
  return BETWEEN.test(text) ? [] : [text.toLowerCase().charCodeAt(0)];
});

function foldedOf(code: number): readonly number[] {
  if (code < 0x80) return ascii[code] ?? [];
  const text = String.fromCodePoint(code);
  if (BETWEEN.test(text)) return [];
  const folded = text.normalize('NFKC').toUpperCase().toLowerCase();
  return Array.from(folded, (one) => one.codePointAt(0) ?? 0);
}

/** Undoes the escape that ends with the last character, if one does. */
function joinsLast(characters: Characters): boolean {
  const last = characters.last(1);
  if (last >= BYTE) return joinsBytes(characters);
  if (last >= 0xdc_00 && last <= 0xdf_ff) return joinsHalves(characters, last);
  if (last === SEMICOLON) return joinsEntity(characters);
  if (joinsControl(characters)) return true;
  return hexDigit(last) >= 0 && (joinsPercent(characters) || joinsUnit(characters));
}

/** `%2B` */
function joinsPercent(characters: Characters): boolean {
  const byte = hexOf(characters, 2);
  if (byte < 0 || characters.last(3) !== PERCENT) return false;
  characters.join(3, byte < 0x80 ? byte : BYTE + byte);
  return true;
}

/** UTF-8 of two to four bytes. */
function joinsBytes(characters: Characters): boolean {
  let bits = 0;
  for (let count = 1; count <= 4; count += 1) {
    const byte = characters.last(count) - BYTE;
    if (byte < 0x80) return false;
    if (byte >= 0xc0) {
      const isWhole = count === (byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4);
      const code = bits + ((byte & (0x7f >> count)) << (6 * (count - 1)));
      if (isWhole && code < BYTE) characters.join(count, code);
      return isWhole && code < BYTE;
    }
    bits += (byte & 0x3f) << (6 * (count - 1));
  }
  return false;
}

/** `\u002B`, behind as many backslashes as JSON inside JSON needs. */
function joinsUnit(characters: Characters): boolean {
  const unit = hexOf(characters, 4);
  const isEscape = /^u$/i.test(charOf(characters.last(5)));
  if (unit < 0 || !isEscape || characters.last(6) !== BACKSLASH) return false;
  joinsBackslashes(characters, 6, unit);
  return true;
}

const controls: ReadonlyMap<string, number> = new Map([
  ['b', 0x08],
  ['t', 0x09],
  ['n', 0x0a],
  ['f', 0x0c],
  ['r', 0x0d],
]);

/** `\n` and the other short escapes of JSON, behind as many backslashes. */
function joinsControl(characters: Characters): boolean {
  const control = controls.get(charOf(characters.last(1)));
  if (control === undefined || characters.last(2) !== BACKSLASH) return false;
  joinsBackslashes(characters, 2, control);
  return true;
}

/** Replaces an escape by its character, with all backslashes before it. */
function joinsBackslashes(characters: Characters, length: number, code: number): void {
  let count = length;
  while (characters.last(count + 1) === BACKSLASH) count += 1;
  characters.join(count, code);
}

function joinsHalves(characters: Characters, low: number): boolean {
  const high = characters.last(2);
  if (high < 0xd8_00 || high > 0xdb_ff) return false;
  characters.join(2, 0x1_00_00 + ((high - 0xd8_00) << 10) + (low - 0xdc_00));
  return true;
}

const named: ReadonlyMap<string, number> = new Map([
  ['amp', 0x26],
  ['apos', 0x27],
  ['gt', 0x3e],
  ['lt', 0x3c],
  ['quot', 0x22],
]);
const NO_BREAK_SPACE = 0xa0;

/** `&#43;`, `&#x2B;` or a name; an unknown name is a space or a sign between others. */
function joinsEntity(characters: Characters): boolean {
  let count = 1;
  let name = '';
  for (
    let code = characters.last(2);
    /[\w#]/.test(charOf(code));
    code = characters.last(count + 1)
  ) {
    name = charOf(code) + name;
    count += 1;
  }
  if (name === '' || characters.last(count + 1) !== 0x26) return false;
  const number = /^#(?:x([\da-f]+)|(\d+))$/i.exec(name);
  const [, hex, decimal] = number ?? [];
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  if (name.startsWith('#') && !(code < BYTE)) return false;
  characters.join(
    count + 1,
    name.startsWith('#') ? code : (named.get(name.toLowerCase()) ?? NO_BREAK_SPACE),
  );
  return true;
}

const charOf = (code: number): string =>
  code >= 0 && code < 0x80 ? String.fromCharCode(code) : '';

/** The last characters as a hexadecimal number; -1 when they are none. */
function hexOf(characters: Characters, count: number): number {
  let value = 0;
  for (let place = count; place > 0; place -= 1) {
    const digit = hexDigit(characters.last(place));
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return code < 0x80 && letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
