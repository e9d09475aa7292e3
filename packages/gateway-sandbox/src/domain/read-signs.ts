/** One character as it is read, and where it stands in the text. */
export interface Sign {
  readonly char: string;
  readonly start: number;
  readonly end: number;
}

/** Bytes of an address, an escape of HTML or of JSON, or one character. */
const written = /(?:%(?:25)*[\da-f]{2})+|&#x?[\da-f]{1,8};|&[a-z]{2,10};|\\+u[\da-f]{4}|./gisu;
const byteWritten = /%(?:25)*([\da-f]{2})/gi;

/** The characters of a text with the escapes of addresses, HTML and JSON undone. */
export function readSigns(text: string): readonly Sign[] {
  const signs: Sign[] = [];
  for (const { 0: found, index: start } of text.matchAll(written)) {
    const end = start + found.length;
    if (found.startsWith('%') && found.length > 1) signs.push(...signsOfBytes(found, start));
    else signs.push({ char: readOne(found), start, end });
  }
  return signs;
}

function readOne(found: string): string {
  if (found.length < 3) return found;
  const code = found.startsWith('&')
    ? /^&#(?:x([\da-f]+)|(\d+));$/i.exec(found)
    : /u([\da-f]{4})$/i.exec(found);
  // A named escape is a space or a sign, neither letter nor digit.
  if (code === null) return ' ';
  const [, hex, decimal] = code;
  const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return point <= 0x10_ff_ff ? String.fromCodePoint(point) : ' ';
}

/** What bytes say in UTF-8; one that says nothing there is a character by itself. */
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
