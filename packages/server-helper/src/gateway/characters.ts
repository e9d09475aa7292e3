/** Bytes of percent-escapes that are not yet a character stand above all characters. */
const BYTE = 0x11_00_00;

const PERCENT = 0x25;
const SEMICOLON = 0x3b;
const BACKSLASH = 0x5c;

/** The characters of a text, and which part of the text each was read from. */
export class Characters {
  readonly codes: number[] = [];
  readonly starts: number[] = [];
  readonly ends: number[] = [];

  get length(): number {
    return this.codes.length;
  }

  push(code: number, start: number, end: number): void {
    this.codes.push(code);
    this.starts.push(start);
    this.ends.push(end);
  }

  /** The character at a place counted from the end, which is 1; -1 before the first. */
  last(place: number): number {
    return this.codes[this.length - place] ?? -1;
  }

  /** Puts one character in the place of the last ones. */
  join(count: number, code: number): void {
    const from = this.length - count;
    const [start = 0] = this.starts.splice(from);
    const end = this.ends.splice(from).at(-1) ?? 0;
    this.codes.splice(from);
    this.push(code, start, end);
  }
}

/** The characters as they stand. */
export function asWritten(text: string): Characters {
  const characters = new Characters();
  eachOf(text, (code, start, end) => characters.push(code, start, end));
  return characters;
}

/**
 * The characters with the escapes of addresses, JSON and HTML undone, however often one was put
 * into the other. Each undoing makes the list shorter, so that the work is in proportion to the text.
 */
export function unescaped(text: string): Characters {
  const characters = new Characters();
  eachOf(text, (code, start, end) => {
    characters.push(code, start, end);
    while (joinsLast(characters));
  });
  characters.codes.forEach((code, at) => {
    if (code >= BYTE) characters.codes[at] = code - BYTE;
  });
  return characters;
}

/** In one case of letters and one width, without what may be left out or put in between. */
export function dense(characters: Characters): Characters {
  const left = new Characters();
  characters.codes.forEach((code, at) => {
    const [start = 0, end = 0] = [characters.starts[at], characters.ends[at]];
    for (const one of foldedOf(code)) left.push(one, start, end);
  });
  return left;
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

/** What each character of ASCII becomes, since nearly all are of it. */
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
  let count = 6;
  while (characters.last(count + 1) === BACKSLASH) count += 1;
  characters.join(count, unit);
  return true;
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

/** `&#43;`, `&#x2B;` or a name; one that is not known is a space or a sign between others. */
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

/** What the last characters are as a hexadecimal number; -1 when they are none. */
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
