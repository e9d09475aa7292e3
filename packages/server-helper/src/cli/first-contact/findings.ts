import { cleanMessages } from '../../gateway/redaction.ts';
import type { GatewayProfile, Profile } from '../../gateway/profile.ts';
import { readProfile } from '../../gateway/read-profile.ts';
import { plain } from '../terminal.ts';
import { isFields, type Fields } from './gateway-line.ts';
import { readingIds, readings, type ReadingId } from './readings.ts';

export type Verdict = 'confirmed' | 'contradicted' | 'not seen';

/** One row of the table of readings. */
export interface Sighting {
  readonly id: ReadingId;
  readonly item: string;
  readonly reading: string;
  readonly verdict: Verdict;
  readonly seen: string;
  /** The places of a profile that express another reading; else why none does. */
  readonly entry: string;
}

/** Something that the specification states, and whether the gateway does it. */
export interface Stated {
  readonly section: string;
  readonly what: string;
  readonly holds: boolean;
  readonly seen: string;
}

/** Another reading that was seen, where a profile expresses it. */
export interface Difference {
  /** Where in the profile, such as `status.parameter`. */
  readonly place: string;
  /** What the gateway does. */
  readonly value: unknown;
  /** What an absent entry means. */
  readonly usual: unknown;
}

type Tree = Record<string, unknown>;

/** Collects what was seen, holds it against the profile in use, and makes the profile to propose. */
export class Findings {
  readonly stated: Stated[] = [];
  /** What a person should know and no table holds. */
  readonly remarks: string[] = [];
  readonly #inUse: Profile;
  readonly #proposed: Tree;
  readonly #secrets: Set<string>;
  readonly #seen = new Map<ReadingId, { verdict: Verdict; texts: string[] }>();

  constructor(inUse: Profile, secrets: readonly string[]) {
    this.#inUse = inUse;
    this.#proposed = structuredClone(inUse);
    this.#secrets = new Set(secrets);
  }

  /** Keeps a text, such as a token, out of everything that is shown or written. */
  hide(secret: string): void {
    this.#secrets.add(secret);
  }

  /** A text in which the gateway may have had a word, as it may be shown. */
  clean(text: string): string {
    return plain(cleanMessages([text], [...this.#secrets])[0] ?? '');
  }

  /** Notes what was seen of a reading; a contradiction outlasts a confirmation. */
  note(id: ReadingId, verdict: Verdict, seen: string): void {
    const known = this.#seen.get(id) ?? { verdict: 'not seen', texts: [] };
    const rank = (one: Verdict) => ['not seen', 'confirmed', 'contradicted'].indexOf(one);
    const texts = known.texts.includes(seen) ? known.texts : [...known.texts, seen];
    this.#seen.set(id, {
      verdict: rank(verdict) > rank(known.verdict) ? verdict : known.verdict,
      texts,
    });
  }

  /** Notes a reading that a profile expresses: it is held against the profile in use. */
  noteEntry(id: ReadingId, { place, value, usual }: Difference, seen: string): void {
    if (this.holdsSecret(value)) {
      this.note(id, 'contradicted', `${seen}; it holds a secret, so the profile leaves it out`);
      return;
    }
    const current = place.split('.').reduce<unknown>(fieldOf, this.#inUse) ?? usual;
    const isSame = JSON.stringify(current) === JSON.stringify(value);
    this.note(id, isSame ? 'confirmed' : 'contradicted', seen);
    put(this.#proposed, place.split('.'), value === usual ? undefined : value);
  }

  /** Notes something that the specification states. */
  state(section: string, what: string, holds: boolean, seen: string): void {
    this.stated.push({ section, what, holds, seen: this.clean(seen) });
  }

  /** Tells a person something that no table holds. */
  remark(text: string): void {
    this.remarks.push(this.clean(text));
  }

  /** The same about an id that a person needs whole: its digits are not taken for a phone's. */
  remarkWithId(text: string): void {
    this.remarks.push(this.holdsSecret(text) ? this.clean(text) : plain(text));
  }

  verdictOf(id: ReadingId): Verdict {
    return this.#seen.get(id)?.verdict ?? 'not seen';
  }

  table(): readonly Sighting[] {
    return readingIds.map((id) => {
      const { item, ours, unseen, entries, ...rest } = readings[id];
      const { verdict = 'not seen', texts = [] } = this.#seen.get(id) ?? {};
      const seen = verdict === 'not seen' ? [...texts, unseen] : texts;
      const entry =
        entries.length > 0 ? entries.join(', ') : `none: ${'none' in rest ? rest.none : ''}`;
      return { id, item, reading: ours, verdict, seen: this.clean(seen.join('; ')), entry };
    });
  }

  isWell(): boolean {
    return (
      this.table().every(({ verdict }) => verdict !== 'contradicted') &&
      this.stated.every(({ holds }) => holds)
    );
  }

  /** The profile in use with what was seen, without what this kit reads anyway; checked. */
  proposed(): GatewayProfile {
    const { name: _name, $schema: _schema, ...rest } = this.#proposed;
    const different: GatewayProfile = differences(rest, readProfile(undefined)) ?? {};
    readProfile(different);
    return different;
  }

  /** Whether something that the gateway sent holds a key, a password or a token. */
  holdsSecret(value: unknown): boolean {
    const text = JSON.stringify(value) ?? '';
    return [...this.#secrets].some((secret) => secret.length > 3 && text.includes(secret));
  }
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
