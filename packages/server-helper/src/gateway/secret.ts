/** Below this, an encoded secret is so short that it would be found in any text. */
const MIN_ENCODED_LENGTH = 6;

/**
 * Something that must show nowhere, and how to find it in a text. The patterns are made when they
 * are first needed, which is when something failed, and are kept as long as the secret itself.
 */
export class Secret {
  readonly #text: string;
  #patterns: readonly RegExp[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  is(text: string): boolean {
    return this.#text === text;
  }

  /** Puts the mask wherever the secret stands, as it is or as a server may have written it. */
  hideIn(text: string, mask: string): string {
    this.#patterns ??= this.#text.trim() === '' ? [] : patternsOf(this.#text);
    let clean = text;
    for (const pattern of this.#patterns) clean = clean.replaceAll(pattern, mask);
    return clean;
  }
}

/** Makes secrets of texts. */
export const secretsOf = (texts: readonly string[]): readonly Secret[] =>
  [...new Set(texts)].map((text) => new Secret(text));

function patternsOf(secret: string): readonly RegExp[] {
  const spelt = new RegExp(spelledOut(secret), 'giu');
  if (secret.length < MIN_ENCODED_LENGTH) return [spelt];
  const encoded = [Buffer.from(secret).toString('hex'), ...inBase64(secret)];
  return [spelt, new RegExp([...new Set(encoded)].map(escaped).join('|'), 'gi')];
}

/**
 * Each character as itself or escaped the way of an address, JSON or HTML, in either case of
 * letters, with gaps between them where the secret has some and where it has none. Gaps are bounded,
 * so that no hostile text takes long.
 */
function spelledOut(secret: string): string {
  const parts = secret.split(GAPS).filter((part) => part !== '');
  if (parts.length === 0) return escaped(secret);
  const written = parts.map((part) =>
    Array.from(part, (character) => `(?:${waysToWrite(character).join('|')})`).join(NARROW_GAP),
  );
  return written.join(WIDE_GAP);
}

const GAPS = /[\s.-]+/;
const NARROW_GAP = String.raw`[\s.\-]{0,2}`;
const WIDE_GAP = String.raw`(?:[\s.\-+]|%[0-9a-f]{2}|\\+u00[0-9a-f]{2}|&#x?[0-9a-f]{1,6};){0,12}`;

function waysToWrite(character: string): readonly string[] {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  const inUtf8 = [...Buffer.from(character)].map(
    (byte) => `%${byte.toString(16).padStart(2, '0')}`,
  );
  const inUtf16 = Array.from({ length: character.length }, (_, index) =>
    character.charCodeAt(index).toString(16).padStart(4, '0'),
  );
  // JSON escapes these by backslashes, and once more where it stands inside JSON.
  const isEscaped = /["\\/]/.test(character);
  return [
    isEscaped ? String.raw`\\{0,7}` + escaped(character) : escaped(character),
    inUtf8.join(''),
    inUtf16.map((unit) => String.raw`\\{1,4}u${unit}`).join(''),
    `&#0*(?:${code}|x0*${hex});`,
  ];
}

/** A text inside a longer one begins at one of three places of a Base64 group. */
function inBase64(secret: string): readonly string[] {
  return [0, 1, 2].flatMap((shift) => {
    const bytes = Buffer.from(secret);
    const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
    const whole = Math.floor((shifted.length * 8) / 6);
    // The first and the last characters also hold bits of what stands beside the secret.
    const text = shifted.toString('base64').slice(Math.ceil((shift * 8) / 6), whole);
    return [text, text.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

const escaped = (text: string): string => text.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`);
