import { readFileSync } from 'node:fs';
import type { Policy } from './readings/readings.ts';

/** The version of this package, from its manifest. */
export function packageVersion(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/** One thing that the sandbox does, and how firmly it is known. */
export interface Behaviour {
  readonly id: string;
  readonly kind: 'operation' | 'field' | 'error' | 'transition';
  readonly name: string;
  /** `spec`, `contradiction`, `analogue` or `assumed`. */
  readonly tier: string;
  /** A section of the specification (§), or the id of one of `sources`. */
  readonly source: string;
  /** The tests that pin it, as `file > title`. */
  readonly tests: readonly string[];
}

/** An open point of the specification: its reading, and how the sandbox takes the other ones. */
interface OpenPoint {
  readonly item: string;
  readonly tier: string;
  readonly reading: string;
  readonly alternatives: readonly string[];
  /** The policies that read it otherwise. */
  readonly policies: readonly Policy[];
  /** The places in a gateway's profile that change it. */
  readonly profile: readonly string[];
  /** Why an alternative has neither; null: each has one. */
  readonly whyNot: string | null;
  /** The tests that pin one of its readings, as `file > title`. */
  readonly tests: readonly string[];
}

/** The fidelity of the sandbox: every behaviour with its tier, reading and tests. */
export interface Fidelity {
  readonly tiers: Readonly<Record<string, string>>;
  /** The open points of the specification, the reading taken, and the readings not taken. */
  readonly sources: Readonly<Record<string, OpenPoint>>;
  readonly behaviours: readonly Behaviour[];
}

let report: Fidelity | null = null;

/** The report that the package carries; it is made from the contract when the package is built. */
export function readFidelity(): Fidelity {
  const path = new URL('../assets/fidelity.json', import.meta.url);
  report ??= JSON.parse(readFileSync(path, 'utf8')) as Fidelity;
  return report;
}
