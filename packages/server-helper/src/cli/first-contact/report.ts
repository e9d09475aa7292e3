import type { GatewayProfile } from '../../gateway/profile.ts';
import { type Terminal, wrap } from '../terminal.ts';
import type { Findings, Sighting, Verdict } from './findings.ts';
import { stepTexts } from './readings.ts';

/** A step that was taken or not, with the reason. */
export interface StepReport {
  readonly step: string;
  readonly why?: string;
}

/** The steps that were taken, and why the run ended before the last one. */
export interface Course {
  readonly reports: readonly StepReport[];
  readonly endedBy?: string;
  /** Whether a person ended it. */
  readonly wasStopped?: boolean;
}

/** Everything that a run found and left. */
export interface Outcome {
  readonly findings: Findings;
  readonly course: Course;
  /** What was made at the gateway, and what became of it. */
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
  const { findings, course, made, again, profile, file } = outcome;
  terminal.json({
    ok: isWell(outcome),
    steps: course.reports,
    endedBy: course.endedBy ?? null,
    readings: findings.table(),
    made: [...made].map(([what, state]) => ({ what: findings.cleanId(what), state })),
    again: again ?? null,
    remarks: findings.remarks,
    profile,
    file,
  });
}

/** Whether all that was seen is as the profile says, and the run came to its end. */
export const isWell = ({ findings, course }: Outcome): boolean =>
  course.endedBy === undefined && findings.isWell();

const colours = {
  confirmed: 'green',
  different: 'yellow',
  contradicted: 'red',
  'not seen': 'dim',
} as const;
const marks = { confirmed: '✓', different: '≠', contradicted: '✗', 'not seen': '·' } as const;

/** Writes the table for a person; what needs attention comes last, where a terminal shows it. */
export function writeTable(terminal: Terminal, outcome: Outcome): void {
  const { findings, course, made } = outcome;
  const isSeen = findings.table().some(({ id, verdict }) => id !== '§1' && verdict !== 'not seen');
  if (isSeen && course.wasStopped !== true) writeReadings(terminal, findings.table());
  terminal.line();
  for (const [what, state] of made) {
    writeBelow(terminal, 'made', findings.cleanId(`${what}: ${state}`));
  }
  for (const { step, why } of course.reports) {
    if (why !== undefined) writeBelow(terminal, 'skipped', `${step}: ${why}`);
  }
  for (const remark of findings.remarks) writeBelow(terminal, 'note', remark);
  writeSummary(terminal, outcome);
}

function writeReadings(terminal: Terminal, table: readonly Sighting[]): void {
  const unseen = table.filter((one) => one.unseen !== '' || one.verdict === 'not seen');
  const inPart = unseen.filter(({ verdict }) => verdict !== 'not seen').length;
  const count = `${unseen.length - inPart}${inPart === 0 ? '' : `, and ${inPart} in part`}`;
  if (unseen.length > 0) writeHeading(terminal, 'not seen', 'Not seen, and how to see it', count);
  for (const row of unseen) writeUnseen(terminal, row);
  const confirmed = table.filter(({ verdict }) => verdict === 'confirmed');
  if (confirmed.length > 0) {
    writeHeading(terminal, 'confirmed', 'Confirmed', `${confirmed.length}`);
  }
  for (const { id, item, seen } of confirmed) writeBelow(terminal, id, `${item}: ${seen}`);
  writeOther(terminal, 'different', 'Different, needs no entry', table);
  writeOther(terminal, 'contradicted', 'Contradicted', table);
}

/** Writes the rows of a verdict whose reading is not this kit's. */
function writeOther(
  terminal: Terminal,
  verdict: Verdict,
  title: string,
  table: readonly Sighting[],
): void {
  const rows = table.filter((one) => one.verdict === verdict);
  if (rows.length > 0) writeHeading(terminal, verdict, title, `${rows.length}`);
  for (const { id, item, reading, seen, entry } of rows) {
    writeBelow(terminal, id, item);
    writeBelow(terminal, '', `this kit: ${reading}`);
    writeBelow(terminal, '', `seen:     ${seen}`);
    writeBelow(terminal, '', `profile:  ${entry}`);
  }
}

