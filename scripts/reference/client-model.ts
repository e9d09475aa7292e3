import type { DocComment } from './doc-comment.ts';

/** A value that goes in or comes out, named by its whole path: `customer.phone`, `webhooks[].id`. */
export interface Field {
  readonly name: string;
  /** As the source spells it. */
  readonly type: string;
  readonly isOptional: boolean;
  readonly defaultValue: string | undefined;
  readonly text: string;
}

/** What a method takes: fields that go together, or several such sets of which one is given. */
export interface Input {
  readonly choices: readonly (readonly Field[])[];
}

/** One method of the client, as its type and its comment tell it. */
export interface Method {
  readonly name: string;
  readonly signature: string;
  readonly comment: DocComment;
  /** Null when it takes nothing but options. */
  readonly input: Input | null;
  /** What the result is called and consists of; null when there is none. */
  readonly result: { readonly type: string; readonly fields: readonly Field[] } | null;
}

/** What the reference takes from the client's sources. */
export interface ClientModel {
  readonly methods: ReadonlyMap<string, Method>;
  /** `createGatewayClient`. */
  readonly creation: DocComment;
  readonly options: readonly Field[];
  readonly callOptions: readonly Field[];
  readonly overrides: readonly Field[];
  readonly errorFields: readonly Field[];
  readonly errorCodes: readonly string[];
  /** What each outcome means. */
  readonly outcomes: DocComment;
}
