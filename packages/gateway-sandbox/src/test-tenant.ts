import type { ControlClient } from './control/control-client.ts';
import type { TenantInfo } from './control/control-shapes.ts';
import type { Sandbox } from './start-sandbox.ts';

/** What one test works with: a tenant of its own, so that parallel tests never meet. */
export interface TestTenant extends TenantInfo {
  /** The control API, about this tenant only. */
  readonly control: ControlClient;
}

/** Opens a tenant with keys, a clock, ids and faults of its own on a running sandbox. */
export async function openTestTenant(sandbox: Sandbox): Promise<TestTenant> {
  const info = await sandbox.control.openTenant();
  return { ...info, control: sandbox.control.forTenant(info.id) };
}
