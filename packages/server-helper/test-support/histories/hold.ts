/** A rule that was broken, and what was seen. */
export class BrokenRule extends Error {
  override readonly name = 'BrokenRule';
  readonly rule: string;

  constructor(rule: string, seen: unknown) {
    super(`${rule}: ${JSON.stringify(seen, null, 2)}`);
    this.rule = rule;
  }
}

/** Asked so often that a test framework's assertions would take most of the time. */
export function hold(isSo: boolean, rule: string, seen: unknown): void {
  if (!isSo) throw new BrokenRule(rule, seen);
}
