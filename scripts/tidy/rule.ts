/** One file of the repository as the house rules see it; `path` is relative and uses `/`. */
export interface HouseFile {
  readonly path: string;
  readonly text: string;
}

/** A broken rule: where, and what to do about it. */
export interface Finding {
  readonly line: number;
  readonly message: string;
}

/** A house rule. It is pure: the same file gives the same findings. */
export interface Rule {
  readonly name: string;
  readonly check: (file: HouseFile) => readonly Finding[];
}

/** The line (from 1) of a position in a text. */
export function lineAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < position; at = text.indexOf('\n', at + 1)) {
    line += 1;
  }
  return line;
}
