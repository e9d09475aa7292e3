import type { Policy } from './options.ts';

/** The readings of the specification that are in force; the control API may change them. */
export class Policies {
  #names: ReadonlySet<Policy>;

  constructor(names: ReadonlySet<Policy>) {
    this.#names = names;
  }

  has(name: Policy): boolean {
    return this.#names.has(name);
  }

  list(): readonly Policy[] {
    return [...this.#names];
  }

  replace(names: readonly Policy[]): void {
    this.#names = new Set(names);
  }
}
