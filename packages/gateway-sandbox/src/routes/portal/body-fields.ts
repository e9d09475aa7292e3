import { withoutCardNumbers } from '../../redaction/stray-cards.ts';
import { errorB } from '../wire-reply.ts';
import type { WireReply } from '../wire-reply.ts';

const longestText = 255;
const longestUrl = 2048;

/**
 * Reads the fields of a portal call and gathers what is wrong with them, in the order of reading,
 * as the gateway tells it: all at once. Fields that nobody reads are ignored.
 */
export class BodyFields {
  readonly messages: string[] = [];
  readonly #body: object;

  constructor(body: unknown) {
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
    this.#body = isObject ? body : {};
    if (!isObject) this.messages.push('the request body must be a JSON object');
  }

  has(name: string): boolean {
    return this.#value(name) !== undefined;
  }

  text(name: string): string {
    const value = this.#value(name);
    if (typeof value === 'string' && value.trim() !== '') {
      if (value.length <= longestText) return value;
      return this.#fault(`${name} must be shorter than or equal to ${longestText} characters`, '');
    }
    const isEmpty = value === undefined || value === null || typeof value === 'string';
    return this.#fault(`${name} ${isEmpty ? 'should not be empty' : 'must be a string'}`, '');
  }

  /** A text that is kept and shown; a card number that strayed into it is not. */
  shownText(name: string): string {
    return withoutCardNumbers(this.text(name));
  }

  url(name: string): string {
    const value = this.#value(name);
    const isUrl =
      typeof value === 'string' &&
      value.length <= longestUrl &&
      /^https?:\/\/[^\s\\]+$/i.test(value) &&
      URL.canParse(value);
    return isUrl ? value : this.#fault(`${name} must be a URL address`, '');
  }

  boolean(name: string): boolean {
    const value = this.#value(name);
    return typeof value === 'boolean'
      ? value
      : this.#fault(`${name} must be a boolean value`, false);
  }

  /** One of some words; capitals do not matter. */
  word<Word extends string>(name: string, words: readonly [Word, ...Word[]]): Word {
    const word = wordIn(words, this.#value(name));
    return (
      word ??
      this.#fault(`${name} must be one of the following values: ${words.join(', ')}`, words[0])
    );
  }

  words<Word extends string>(name: string, words: readonly Word[]): readonly Word[] {
    const value = this.#value(name);
    if (!Array.isArray(value)) return this.#fault(`${name} must be an array`, []);
    const found = value.map((one: unknown) => wordIn(words, one));
    const known = words.filter((word) => found.includes(word));
    if (found.every((one) => one !== undefined)) return known;
    return this.#fault(
      `each value in ${name} must be one of the following values: ${words.join(', ')}`,
      [],
    );
  }

  /** The value that was read, or the 400 that says all that is wrong (N21). */
  decoded<Value>(value: Value): { value: Value } | { refusal: WireReply } {
    if (this.messages.length === 0) return { value };
    return { refusal: invalidInput(this.messages) };
  }

  #value(name: string): unknown {
    return Object.hasOwn(this.#body, name) ? Reflect.get(this.#body, name) : undefined;
  }

  #fault<Value>(message: string, otherwise: Value): Value {
    this.messages.push(message);
    return otherwise;
  }
}

/** The 400 of a portal call; nothing changed. */
export function invalidInput(messages: readonly string[]): WireReply {
  return errorB(400, messages, { decidedBy: 'validation', tier: 'assumed N21' });
}

function wordIn<Word extends string>(words: readonly Word[], value: unknown): Word | undefined {
  return words.find(
    (word) => typeof value === 'string' && word.toLowerCase() === value.toLowerCase(),
  );
}
