import { wrap, type Terminal } from './terminal.ts';

/** What is wrong, why it matters, how to mend it, and where more is written. */
export interface Told {
  readonly code: string;
  readonly what: string;
  readonly why: string;
  readonly fix: string;
  readonly help: string;
}

const INDENT = 4;
const LABEL = 6;

/** Writes why, fix and link below a finding. */
export function writeReasons(terminal: Terminal, { why, fix, help }: Omit<Told, 'code' | 'what'>) {
  for (const [label, text] of [
    ['why', why],
    ['fix', fix],
    ['more', help],
  ] as const) {
    const lines = wrap(text, terminal.width - INDENT - LABEL);
    for (const [index, line] of lines.entries()) {
      const head = (index === 0 ? label : '').padEnd(LABEL);
      terminal.line(`${' '.repeat(INDENT)}${terminal.paint('dim', head)}${line}`);
    }
  }
}