function writeUnseen(terminal: Terminal, { id, item, verdict, seen, unseen }: Sighting): void {
  writeBelow(terminal, id, `${item}: ${unseen}`);
  if (verdict === 'not seen' && seen !== '') writeBelow(terminal, '', `(${seen})`);
}

function writeHeading(terminal: Terminal, verdict: Verdict, title: string, count: string): void {
  terminal.line();
  const text = terminal.paint('bold', `${title} (${count})`);
  terminal.line(`${terminal.paint(colours[verdict], marks[verdict])} ${text}`);
}

const LABEL = 9;

function writeBelow(terminal: Terminal, label: string, text: string): void {
  for (const [index, line] of wrap(text, terminal.width - LABEL - 2).entries()) {
    const head = (index === 0 ? label : '').padEnd(LABEL);
    terminal.line(`  ${terminal.paint('dim', head)}${line}`);
  }
}

function writeSummary(terminal: Terminal, outcome: Outcome): void {
  const { findings, course, command, again } = outcome;
  const table = findings.table();
  const counts = (['confirmed', 'different', 'contradicted', 'not seen'] as const)
    .map((verdict) => [table.filter((one) => one.verdict === verdict).length, verdict] as const)
    .filter(([count, verdict]) => count > 0 || verdict !== 'different')
    .map(([count, verdict]) => `${count} ${verdict}`);
  const mark = isWell(outcome) ? terminal.paint('green', '✓') : terminal.paint('red', '✗');
  terminal.line(
    course.endedBy === undefined
      ? `${mark} ${counts.join(', ')}.`
      : `${mark} The run ended early: ${course.endedBy}`,
  );
  if (again !== undefined) {
    terminal.line('The same payment later, also after the link’s 48 hours:');
    terminal.line(`  ${command} ${again} --out later.json`);
  }
  writeProfile(terminal, outcome);
}

/** Says where the proposed profile is, and how to go on with it. */
function writeProfile(terminal: Terminal, { findings, course, command, file }: Outcome): void {
  if (file === null) {
    terminal.line('No profile was written.');
    return;
  }
  if (findings.isUnchanged()) {
    terminal.line(`${file}: ${unchanged(findings)}`);
    return;
  }
  const untaken = Object.keys(stepTexts).filter(
    (name) => !course.reports.some(({ step, why }) => step === name && why === undefined),
  );
  if (untaken.length === 0) terminal.line(`${file}: the profile of this gateway. Use it:`);
  else {
    terminal.line(`${file}: a part of this gateway’s profile. The run did not take the steps`);
    writeBelow(terminal, '', `${untaken.join(', ')}.`);
    terminal.line(
      findings.hasProfileInUse()
        ? 'It keeps the entries of the profile in use that nothing contradicted. Use it:'
        : 'An entry of an earlier run is in it only where GATEWAY_PROFILE names its profile. Use it:',
    );
  }
  terminal.line(`  GATEWAY_PROFILE=${file}`);
  terminal.line('Run the command again with it: what it expresses is then confirmed.');
  terminal.line(`  GATEWAY_PROFILE=${file} ${command} --out checked.json`);
}

/** Why a run proposes nothing new. */
function unchanged(findings: Findings): string {
  const what = findings.hasProfileInUse() ? 'unchanged' : 'empty';
  if (!findings.isWell()) return `${what}: no entry expresses what was contradicted.`;
  if (findings.hasProfileInUse()) {
    return 'unchanged, nothing to do: the profile in use says all that this run saw.';
  }
  const unseen = findings.table().filter(({ verdict }) => verdict === 'not seen').length;
  return `nothing seen in this run needs an entry; ${unseen} readings were not seen.`;
}
