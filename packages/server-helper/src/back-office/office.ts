import type { Payments } from '../create-payments.ts';
import type { EdgeRequest } from '../edges/http.ts';
import type { PaymentsParts } from '../payments-parts.ts';
import type { FormTokens } from './form-token.ts';
import type { OfficeAction, OfficeSettings } from './options.ts';
import type { Repeats } from './repeats.ts';
import type { Shown } from './shown.ts';
import type { Language } from './texts/by-language.ts';

/** What all requests share. */
export interface Office {
  readonly payments: Payments;
  readonly parts: PaymentsParts;
  readonly settings: OfficeSettings;
  readonly forms: FormTokens;
  readonly repeats: Repeats<Shown>;
}

/** The fields of a form or of a query; a field that comes twice is left out. */
export type Fields = Readonly<Record<string, string>>;

/** One request of a person who may be here, and what its page needs. */
export interface Visit {
  readonly office: Office;
  readonly request: EdgeRequest;
  /** The person's name. */
  readonly actor: string;
  readonly language: Language;
  /** The way from this page up to the mount, such as `../`. */
  readonly base: string;
  /** The page's own address below the mount, without a slash in front. */
  readonly address: string;
  readonly query: Fields;
  /** Whether the person may do something; asked once for each action. */
  may(action: OfficeAction): Promise<boolean>;
}

/** The address of another page, relative to this one, so that any mount and any proxy will do. */
export function linkTo({ base }: Visit, address: string, query: Fields = {}): string {
  const filled = Object.entries(query).filter(([, value]) => value !== '');
  const search = new URLSearchParams(Object.fromEntries(filled)).toString();
  return `${base}${address}${search === '' ? '' : `?${search}`}`;
}

/** The address of an order's page below the mount. */
export const orderAddress = (orderId: string): string => `orders/${encodeURIComponent(orderId)}`;

/** Fields that came once. */
export function fieldsOf(entries: Iterable<readonly [string, unknown]>): Fields {
  const fields = new Map<string, unknown>();
  for (const [name, value] of entries) fields.set(name, fields.has(name) ? null : value);
  const texts = [...fields].filter(
    (field): field is [string, string] => typeof field[1] === 'string',
  );
  return Object.fromEntries(texts);
}
