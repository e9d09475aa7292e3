import { isDeepStrictEqual } from 'node:util';
import type { GatewayProfile } from '../../index.ts';
import { isFields, type Profile, quotable, readProfile } from '../../parts.ts';
import { plain } from '../../text.ts';
import type { Terminal } from '../terminal.ts';
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

type Sighting = ReturnType<Findings['table']>[number];

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

  note(id: ReadingId, verdict: Verdict, seen: string): void {
    const known = this.#seen.get(id) ?? new Map<string, Verdict>();
    known.set(seen, strongest([known.get(seen) ?? 'not seen', verdict]));
    this.#seen.set(id, known);
  }

  /** Notes whether a reading is this kit's; where it is another one, whether that needs an entry. */
  check(
    id: ReadingId,
    isOurs: boolean,
    seen: string,
    otherwise: 'different' | 'contradicted' = 'contradicted',
  ): void {
    this.note(id, isOurs ? 'confirmed' : otherwise, seen);
  }

  /** Says otherwise how to see a reading, or the part of it that no step sees; empty: all was seen. */
  setUnseen(id: ReadingId, toSee: string): void {
    this.#unseen.set(id, toSee);
  }

  /**
   * Notes a reading that a profile expresses: the profile in use decides what was expected.
   *
   * @param place - Where in the profile, such as `status.parameter`.
   * @param value - What the gateway does; `undefined` where no entry is needed.
   */
  noteEntry(id: ReadingId, place: string, value: unknown, seen: string): void {
    if (this.holdsSecret(value)) {
      this.note(id, 'contradicted', `${seen}; it holds a secret, so the profile leaves it out`);
      return;
    }
    const path = place.split('.');
    const isExpected = isDeepStrictEqual(path.reduce<unknown>(fieldOf, this.#inUse), value);
    this.check(id, isExpected, seen);
    if (!isExpected) {
      const wanting = this.#wanting.get(id) ?? new Map<string, unknown>();
      this.#wanting.set(id, wanting.set(place, value));
    }
    put(this.#proposed, path, value);
  }

  remark(text: string): void {
    this.remarks.push(this.clean(text));
  }

  table() {
    return readings.map((reading) => {
      const { id, item, ours, step, never = '' } = reading;
      const toSee = reading.toSee ?? (step === null ? '' : stepTexts[step].toSee);
      const texts = [...(this.#seen.get(id) ?? [])];
      const verdict = strongest(texts.map(([, one]) => one));
      const shown = texts.filter(([, one]) => !deviates(verdict) || deviates(one));
      return {
        id,
        item,
        reading: ours,
        verdict,
        /** Empty where nothing was seen. */
        seen: shown.map(([text]) => this.clean(text)).join('; '),
        /** How to see the reading, or what no step sees of it; empty where all of it was seen. */
        unseen: this.#unseen.get(id) ?? (verdict === 'not seen' ? toSee : never),
        /** The places of a profile that express another reading; else why none does. */
        entry: this.clean(entryOf(reading, verdict, this.#wanting.get(id))),
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

  get inUse(): GatewayProfile {
    return entriesIn({ ...this.#inUse });
  }
}

/** The entries of a profile that differ from this kit's readings. */
function entriesIn({ name: _name, $schema: _schema, ...rest }: Tree): GatewayProfile {
  return differences(rest, readProfile(undefined)) ?? {};
}

function entryOf(
  { profile, why }: Reading,
  verdict: Verdict,
  wanting: ReadonlyMap<string, unknown> | undefined,
): string {
  const isNeeded = verdict !== 'different';
  if (wanting === undefined) {
    if (why !== undefined) return `none${isNeeded ? '' : ' is needed'}: ${why}`;
    return isNeeded ? profile.join(', ') : 'none is needed';
  }
  const shown = (value: unknown) => JSON.stringify(value) ?? 'leave it out';
  return [...wanting].map(([place, value]) => `${place}: ${shown(value)}`).join(', ');
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

/** The part of a value that differs from the usual one; `undefined` where none does. */
function differences(value: unknown, usual: unknown): unknown {
  if (!isFields(value)) return isDeepStrictEqual(value, usual) ? undefined : value;
  const different = Object.entries(value)
    .map(([name, part]) => [name, differences(part, fieldOf(usual, name))] as const)
    .filter(([, part]) => part !== undefined);
  return different.length === 0 ? undefined : Object.fromEntries(different);
}

export interface Outcome {
  readonly findings: Findings;
  readonly steps: readonly { readonly step: string; readonly why?: string }[];
  readonly endedBy?: string;
  readonly wasStopped?: boolean;
  readonly made: ReadonlyMap<string, string>;
  /** The options that ask about the same payment later. */
  readonly again: string | undefined;
  /** The command as it was given, without what it was to do. */
  readonly command: string;
  readonly profile: GatewayProfile;
  /** Where the profile was written; `null` where it was not. */
  readonly file: string | null;
}

export function writeJson(terminal: Terminal, outcome: Outcome): void {
  const { findings, steps, endedBy, made, again, profile, file } = outcome;
  terminal.json({
    ok: isWell(outcome),
    steps,
    endedBy: endedBy ?? null,
    readings: findings.table(),
    made: [...made].map(([what, state]) => ({ what: findings.cleanId(what), state })),
    again: again ?? null,
    remarks: findings.remarks,
    profile,
    file,
  });
}

export const isWell = ({ findings, endedBy }: Outcome): boolean =>
  endedBy === undefined && findings.isWell();

const marks = {
  'not seen': ['dim', '·'],
  confirmed: ['green', '✓'],
  different: ['yellow', '≠'],
  contradicted: ['red', '✗'],
} as const;

type Rows = readonly (readonly [label: string, text: string])[];

/** Writes the table for a person; what needs attention comes last, where a terminal shows it. */
export function writeTable(terminal: Terminal, outcome: Outcome): void {
  const { findings, steps, made, wasStopped = false } = outcome;
  const table = findings.table();
  const isSeen = table.some(({ id, verdict }) => id !== '§1' && verdict !== 'not seen');
  if (isSeen && !wasStopped) writeReadings(terminal, table);
  terminal.line();
  writeRows(terminal, [
    ...[...made].map(([what, state]) => ['made', findings.cleanId(`${what}: ${state}`)] as const),
    ...steps.flatMap(({ step, why }) =>
      why === undefined ? [] : [['skipped', `${step}: ${why}`] as const],
    ),
    ...findings.remarks.map((remark) => ['note', remark] as const),
  ]);
  writeSummary(terminal, outcome, table);
}

function writeRows(terminal: Terminal, rows: Rows): void {
  for (const [label, text] of rows) terminal.labelled(label, text, 2, 11);
}

function writeReadings(terminal: Terminal, table: readonly Sighting[]): void {
  const write = (verdict: Verdict, title: string, rows: Rows): void => {
    if (rows.length === 0) return;
    const [colour, mark] = marks[verdict];
    terminal.line();
    terminal.line(`${terminal.paint(colour, mark)} ${terminal.paint('bold', title)}`);
    writeRows(terminal, rows);
  };
  const unseen = table.filter((one) => one.unseen !== '' || one.verdict === 'not seen');
  const inPart = unseen.filter(({ verdict }) => verdict !== 'not seen').length;
  const count = `${unseen.length - inPart}${inPart === 0 ? '' : `, and ${inPart} in part`}`;
  const ways = unseen.flatMap(({ id, item, verdict, seen, unseen: toSee }): Rows => {
    const way = [id, `${item}: ${toSee}`] as const;
    return verdict === 'not seen' && seen !== '' ? [way, ['', `(${seen})`]] : [way];
  });
  write('not seen', `Not seen, and how to see it (${count})`, ways);
  const confirmed = table.filter(({ verdict }) => verdict === 'confirmed');
  const texts = confirmed.map(({ id, item, seen }) => [id, `${item}: ${seen}`] as const);
  write('confirmed', `Confirmed (${confirmed.length})`, texts);
  for (const [verdict, title] of [
    ['different', 'Different, needs no entry'],
    ['contradicted', 'Contradicted'],
  ] as const) {
    const others = table.filter((one) => one.verdict === verdict);
    const rows = others.flatMap(({ id, item, reading, seen, entry }): Rows => [
      [id, item],
      ['', `this kit: ${reading}`],
      ['', `seen:     ${seen}`],
      ['', `profile:  ${entry}`],
    ]);
    write(verdict, `${title} (${others.length})`, rows);
  }
}

function writeSummary(terminal: Terminal, outcome: Outcome, table: readonly Sighting[]): void {
  const { endedBy, command, again } = outcome;
  const counts = (['confirmed', 'different', 'contradicted', 'not seen'] as const)
    .map((verdict) => [table.filter((one) => one.verdict === verdict).length, verdict] as const)
    .filter(([count, verdict]) => count > 0 || verdict !== 'different')
    .map(([count, verdict]) => `${count} ${verdict}`);
  const [colour, mark] = marks[isWell(outcome) ? 'confirmed' : 'contradicted'];
  const text = endedBy === undefined ? `${counts.join(', ')}.` : `The run ended early: ${endedBy}`;
  terminal.line(`${terminal.paint(colour, mark)} ${text}`);
  if (again !== undefined) {
    terminal.line('The same payment later, also after the link’s 48 hours:');
    terminal.line(`  ${command} ${again} --out later.json`);
  }
  writeProfile(terminal, outcome);
}

function writeProfile(terminal: Terminal, { findings, steps, command, file }: Outcome): void {
  const hasInUse = Object.keys(findings.inUse).length > 0;
  if (file === null || isDeepStrictEqual(findings.proposed(), findings.inUse)) {
    terminal.line(
      file === null ? 'No profile was written.' : `${file}: ${unchanged(findings, hasInUse)}`,
    );
    return;
  }
  const taken = new Set(steps.filter(({ why }) => why === undefined).map(({ step }) => step));
  const untaken = Object.keys(stepTexts).filter((name) => !taken.has(name));
  if (untaken.length === 0) terminal.line(`${file}: the profile of this gateway. Use it:`);
  else {
    terminal.line(`${file}: a part of this gateway’s profile. The run did not take the steps`);
    writeRows(terminal, [['', `${untaken.join(', ')}.`]]);
    terminal.line(
      hasInUse
        ? 'It keeps the entries of the profile in use that nothing contradicted. Use it:'
        : 'An entry of an earlier run is in it only where GATEWAY_PROFILE names its profile. Use it:',
    );
  }
  terminal.line(`  GATEWAY_PROFILE=${file}`);
  terminal.line('Run the command again with it: what it expresses is then confirmed.');
  terminal.line(`  GATEWAY_PROFILE=${file} ${command} --out checked.json`);
}

function unchanged(findings: Findings, hasInUse: boolean): string {
  const what = hasInUse ? 'unchanged' : 'empty';
  if (!findings.isWell()) return `${what}: no entry expresses what was contradicted.`;
  if (hasInUse) return 'unchanged, nothing to do: the profile in use says all that this run saw.';
  const unseen = findings.table().filter(({ verdict }) => verdict === 'not seen').length;
  return `nothing seen in this run needs an entry; ${unseen} readings were not seen.`;
}
