import { isDeepStrictEqual } from 'node:util';
import { quotable } from '../../gateway/quotable.ts';
import { type GatewayProfile, type Profile, readProfile } from '../../gateway/profile.ts';
import { plain } from '../../html-text.ts';
import { type Fields, isFields } from '../../gateway/fields.ts';
import { type Answer, summaryOf } from './line.ts';
import { type Reading, type ReadingId, readings, stepTexts } from './readings.ts';

/**
 * From the weakest to the strongest: a contradiction outlasts a confirmation. A different reading is
 * one that the kit copes with under every profile, so it needs no entry.
 */
const verdicts = ['not seen', 'confirmed', 'different', 'contradicted'] as const;

export type Verdict = (typeof verdicts)[number];

const strongest = (given: readonly Verdict[]): Verdict =>
  verdicts.findLast((one) => given.includes(one)) ?? 'not seen';

const deviates = (verdict: Verdict): boolean =>
  verdict === 'different' || verdict === 'contradicted';

/** One row of the table of readings. */
export interface Sighting {
  readonly id: ReadingId;
  readonly item: string;
  readonly reading: string;
  readonly verdict: Verdict;
  /** What was seen; empty where nothing was. */
  readonly seen: string;
  /** How to see the reading, or its part that no step sees; empty where all of it was seen. */
  readonly unseen: string;
  /** The places of a profile that express another reading; else why none does. */
  readonly entry: string;
}

/** What the gateway does, where a profile has a place for it. */
export interface Entry {
  /** Where in the profile, such as `status.parameter`. */
  readonly place: string;
  /** What the gateway does. */
  readonly value: unknown;
  /** The meaning of an absent entry. */
  readonly usual: unknown;
}

type Tree = Record<string, unknown>;

/** Collects what was seen, holds it against the profile in use, and makes the profile to propose. */
export class Findings {
  /** What a person should know and the table does not hold. */
  readonly remarks: string[] = [];
  readonly #inUse: Profile;
  readonly #proposed: Tree;
  readonly #secrets: Set<string>;
  /** What was seen of each reading: each text with its strongest verdict. */
  readonly #seen = new Map<ReadingId, Map<string, Verdict>>();
  /** The entries that the profile in use lacks or has otherwise. */
  readonly #wanting = new Map<ReadingId, Map<string, unknown>>();
  readonly #unseen = new Map<ReadingId, string>();

  constructor(inUse: Profile, secrets: readonly string[]) {
    this.#inUse = inUse;
    this.#proposed = structuredClone(inUse);
    this.#secrets = new Set(secrets);
  }

  /** Keeps a text, such as a token, out of everything that is shown or written. */
  hide(secret: string): void {
    this.#secrets.add(secret);
  }

