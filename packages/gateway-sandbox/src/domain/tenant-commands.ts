import { accountAfterReset } from './account.ts';
import type { Handler } from './command.ts';
import { emptyTenant } from './state.ts';

/** A tenant comes to be with its seed; the shell has made sure that its id is free. */
export const openTenant: Handler<'open-tenant'> = (tenant, { seed }) => ({
  tenant: { ...tenant, account: { ...tenant.account, seed } },
  reply: { kind: 'opened' },
  effects: [],
});

/** Forgets everything but the credentials. */
export const resetTenant: Handler<'reset'> = ({ account }) => ({
  tenant: { ...emptyTenant, account: accountAfterReset(account) },
  reply: { kind: 'reset' },
  effects: [],
});

/** Lets the gateway lose its record of the merchant, or find it again (§7). */
export const switchMerchant: Handler<'switch-merchant'> = (tenant, { isFound }) => ({
  tenant:
    tenant.account.isFound === isFound
      ? tenant
      : { ...tenant, account: { ...tenant.account, isFound } },
  reply: { isFound },
  effects: [],
});
