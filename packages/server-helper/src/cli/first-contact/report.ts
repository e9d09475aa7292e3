import { table, wrap, type Terminal } from '../terminal.ts';
import type { Findings, Verdict } from './findings.ts';
import type { GatewayProfile } from '../../gateway/profile.ts';

const colours = { confirmed: 'green', contradicted: 'red', 'not seen': 'dim' } as const;

const marks: Readonly<Record<Verdict, string>> = {
  confirmed: '✓',
  contradicted: '✗',
  'not seen': '·',
};

/** The steps that ran or did not, with the reason. */
export interface StepReport {
  readonly step: string;
  readonly why?: string;
}

export interface Outcome {
  readonly findings: Findings;
  readonly steps: readonly StepReport[];
  readonly profile: GatewayProfile;
  /** Where the profile was written; `null` where nothing was seen. */
  readonly file: string | null;
}

export function writeJson(terminal: Terminal, { findings, steps, profile, file }: Outcome): void {
  const { stated, remarks } = findings;
  terminal.json({
    ok: findings.isWell(),
    steps,
    readings: findings.table(),
    stated,
    remarks,
    profile,
    file,
  });
}

/** Writes the table for a person, the readings that were seen first. */
export function writeTable(terminal: Terminal, { findings, steps, profile, file }: Outcome): void {
  const all = findings.table();
  terminal.line();
  terminal.line(terminal.paint('bold', 'Readings'));
  const head = ['', 'id', 'verdict', 'our reading'];
  const rows = all.map(({ id, verdict, reading }) => [
    terminal.paint(colours[verdict], marks[verdict]),
    id,
    terminal.paint(colours[verdict], verdict),
    reading,
  ]);
  for (const [index, line] of table([head, ...rows]).entries()) {
    terminal.line(line);
    const one = all[index - 1];
    if (one === undefined || one.verdict === 'not seen') continue;
    writeBelow(terminal, 'seen', one.seen);
    if (one.verdict === 'contradicted') writeBelow(terminal, 'profile', one.entry);
  }
  terminal.line();
  terminal.line(terminal.paint('bold', 'Not seen, and how to see it'));
  for (const { id, item, seen, verdict } of all) {
    if (verdict === 'not seen') writeBelow(terminal, id, `${item}: ${seen}`);
  }
  writeStated(terminal, findings);
  for (const remark of findings.remarks) terminal.line(`! ${remark}`);
  for (const { step, why } of steps) if (why !== undefined) terminal.line(`- ${step}: ${why}`);
  writeSummary(terminal, findings, profile, file);
}

const LABEL = 9;

function writeBelow(terminal: Terminal, label: string, text: string): void {
  for (const [index, line] of wrap(text, terminal.width - LABEL - 4).entries()) {
    const head = (index === 0 ? label : '').padEnd(LABEL);
    terminal.line(`    ${terminal.paint('dim', head)}${line}`);
  }
}

function writeStated(terminal: Terminal, { stated }: Findings): void {
  if (stated.length === 0) return;
  terminal.line();
  terminal.line(terminal.paint('bold', 'What the specification states'));
  for (const { section, what, holds, seen } of stated) {
    const mark = holds ? terminal.paint('green', '✓') : terminal.paint('red', '✗');
    terminal.line(`${mark} ${section} ${what}`);
    if (!holds) writeBelow(terminal, 'seen', seen);
  }
  terminal.line();
}

function writeSummary(
  terminal: Terminal,
  findings: Findings,
  profile: GatewayProfile,
  file: string | null,
): void {
  const count = (verdict: Verdict) =>
    findings.table().filter((one) => one.verdict === verdict).length;
  const mark = findings.isWell() ? terminal.paint('green', '✓') : terminal.paint('red', '✗');
  terminal.line(
    `${mark} ${count('confirmed')} confirmed, ${count('contradicted')} contradicted, ${count('not seen')} not seen.`,
  );
  if (file === null) {
    terminal.line('No profile was written: nothing was seen that one could express.');
    return;
  }
  const { $schema: _schema, name: _name, ...entries } = profile;
  terminal.line(
    Object.keys(entries).length === 0
      ? `${file}: no entry is needed, the gateway keeps to this kit’s readings.`
      : `${file}: the profile of this gateway. Use it: GATEWAY_PROFILE=${file}`,
  );
  if (Object.keys(entries).length > 0) {
    terminal.line('Run the command again with it: what it expresses is then confirmed.');
  }
}
