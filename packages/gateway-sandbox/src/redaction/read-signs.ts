/** One character as it is read, and its place in the text. */
export interface Sign {
  readonly char: string;
  readonly start: number;
  readonly end: number;
}

/** Bytes of an address, or one character. */
const ofAddress = /(?:%(?:25)*[\da-f]{2})+|./gisu;
/**
 * An escape of HTML or of JSON, a tag, or one character. An escape of HTML may lack its semicolon,
 * but of the named ones only those count then that are spaces or unseen.
 */
const written =
  /&#(?:x[\da-f]{1,8}|\d{1,8});?|&[a-z]{2,10};|&(?:nbsp|shy|(?:en|em|thin)sp|zwn?j)|(?<!\\)\\+(?:u[\da-f]{4}|u\{[\da-f]{1,6}\}|x[\da-f]{2}|[nrtvfb])|<\/?[a-z]{1,10}\d?(?![a-z\d])[^<>\p{Nd}]{0,64}>|./gisu;
const byteWritten = /%(?:25)*([\da-f]{2})/gi;
/** The usual separators of digits; digits behind an escape without a semicolon begin after one. */
const openSpace =
  /^&#(?:x0*(?:200[a-f]|20[25]f|20|a0|a?d|2d|[9a])|0*(?:82\d\d|1[67]\d|32|45|1[03]|9))/i;

/** The characters of a text, with the escapes of addresses, HTML and JSON undone. */
export function readSigns(text: string): readonly Sign[] {
  const decoded = signsOfAddress(text);
  // An address may hold the other escapes too, so they are looked for in what it says.
  const plain = decoded.map(({ char }) => char).join('');
  const owners = decoded.flatMap((sign) => Array.from({ length: sign.char.length }, () => sign));
  const signs: Sign[] = [];
  for (const { 0: found, index } of plain.matchAll(written)) {
    let at = index;
    for (const { char, length } of found.startsWith('&#')
      ? readReference(found)
      : [readOne(found)]) {
      const start = owners[at]?.start ?? 0;
      at += length;
      signs.push({ char, start, end: owners[at - 1]?.end ?? start });
    }
  }
  return signs;
}

/** A character and how many units of the text say it. */
interface Read {
  readonly char: string;
  readonly length: number;
}

function readOne(found: string): Read {
  const { length } = found;
  if (length === 1 || /^[^<&\\]/.test(found)) return { char: found, length };
  const code = /^\\+[ux]\{?([\da-f]+)\}?$/i.exec(found)?.[1];
  // A named escape and a tag are a space or a sign, neither letter nor digit.
  return { char: code === undefined ? ' ' : charOf(Number.parseInt(code, 16)), length };
}

/** `&#160;` is one character; `&#1604539` may be a space that digits stand behind. */
function readReference(found: string): readonly Read[] {
  const space = found.endsWith(';') ? undefined : openSpace.exec(found)?.[0];
  const reference = space ?? found;
  const [, hex, decimal] = /^&#(?:x([\da-f]+)|(\d+));?$/i.exec(reference) ?? [];
  const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  const behind = Array.from(found.slice(reference.length), (char) => ({ char, length: 1 }));
  return [{ char: charOf(point), length: reference.length }, ...behind];
}

const charOf = (point: number): string => (point <= 0x10_ff_ff ? String.fromCodePoint(point) : ' ');

function signsOfAddress(text: string): readonly Sign[] {
  const signs: Sign[] = [];
  for (const { 0: found, index: start } of text.matchAll(ofAddress)) {
    const isOne = !found.startsWith('%') || found.length === 1;
    if (isOne) signs.push({ char: found, start, end: start + found.length });
    else signs.push(...signsOfBytes(found, start));
  }
  return signs;
}

/** Bytes read as UTF-8; a byte that is none is a character of its own. */
function signsOfBytes(run: string, at: number): readonly Sign[] {
  const bytes = [...run.matchAll(byteWritten)].map(({ 0: { length }, 1: hex = '', index }) => ({
    value: Number.parseInt(hex, 16),
    start: at + index,
    end: at + index + length,
  }));
  const signs: Sign[] = [];
  for (let first = 0; first < bytes.length;) {
    const { value = 0, start = at } = bytes[first] ?? {};
    const size = value < 0xc0 ? 1 : value < 0xe0 ? 2 : value < 0xf0 ? 3 : 4;
    const part = bytes.slice(first, first + size);
    const char = new TextDecoder().decode(Uint8Array.from(part, (byte) => byte.value));
    const isOne = Array.from(char).length === 1 && char !== '\uFFFD';
    const used = isOne ? size : 1;
    const end = bytes[first + used - 1]?.end ?? start;
    signs.push({ char: isOne ? char : String.fromCharCode(value), start, end });
    first += used;
  }
  return signs;
}
