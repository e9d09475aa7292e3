import { databaseName } from '../shop-settings.ts';
import { storeFinding } from '../store-finding.ts';
import { readStoreState } from '../store-state.ts';
import { fine, helpOf, type Check, type CheckResult } from './check.ts';

const DRIFT_MS = 5_000;

/** Whether the store can be read, is of this release, and is this shop's; and its clock. */
export const checkStore: Check = {
  id: 'store',
  title: 'Store',
  needs: ['database'],
  async run({ settings }) {
    const name = databaseName(settings.databaseUrl);
    const state = await readStoreState(settings.databaseUrl, settings.scope);
    if (state.kind !== 'ready') return [{ status: 'wrong', ...storeFinding(state, name) }];
    const { clockOffsetMs, schema } = state;
    const results: CheckResult[] = [fine(`${name} can be read, all ${schema} migrations are made`)];
    if (clockOffsetMs !== null && Math.abs(clockOffsetMs) > DRIFT_MS) {
      results.push({
        status: 'odd',
        code: 'clock_skew',
        what: `The database’s clock and this machine’s are ${Math.round(Math.abs(clockOffsetMs) / 1_000)} s apart.`,
        why: 'The kit goes by the database’s clock, but your logs do not.',
        fix: 'Let both keep time by NTP.',
        help: helpOf('clock'),
      });
    }
    return results;
  },
};