  /** A text that may have words of the gateway, as it may be shown. */
  clean(text: string): string {
    return plain(quotable(text, [...this.#secrets]));
  }

  /** The same for a text with an id that a person needs whole: its digits are not taken for a phone's. */
  cleanId(text: string): string {
    return this.holdsSecret(text) ? this.clean(text) : plain(text);
  }

  /** The answer's status and envelope, and what the gateway says, each message cleaned apart. */
  wordsOf(answer: Answer): string {
    return [summaryOf(answer), ...answer.messages.map((one) => this.clean(one))].join('; ');
  }

  /** Whether a value of the gateway holds a key, a password or a token. */
  holdsSecret(value: unknown): boolean {
    const text = JSON.stringify(value) ?? '';
    return [...this.#secrets].some((secret) => secret.length > 3 && text.includes(secret));
  }

  /** Notes what was seen of a reading. */
  note(id: ReadingId, verdict: Verdict, seen: string): void {
    const known = this.#seen.get(id) ?? new Map<string, Verdict>();
    known.set(seen, strongest([known.get(seen) ?? 'not seen', verdict]));
    this.#seen.set(id, known);
  }

  /** Says otherwise how to see a reading, or the part of it that no step sees; empty: all was seen. */
  setUnseen(id: ReadingId, toSee: string): void {
    this.#unseen.set(id, toSee);
  }

  /** Notes a reading that a profile expresses: the profile in use decides what was expected. */
  noteEntry(id: ReadingId, { place, value, usual }: Entry, seen: string): void {
    if (this.holdsSecret(value)) {
      this.note(id, 'contradicted', `${seen}; it holds a secret, so the profile leaves it out`);
      return;
    }
    const path = place.split('.');
    const given = path.reduce<unknown>(fieldOf, this.#inUse);
    const isExpected = isDeepStrictEqual(given === undefined ? usual : given, value);
    this.note(id, isExpected ? 'confirmed' : 'contradicted', seen);
    if (!isExpected) {
      const wanting = this.#wanting.get(id) ?? new Map<string, unknown>();
      this.#wanting.set(id, wanting.set(place, value));
    }
    put(this.#proposed, path, value === usual ? undefined : value);
  }

  /** Notes something that no row of the table holds. */
  remark(text: string): void {
    this.remarks.push(this.clean(text));
  }

  table(): readonly Sighting[] {
    return Object.entries<Reading>(readings).map(([name, reading]) => {
      const id = name as ReadingId;
      const { item, ours, entries, step, never = '' } = reading;
      const toSee = reading.toSee ?? (step === null ? '' : stepTexts[step].toSee);
      const texts = [...(this.#seen.get(id) ?? [])];
      const verdict = strongest(texts.map(([, one]) => one));
      const shown = texts.filter(([, one]) => !deviates(verdict) || deviates(one));
      return {
        id,
        item,
        reading: ours,
        verdict,
        seen: shown.map(([text]) => this.clean(text)).join('; '),
        unseen: this.#unseen.get(id) ?? (verdict === 'not seen' ? toSee : never),
        entry: this.clean(entryOf(entries, verdict, this.#wanting.get(id))),
      };
    });
  }

  isWell(): boolean {
    return this.table().every(({ verdict }) => verdict !== 'contradicted');
  }

  /** The profile in use with what was seen, without what this kit reads anyway; checked. */
  proposed(): GatewayProfile {
    const different = entriesIn(this.#proposed);
    readProfile(different);
    return different;
  }

  /** Whether the profile to propose says what the profile in use says. */
  isUnchanged(): boolean {
    return isDeepStrictEqual(this.proposed(), entriesIn({ ...this.#inUse }));
  }

  /** Whether the profile in use has an entry. */
  hasProfileInUse(): boolean {
    return Object.keys(entriesIn({ ...this.#inUse })).length > 0;
  }
}

/** The entries of a profile that differ from this kit's readings. */
function entriesIn({ name: _name, $schema: _schema, ...rest }: Tree): GatewayProfile {
  return differences(rest, readProfile(undefined)) ?? {};
}

/** The places that express another reading, or why none does. */
function entryOf(
  entries: Reading['entries'],
  verdict: Verdict,
  wanting: ReadonlyMap<string, unknown> | undefined,
): string {
  if (wanting !== undefined) {
    const shown = (value: unknown) =>
      value === undefined ? 'leave it out' : JSON.stringify(value);
    return [...wanting].map(([place, value]) => `${place}: ${shown(value)}`).join(', ');
  }
  const isReason = typeof entries === 'string';
  if (verdict === 'different') return isReason ? `none is needed: ${entries}` : 'none is needed';
  return isReason ? `none: ${entries}` : entries.join(', ');
}

const fieldOf = (value: unknown, name: string): unknown =>
  isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined;

function put(tree: Tree, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length > 0) {
    const inner = isFields(tree[name]) ? { ...tree[name] } : {};
    tree[name] = inner;
    put(inner, rest, value);
  } else if (value === undefined) {
    delete tree[name];
  } else {
    tree[name] = value;
  }
}

/** The parts of a tree that differ from the usual ones; `undefined` where none does. */
function differences(value: Fields, usual: unknown): Fields | undefined {
  const different: Fields = Object.fromEntries(
    Object.entries(value)
      .map(([name, part]) => [name, differenceOf(part, fieldOf(usual, name))] as const)
      .filter(([, part]) => part !== undefined),
  );
  return Object.keys(different).length === 0 ? undefined : different;
}

function differenceOf(value: unknown, usual: unknown): unknown {
  if (isFields(value)) return differences(value, usual);
  return JSON.stringify(value) === JSON.stringify(usual) ? undefined : value;
}
