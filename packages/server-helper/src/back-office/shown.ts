import type { Html } from './html.ts';

/** A page in the answer to the form itself, for what may stand in no address, such as a secret. */
export interface Shown {
  readonly status: number;
  readonly title: string;
  readonly main: Html;
}
