import type { Payments } from '@pay-button/server-helper';
import type { BugId } from '../bugs/bugs.ts';
import type { ShopDatabase } from '../database/shop-database.ts';
import type { Warn } from '../http/warn.ts';
import type { LinkStore } from './dead-links.ts';

/** What testers' tools are attached to. */
export interface QaParts {
  readonly database: Pick<
    ShopDatabase<never>,
    'saveOrder' | 'findOrder' | 'countFulfilments' | 'shipUnpaid'
  > & { readonly payments: LinkStore };
  readonly payments: Payments;
  readonly publicUrl: string;
  readonly now: () => number;
  /** The bug of every order, from the environment. */
  readonly bug: BugId | undefined;
  readonly warn: Warn;
}
