import type { Html } from '../html.ts';
import type { Fields, Visit } from '../office.ts';
import type { OfficeAction } from '../options.ts';
import type { Shown } from '../shown.ts';
import type { NoticeName } from '../texts/notices.ts';

/** What was typed into an action's form, and what is wrong with it. */
export interface Entered {
  readonly fields: Fields;
  readonly mistake: string;
}

/** The question of a confirmation page. */
export interface Question {
  /** Names what happens, and the amount where there is one: `Refund SAR 20.00?` */
  readonly title: string;
  /** What it means for the money, and whether it can be undone. */
  readonly text: string | Html;
  /** The words on the button that does it. */
  readonly button: string;
  /** The name in `data-test` of that button. @defaultValue `confirm-<name of the action>` */
  readonly testId?: string;
  /** Whether it cannot be undone. */
  readonly isFinal?: boolean;
  /** The fields that are sent with the confirmation. */
  readonly fields: Fields;
  /** What is typed on the page of the question itself: words that an address is no place for. */
  readonly inputs?: Html;
  /** What is wrong with what was typed there; it counts once it is sent. */
  readonly mistake?: string | null;
  /**
   * Names the state that it was asked in. The same question in the same state is one request, in two tabs
   * and from two people too. In another state, it is asked again.
   */
  readonly state?: string;
}

/** How an action ended: what the page says afterwards, or a page of its own. */
export type Done = NoticeName | Shown;

/**
 * One thing that a person can do about a subject: an order, a matter under review, the gateway. Its form
 * leads to a page that asks first, and only the form of that page does it.
 *
 * @typeParam Subject - What it is about, as the page shows it.
 */
export interface Action<Subject> {
  /** The last part of its address. */
  readonly name: string;
  /** What `may` is asked; `null` for what everyone may do, since it moves no money. */
  readonly right: OfficeAction | null;
  /** Whether it is possible now; otherwise it is neither shown nor done. */
  isPossible(subject: Subject, visit: Visit): boolean;
  /**
   * The fields of its form on the page, with the button that leads to the question.
   *
   * @param entered - After a mistake: the fields show what was typed.
   */
  fields(subject: Subject, visit: Visit, entered?: Entered): Html;
  /** The question, or the mistake in what was typed. Changes nothing. */
  question(subject: Subject, fields: Fields, visit: Visit): Question | { readonly mistake: string };
  /**
   * What the page says where this very request was done before, which may have made it impossible now;
   * `null` where it was not.
   */
  repeated?(subject: Subject, fields: Fields, requestId: string): NoticeName | null;
  /**
   * Does it, at most once for a request id.
   *
   * @param fields - Those of the question, as the browser sent them: checked again.
   * @param requestId - Made when the question was asked.
   * @returns what the page says afterwards, or a page in its place.
   */
  run(subject: Subject, fields: Fields, visit: Visit, requestId: string): Promise<Done>;
}
