import { asWritten, dense, unescaped, type Characters } from './characters.ts';
import { Needle, type Mark } from './needle.ts';

/** Below this, an encoded secret is so short that it would be found in any text. */
const MIN_ENCODED_LENGTH = 6;

/** No text that is read is as long, so that more of a secret would not be found either. */
const MAX_LENGTH = 4_096;

/** A text in which secrets are looked for, read once for all of them. */
export interface ReadMessage {
  /** As it is written and, where it may hold escapes, without them. */
  readonly readings: readonly [Characters, ...Characters[]];
  /** The same, dense. */
  readonly dense: readonly Characters[];
  /** Whether more came behind it. */
  readonly isCut: boolean;
}

/** Reads a text in each way in which a secret may stand in it. */
export function readMessage(text: string, isCut: boolean): ReadMessage {
  const written = asWritten(text);
  const readings: ReadMessage['readings'] = /[%&\\]/.test(text)
    ? [written, unescaped(text)]
    : [written];
  return { readings, dense: readings.map(dense), isCut };
}

/**
 * Something that must show nowhere, and how to find it in a text. What is looked for is made when it
 * is first needed, which is when something failed, and is kept as long as the secret itself. None of
 * it becomes a pattern: a pattern that was made of input may take for ever.
 */
export class Secret {
  readonly #text: string;
  #needles: readonly Needle[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  is(text: string): boolean {
    return this.#text === text;
  }

  /** Marks wherever the secret stands, as it is or as a server may have written it. */
  markIn(message: ReadMessage, mark: Mark): void {
    if (this.#text.trim() === '') return;
    this.#needles ??= needlesOf(this.#text.slice(0, MAX_LENGTH));
    if (this.#needles.length === 0) {
      new Needle(asWritten(this.#text)).markIn(message.readings[0], message.isCut, mark);
    }
    for (const needle of this.#needles) {
      for (const characters of message.dense) needle.markIn(characters, message.isCut, mark);
    }
  }
}

/** Makes secrets of texts. */
export const secretsOf = (texts: readonly string[]): readonly Secret[] =>
  [...new Set(texts)].map((text) => new Secret(text));

/** None for a secret of nothing but what may stand between characters. */
function needlesOf(secret: string): readonly Needle[] {
  const encoded = secret.length < MIN_ENCODED_LENGTH ? [] : [inHex(secret), ...inBase64(secret)];
  const forms = [asWritten(secret), unescaped(secret), ...encoded.map(asWritten)].map(dense);
  const distinct = new Map(forms.map((form) => [form.codes.join(), form]));
  return [...distinct.values()].filter(({ length }) => length > 0).map((form) => new Needle(form));
}

const inHex = (secret: string): string => Buffer.from(secret).toString('hex');

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
